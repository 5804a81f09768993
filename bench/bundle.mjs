// Runs a program that is written in TypeScript and uses our own modules: node knows neither.
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

// nothing that is run here asks the network, and Node 20 reads these at each start
delete process.env.NODE_EXTRA_CA_CERTS;

export async function runBundled(entry) {
  // where packages that are loaded by name are found
  const folder = mkdtempSync(path.join(root, 'node_modules', '.bundle-'));
  const outfile = path.join(folder, 'main.mjs');
  try {
    await build({
      absWorkingDir: root,
      entryPoints: { main: entry },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // what a verb loads only when it is called stays apart: some of it is not there at all
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      logLevel: 'warning',
      external: ['react-devtools-core'],
      // its files find the repository from where they stand
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
}
