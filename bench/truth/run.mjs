// How true blame is: scripted histories whose every line has a known author, played through git's operations.
// node bench/truth/run.mjs [--op NAME] [--lines unique|repeated] [--seeds N] [--from SEED] [--json]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'truth-'));
const outfile = path.join(folder, 'main.mjs');
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/truth/main.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
    // the workshop builds nothing here; its files find the repository from where they stand
    alias: { esbuild: './bench/truth/no-esbuild.mjs' },
    define: {
      'import.meta.dirname': JSON.stringify(path.join(root, 'test', 'support')),
      'process.env.GIT_AGENT_BLAME_VERSION': '"0.0.0"',
    },
    banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  });
  await import(outfile);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
