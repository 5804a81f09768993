import path from 'node:path';
import type { Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import { readPlain } from '../plain-file.ts';
import { replaceFile } from '../sessions/disk.ts';
import type { World } from './command.ts';

/** After so many new notes it is looked again: fewer are told of quickly enough when somebody asks. */
const NEW = 50;
/** The youngest; a gate that is asked about more works the rest out itself. */
const MOST = 2000;

/**
 * What the next push will ask about is told of now, while nobody waits for it: a check of commits that were made here finds in the memory what
 * it says of them. `notes` were written just now. It is only time that is lost where this cannot be.
 */
export async function tellAhead(world: World, repository: Repository, notes: number): Promise<void> {
  const mark = path.join(repository.commonDir, 'agent', 'cache', 'ahead');
  const count = findCount(mark);
  const due = count === undefined || count + notes >= NEW;
  if (!due && notes === 0) return;
  // before it begins: another one that comes meanwhile has nothing to do
  if (!writeCount(mark, due ? 0 : count + notes) || !due) return;
  const commits = await listOpen(repository);
  const { MANY, keepTold } = await import('./survey.ts');
  if (commits.length >= MANY) await keepTold(world, repository, commits);
}

/** Undefined: nobody has looked yet. */
function findCount(mark: string): number | undefined {
  try {
    const count = Number.parseInt(readPlain(mark, 'utf8'), 10);
    return count >= 0 ? count : undefined;
  } catch {
    return undefined;
  }
}

/** False: nothing can be kept here. */
function writeCount(mark: string, count: number): boolean {
  try {
    replaceFile(mark, `${count}\n`);
    return true;
  } catch {
    return false;
  }
}

/** Commits of any branch that no remote has. */
async function listOpen({ place }: Repository): Promise<string[]> {
  const open = ['--branches', 'HEAD', '--not', '--remotes', '--'];
  const { code, out } = await askGit(place, ['rev-list', `--max-count=${MOST}`, ...open]);
  // nothing is committed yet
  return code === 0 ? out.toString('latin1').split('\n').filter(Boolean) : [];
}
