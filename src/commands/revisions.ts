import fs from 'node:fs';
import { Fault } from '../fault.ts';
import { diskPath } from '../git/disk-path.ts';
import { pathOf } from '../git/paths.ts';
import type { Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';

export interface Words {
  readonly words: readonly string[];
  /** What followed `--`; undefined where there was none. */
  readonly paths: readonly string[] | undefined;
}

export interface Divided {
  readonly revisions: readonly string[];
  readonly paths: readonly string[];
}

/** Git's own rule: with no `--`, revisions come first, then files that are there; what is both has to be told apart. */
export async function divideWords(repository: Repository, { words, paths }: Words): Promise<Divided> {
  const odd = words.find((word) => word.startsWith('-'));
  if (odd !== undefined) throw new Fault('usage', `There is no option ${odd}: -h lists those there are.`);
  if (paths) return { revisions: words, paths };
  const kinds = await Promise.all(words.map((word) => kindOf(repository, word)));
  const at = kinds.indexOf('file');
  const late = at === -1 ? undefined : words.find((_, i) => i > at && kinds[i] === 'revision');
  if (late !== undefined) throw new Fault('usage', `${late} is a revision: name it before the files, or put -- first.`);
  return { revisions: words.slice(0, at === -1 ? words.length : at), paths: at === -1 ? [] : words.slice(at) };
}

async function kindOf(repository: Repository, word: string): Promise<'revision' | 'file'> {
  const { place, worktree } = repository;
  // a bare repository has a file HEAD, which nobody means
  const there = worktree !== null && fs.existsSync(diskPath(place.cwd, pathOf(word)));
  const named = (await resolveWord(repository, word)).length > 0;
  if (there && named) throw new Fault('usage', `${word} is a revision and a file: put -- before files.`);
  if (!there && !named)
    throw new Fault('usage', `${word} is neither a revision nor a file: put -- before a file that is gone.`);
  return named ? 'revision' : 'file';
}

/** The objects a revision or range names, those to leave out with a ^; none where it names nothing. */
export async function resolveWord({ place }: Pick<Repository, 'place'>, word: string): Promise<string[]> {
  const { out } = await askGit(place, ['rev-parse', '--revs-only', word, '--']);
  return out
    .toString('latin1')
    .split('\n')
    .filter((line) => /^\^?[0-9a-f]{40,64}$/.test(line));
}
