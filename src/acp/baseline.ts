import fs from 'node:fs';
import path from 'node:path';
import { diffTrees } from '../git/diff.ts';
import type { RawEntry } from '../git/raw.ts';
import { treeWith } from '../git/snapshot.ts';
import { type AcpCall, commandOf } from './call.ts';
import { LATE, type Place, type Snapshot, snapshotBefore, startOf, takeSnapshot } from './place.ts';

/** What stood there when a command began. */
export interface Baseline {
  readonly before: Snapshot;
  /** Something was saved so shortly before that it may be either's. */
  readonly doubtful: boolean;
}

/** A file system's clock goes in steps, in milliseconds. */
const TICK = 20;
/** A command before which more was changed is not looked at file by file. */
const MAX_FILES = 5000;

/**
 * The agent does not wait for us: a snapshot that is taken when its command begins may show what the command did. So the last one before
 * is taken, with those files as they stand now that were changed since, but not since the command began: they are somebody else's.
 */
export async function takeBaseline(place: Place, call: AcpCall, now: () => number): Promise<Baseline | undefined> {
  const before = snapshotBefore(place, call);
  const taken = await takeSnapshot(place, now);
  if (!before || !taken || before.tree === taken.tree) return before && { before, doubtful: false };
  const [entries = []] = await diffTrees(place.repository.place, [[before.tree, taken.tree]]);
  const start = startOf(call);
  const foreign = entries.length > MAX_FILES ? [] : changedBefore(place, entries, call);
  if (foreign.length === 0) return { before, doubtful: false };
  const tree = await treeWith(
    place.repository,
    before.tree,
    foreign.map(({ entry }) => entry),
  );
  return tree === undefined
    ? undefined
    : { before: { ...before, tree }, doubtful: foreign.some((one) => one.at >= start - LATE && !one.seen) };
}

/**
 * Some agents tell of a command when it runs already: what it names, and was changed just before we heard of it, it has written. What a
 * call before it was seen to leave is no riddle.
 */
function changedBefore({ repository, seen }: Place, entries: readonly RawEntry[], call: AcpCall) {
  const command = commandOf(call);
  return entries.flatMap((entry) => {
    const file = path.join(repository.worktree ?? '', entry.path);
    const at = changeTime(file);
    const until = startOf(call) - (command.includes(path.basename(entry.path)) ? LATE : TICK);
    if (at === undefined || at >= until) return [];
    const last = seen.get(file)?.at;
    // the clock of messages has whole milliseconds
    return [{ entry, at, seen: last !== undefined && last >= Math.floor(at) && last <= startOf(call) }];
  });
}

/** When the file was last changed; undefined: it is not there. No program can set this time, as it can that of the contents. */
export function changeTime(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.ctimeMs;
}
