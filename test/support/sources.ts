import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { makeFolder } from './repository.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const SRC = path.join(ROOT, 'src');

/** Our modules as JavaScript, file by file: node loads them itself, in a third of the time and memory that vite's modules take in every process. */
export async function compileSources(): Promise<string> {
  const dir = makeFolder('sources');
  // packages are found from there, and are the same ones that tests import
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(dir, 'node_modules'));
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/**/*.ts', 'src/**/*.tsx'],
    outdir: path.join(dir, 'src'),
    outbase: 'src',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'file-by-file',
        setup({ onResolve }) {
          onResolve({ filter: /^\./ }, ({ path: file }) => ({
            path: file.replace(/\.tsx?$/, '.js'),
            external: true,
          }));
        },
      },
    ],
  });
  return dir;
}

/** For vite: what tests import from src comes from there. */
export const compiledSources = {
  name: 'compiled-sources',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined) {
    const dir = process.env.TEST_SOURCES;
    if (dir === undefined || importer === undefined || !/^\..*\.tsx?$/.test(source)) return undefined;
    const file = path.resolve(path.dirname(importer), source);
    if (!file.startsWith(SRC + path.sep)) return undefined;
    return path.join(dir, path.relative(ROOT, file)).replace(/\.tsx?$/, '.js');
  },
};
