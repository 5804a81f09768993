// Bundles the two programs into dist/. Heavy packages land in chunks of their own, loaded by the verbs that use them.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
rmSync(new URL('dist', import.meta.url), { recursive: true, force: true });
await build({
  entryPoints: ['src/git-agent.ts', 'src/git-agent-blame.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  legalComments: 'linked',
  logLevel: 'warning',
  absWorkingDir: new URL('.', import.meta.url).pathname,
  define: { 'process.env.GIT_AGENT_BLAME_VERSION': JSON.stringify(version) },
  // bundled CommonJS packages ask for node's own modules with require
  banner: { js: "#!/usr/bin/env node\nimport { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
});
for (const name of ['git-agent.js', 'git-agent-blame.js']) chmodSync(new URL(`dist/${name}`, import.meta.url), 0o755);
