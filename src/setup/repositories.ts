import fs from 'node:fs';
import path from 'node:path';
import type { Repository } from '../git/repository.ts';
import { textOf } from './bytes.ts';
import { readText } from './files.ts';

/** The repositories that use the user-level hooks, one common git dir per line, and `.git` of work trees whose git dir lies elsewhere. */
export function readRepositories(userDir: string): readonly string[] {
  const text = readText(path.join(userDir, 'repositories')) ?? '';
  return textOf(text).split('\n').filter(Boolean);
}

/** What stands on the list for one: hooks know its work tree by `.git`, also where that only leads to the git dir, as in a submodule. */
export function linesOf({ commonDir, worktree, worktreeName }: ListedRepository): readonly string[] {
  const link = path.join(worktree ?? '', '.git');
  const leads = worktree !== null && worktreeName === '' && link !== commonDir && commonDirOf(link) === commonDir;
  // a submodule's folder may be called anything: a line end in it would put somebody else on the list
  return leads && !/[\r\n]/.test(link) ? [commonDir, link] : [commonDir];
}

type ListedRepository = Pick<Repository, 'commonDir' | 'worktree' | 'worktreeName'>;

/** The common git dir that a line of the list stands for. */
export function commonDirOf(line: string): string {
  try {
    const target = fs.statSync(line).isFile() ? /^gitdir: (.*)/.exec(fs.readFileSync(line, 'utf8'))?.[1] : undefined;
    return fs.realpathSync(target === undefined ? line : path.resolve(path.dirname(line), target));
  } catch {
    return line;
  }
}
