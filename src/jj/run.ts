import { execFile } from 'node:child_process';

/** Where jj is asked: a workspace, and the operation whose view of the repository counts. */
export interface JjPlace {
  readonly root: string;
  readonly operation: string;
}

const MAX_OUTPUT = 64 * 1024 * 1024;
const PATIENCE = 20_000;

/**
 * What jj prints; undefined where there is no jj, where it is too old to understand, or where it refuses. It only reads: at a named
 * operation it neither looks at the work tree nor settles operations that happened at once.
 */
export function askJj({ root, operation }: JjPlace, args: readonly string[]): Promise<string | undefined> {
  const quiet = ['--no-pager', '--color=never', '--quiet', '--ignore-working-copy', `--at-operation=${operation}`];
  const options = { cwd: root, maxBuffer: MAX_OUTPUT, timeout: PATIENCE, windowsHide: true, encoding: 'utf8' } as const;
  return new Promise((resolve) => {
    const child = execFile('jj', [...quiet, ...args], options, (error, out) => resolve(error ? undefined : out));
    child.stdin?.end();
  });
}
