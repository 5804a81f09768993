import { readCommits } from '../git/commits.ts';
import { diffTrees, type RawEntry } from '../git/diff.ts';
import { listTree, readHeadFiles } from '../git/trees.ts';
import type { StoredCommand } from '../sessions/commands.ts';
import type { Surroundings } from './world.ts';

/**
 * What a command wrote and put aside itself: no snapshot shows it, but the stash that it left does. Each file as it stood before the command, and as
 * it was put aside.
 */
export async function putAside(
  { repository: { place } }: Surroundings,
  commands: readonly StoredCommand[],
): Promise<ReadonlyMap<StoredCommand, readonly RawEntry[]>> {
  const left = commands.filter(({ stash, left, before }) => before && left !== undefined && left !== stash);
  const stashes = await readCommits(place, [...new Set(left.map(({ left = '' }) => left))]);
  const some = left.flatMap((command) => {
    const stash = stashes.get(command.left ?? '');
    return stash ? [{ command, stash, before: command.before ?? '' }] : [];
  });
  const differences = await diffTrees(
    place,
    some.map(({ before, stash }) => [before, stash.tree]),
  );
  const found = new Map<StoredCommand, readonly RawEntry[]>();
  for (const [i, { command, stash, before }] of some.entries()) {
    // what is in the snapshot and not in the stash, git did not know
    const changed = (differences[i] ?? []).filter(({ newBlob }) => newBlob !== null);
    // with -u, a third parent holds such files
    const [, , third] = stash.parents;
    const untracked = third === undefined ? [] : await listTree(place, third);
    const paths = untracked.map(({ path }) => path);
    const stood = paths.length > 0 ? await readHeadFiles(place, before, paths) : new Map();
    const made = untracked.flatMap(({ path, blob }) => {
      const oldBlob: string | null = stood.get(path)?.blob ?? null;
      return oldBlob === blob ? [] : [{ ...NEW_FILE, path, oldBlob, newBlob: blob }];
    });
    found.set(command, [...changed, ...made]);
  }
  return found;
}

const NEW_FILE = { status: 'A', oldMode: '000000', newMode: '100644' } as const;
