import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../fault.ts';
import { placeAt, workspaceName } from './apart.ts';
import { askGit, type GitPlace, runGit } from './run.ts';

export type ObjectFormat = 'sha1' | 'sha256';

/** Where we are. All paths are absolute and real. */
export interface Repository {
  readonly place: GitPlace;
  readonly gitDir: string;
  /** What linked work trees share. */
  readonly commonDir: string;
  /** Top of the work tree; null where there is none (a bare repository, or inside the git dir). */
  readonly worktree: string | null;
  /** The current folder below the top: `''` or `sub/`. */
  readonly prefix: string;
  /** `''` for the main work tree, else the folder's name under `worktrees/`. */
  readonly worktreeName: string;
  readonly bare: boolean;
  readonly objectFormat: ObjectFormat;
}

/** rev-parse echoes options it does not know: a separator, since a folder's name may contain line ends. */
const SEPARATOR = '--next-value';

// --show-toplevel fails without a work tree, after the rest has been printed: it comes last
const QUESTIONS = [
  '--is-bare-repository',
  '--show-object-format',
  '--absolute-git-dir',
  '--git-common-dir',
  '--show-prefix',
  '--show-toplevel',
];

export async function findRepository(cwd: string, env?: GitPlace['env']): Promise<Repository> {
  const own = await placeAt(cwd);
  const place: GitPlace = env ? { cwd, env: { ...env, ...own.env } } : own;
  if (!fs.existsSync(cwd)) throw new Fault('surroundings', `The folder ${cwd} does not exist.`);
  const answer = await askGit(place, ['rev-parse', ...QUESTIONS.flatMap((question) => [question, SEPARATOR])]);
  const values = parseAnswers(answer.out.toString('utf8'));
  const [bare, format, gitDir, commonDir, prefix = '', top] = values;
  if (gitDir === undefined || commonDir === undefined) throw notHere(cwd, answer.err);
  const real = (file: string) => fs.realpathSync(path.resolve(cwd, file));
  const found = { gitDir: real(gitDir), commonDir: real(commonDir) };
  return {
    place: { ...place, gitDir: found.gitDir },
    ...found,
    worktree: top === undefined ? null : real(top),
    prefix,
    worktreeName: own.env && top !== undefined ? workspaceName(top) : nameOfWorktree(found.gitDir, found.commonDir),
    bare: bare === 'true',
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
  };
}

function parseAnswers(out: string): string[] {
  return out.split(`\n${SEPARATOR}\n`).slice(0, -1);
}

/** The folder's name under `worktrees/`, which git keeps stable when the work tree itself is moved. */
export function nameOfWorktree(gitDir: string, commonDir: string): string {
  return path.dirname(gitDir) === path.join(commonDir, 'worktrees') ? path.basename(gitDir) : '';
}

/** What people call it: its folder, whichever of its work trees we are in, and wherever git keeps the rest. */
export function repositoryName({ commonDir }: Pick<Repository, 'commonDir'>): string {
  const [folder = ''] = commonDir.split(/[\\/]\.(?:git|jj)(?:[\\/](?!modules[\\/])|$)/);
  return path.basename(folder, '.git');
}

function notHere(cwd: string, err: string): Fault {
  const said = (err.split('\n')[0] ?? '').replace(/^fatal: /, '');
  if (said === '' || said.startsWith('not a git repository')) {
    return new Fault('surroundings', `${cwd} is not inside a git repository: go into one, or make one with git init.`);
  }
  return new Fault('surroundings', `git refuses this repository: ${said}`, { err });
}

/** For example `2.39.5`. */
export async function gitVersion(place: GitPlace): Promise<string> {
  const out = (await runGit(place, ['version'])).toString('utf8');
  return /\d+(\.\d+)*/.exec(out)?.[0] ?? '0';
}

export function atLeast(version: string, wanted: string): boolean {
  const have = version.split('.').map(Number);
  const want = wanted.split('.').map(Number);
  for (let i = 0; i < want.length; i++) {
    const difference = (have[i] ?? 0) - (want[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
