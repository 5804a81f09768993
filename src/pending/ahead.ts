import { readWithParents } from '../git/commits.ts';
import { type FileDiff, readDiffs } from '../git/diff.ts';
import { withObjects } from '../git/objects.ts';
import { hashLines } from '../lines/hash.ts';
import { type NotesRead, readNotesWith } from '../notes/read.ts';
import { TRACE_REF } from '../notes/refs.ts';
import { glimpseCommits } from '../sessions/journal.ts';
import { readState } from '../sessions/state.ts';
import type { ReadCommits } from './join.ts';
import type { Surroundings } from './world.ts';

/** Commits that are being read before it is known that they are due. */
export interface Ahead {
  readonly ids: readonly string[];
  /** They themselves, and the notes they have. */
  readonly known: Promise<Pick<ReadCommits, 'commits' | 'parents'> & Pick<NotesRead, 'notes'>>;
  /** With what they change. */
  readonly read: Promise<ReadCommits>;
}

/** So few: what turns out not to be due was read for nothing. */
const FEW = 20;

/** The commits that hooks have told of: mostly they are all that is due, and git shows what they change while the rest is looked up. */
export function readAnnounced(world: Surroundings): Ahead | undefined {
  return readAhead(world, glimpseCommits(world.store, readState(world.store)));
}

/** Undefined: they are too many. */
export function readAhead({ repository: { place } }: Surroundings, commits: readonly string[]): Ahead | undefined {
  const ids = [...new Set(commits)];
  if (ids.length === 0 || ids.length > FEW) return undefined;
  const diffs = readDiffs(place, ids, hashAhead);
  const known = withObjects(place, async (reader) => ({
    ...(await readWithParents(reader, ids)),
    notes: (await readNotesWith(reader, [TRACE_REF], ids)).notes,
  }));
  const read = Promise.all([known, diffs]).then(([{ commits: found, parents }, shown]) => {
    return { commits: found, parents, diffs: shown };
  });
  // told to whoever waits for them
  for (const one of [known, read]) one.catch(() => {});
  return { ids, known, read };
}

/** A new file is mostly of one hand, and its lines are hashed together: there is time for it while git reads the next one. */
export function hashAhead({ oldBlob, added }: FileDiff): void {
  if (oldBlob === null) for (const { lines } of added) hashLines(lines);
}

/** What is being read, if it is just that. */
export function findRead(ahead: Ahead | undefined, commits: readonly string[]): Ahead | undefined {
  const wanted = new Set(commits);
  return ahead?.ids.length === wanted.size && ahead.ids.every((id) => wanted.has(id)) ? ahead : undefined;
}
