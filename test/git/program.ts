import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

export interface TestProgram {
  /** What node is given to run it. */
  readonly file: string;
  /** Starts it in a process of its own. */
  start(...args: string[]): ChildProcess;
  /** Runs it to its end; its output. A failure throws. */
  run(...args: string[]): Promise<string>;
  remove(): void;
}

/** A small program of the test's own, bundled with the modules it imports from `src` (`import ... from 'src/...'`). */
export function makeProgram(source: string): TestProgram {
  const dir = makeFolder('program');
  const file = path.join(dir, 'program.mjs');
  const top = path.resolve(import.meta.dirname, '../..');
  const contents = source.replaceAll("'src/", `'${top}/src/`);
  const stdin = { contents, resolveDir: top, loader: 'ts' } as const;
  buildSync({ stdin, outfile: file, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  const start = (...args: string[]) => spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    file,
    start,
    async run(...args) {
      const child = start(...args);
      let out = '';
      let err = '';
      child.stdout?.on('data', (chunk) => {
        out += chunk;
      });
      child.stderr?.on('data', (chunk) => {
        err += chunk;
      });
      const code = await new Promise((resolve) => child.on('close', resolve));
      if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
      return out;
    },
    remove: () => removeFolder(dir),
  };
}
