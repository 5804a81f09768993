// Bundles what others import: `git-agent-blame` (index.js) and `git-agent-blame/web` (web.js), and their types.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const ENTRIES = { index: 'src/index.ts', web: 'src/web/index.ts' };

/** Gives what went in, as paths. */
export async function buildLibrary(outdir) {
  const inputs = [];
  // each alone: a user of one loads nothing of the other
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const { metafile } = await build({
      entryPoints: [entry],
      outfile: path.join(outdir, `${name}.js`),
      bundle: true,
      format: 'esm',
      // in any runtime: nothing of node's is left in them, Buffer is taken from the surroundings
      platform: 'browser',
      alias: {
        'node:crypto': './src/web/digest.ts',
        'node:buffer': './src/web/buffer.ts',
        buffer: './src/web/buffer.ts',
      },
      target: 'es2022',
      minify: true,
      metafile: true,
      legalComments: 'none',
      logLevel: 'warning',
      absWorkingDir: root,
    });
    inputs.push(...Object.keys(metafile.inputs));
  }
  emitTypes(path.join(outdir, 'types'));
  // the programs beside it are of the other kind
  writeFileSync(path.join(outdir, 'package.json'), '{ "type": "module" }\n');
  return inputs;
}

/** The declarations that the two entries lead to, as a user's compiler reads them. */
function emitTypes(folder) {
  const tsc = path.join('node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.lib.json', '--outDir', folder], { cwd: root, stdio: 'inherit' });
  const kept = new Set(['index.d.ts', path.join('web', 'index.d.ts')]);
  for (const file of kept) {
    const text = readFileSync(path.join(folder, file), 'utf8')
      .replace(/(\bfrom ["']\.[^"']*)\.ts(?=["'])/g, '$1.js')
      // a user may have no types of node's
      .replace(/\bBuffer\b(?:<[^>]*>)?/g, 'Uint8Array');
    writeFileSync(path.join(folder, file), text);
    for (const [, target] of text.matchAll(/\bfrom ["'](\.[^"']*)\.js["']/g))
      kept.add(path.join(path.dirname(file), `${target}.d.ts`));
  }
  for (const file of readdirSync(folder, { recursive: true }))
    if (file.endsWith('.d.ts') && !kept.has(file)) rmSync(path.join(folder, file));
}
