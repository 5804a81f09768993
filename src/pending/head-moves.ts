import path from 'node:path';
import { readCommits } from '../git/commits.ts';
import { diffTrees } from '../git/diff.ts';
import { type ReflogEntry, readReflog } from '../git/history.ts';
import { findTableLog } from '../git/table-log.ts';
import { readFrom, sizeOf, whileSame } from '../sessions/disk.ts';
import { listGoneTrees } from '../sessions/gone-trees.ts';
import { readCommitTimes } from '../sessions/journal.ts';
import { readRewrites } from '../sessions/rewrites.ts';
import type { Surroundings } from './world.ts';

/** Enough of a reflog for the commits that are still due. */
const REFLOG_TAIL = 512 * 1024;

/** What HEAD of a work tree went through, oldest first; and before it that of work trees which had the name and are gone. */
export function readHeadLog(world: Surroundings, worktree: string): readonly ReflogEntry[] {
  const folder = headFolder(world, worktree);
  // looked up anew: it may go while we work
  const gone = listGoneTrees(world.store, worktree).map(({ kept }) => path.join(kept, 'HEAD'));
  const live = findTableLog(folder) ?? readLog(path.join(folder, 'logs', 'HEAD'));
  return gone.length === 0 ? live : [...gone.flatMap(readLog), ...live];
}

const readLog = whileSame((file): readonly ReflogEntry[] =>
  readReflog(readFrom(file, Math.max(0, sizeOf(file) - REFLOG_TAIL))),
);

/** Where git keeps HEAD of a work tree, and what belongs to it. */
export function headFolder({ repository }: Surroundings, worktree: string): string {
  return worktree === '' ? repository.commonDir : path.join(repository.commonDir, 'worktrees', worktree);
}

/** Git took the work tree from one commit to another by itself. */
export interface HeadMove {
  readonly at: number;
  readonly from: string;
  readonly to: string;
  /** It may have thrown away what was not committed (`reset --hard`, `switch -f`), or not: the reflog does not tell. */
  readonly drops: boolean;
  /** When the second commit was made, where a hook saw it. */
  readonly born?: number;
}

/** A commit leaves the work tree alone, and so does `git history fixup`, and so may a reset; jj tells of its own moves better than the reflog does; everything else that moves HEAD brings the work tree along. */
const LEAVES_ALONE = /^(commit|reset|branch|Branch|export from jj|fixup$)/;
const MAY_DROP = /^(reset|checkout)/;
const MAX_MOVES = 50;

/** Until a commit was made. */
export interface Until {
  readonly from: number;
  readonly to: number;
  readonly commit: string;
}

/** Git's clock knows seconds; hooks know when a commit was made, and order tells the rest. */
export function headMoves(world: Surroundings, worktree: string, between: Until): HeadMove[] {
  const times = readCommitTimes(world.store);
  const madeAt = (entry: ReflogEntry | undefined) =>
    entry?.action.startsWith('commit') ? times.get(entry.new) : undefined;
  const moves: HeadMove[] = [];
  let last = 0;
  const entries = readHeadLog(world, worktree);
  for (const [i, entry] of entries.entries()) {
    last = madeAt(entry) ?? Math.max(entry.time * 1000, last + 1);
    const { old: from, new: to, action } = entry;
    // it stood there: what came later is none of its making, though git's clock may tell the same second
    if (from === between.commit) break;
    // somebody went on: what they had resolved stood there before
    if (to === between.commit && action.endsWith(' (continue)')) break;
    if (from !== to && !LEAVES_ALONE.test(action) && last > between.from && last <= between.to)
      // what was resolved before `rebase --continue` came before it, if only by less than a second
      moves.push({ at: to === between.commit ? between.to : last, from, to, drops: false });
    if (!MAY_DROP.test(action) || last > between.to) continue;
    // what it threw away came before it: so it is as late as it can have been
    const at = Math.min(last + 999, (madeAt(entries[i + 1]) ?? Infinity) - 1, between.to);
    const born = times.get(to) ?? rebasedAt(world, to);
    if (at > between.from) moves.push({ at, from, to, drops: true, ...(born !== undefined && { born }) });
  }
  return moves.slice(-MAX_MOVES);
}

/** Of the picks of a rebase hooks tell at its end. */
function rebasedAt({ store }: Surroundings, commit: string): number | undefined {
  return readRewrites(store).findLast((rewrite) => rewrite.new === commit)?.at;
}

/** A file's content that a move put there, by its id; null: the file went. */
export interface PlacedText {
  readonly at: number;
  readonly blob: string | null;
  /** What the commit before had in the file: the rest was not committed, and git does not lose that. */
  readonly over?: string | null;
  /** Only if what was not committed is gone. */
  readonly drops?: boolean;
  /** When this content was committed, where that is known: what was written before was lost by other hands. */
  readonly born?: number;
}

/** The files in question, and the tree that a commit begins with. */
export interface BaseFiles {
  readonly tree: string;
  readonly blobs: ReadonlyMap<string, string | null>;
}

/** Where the two commits have different contents of a file, git has put the second there: it refuses to lose what is not committed. */
export async function placedTexts(
  world: Surroundings,
  moves: readonly HeadMove[],
  base: BaseFiles,
): Promise<Map<string, PlacedText[]>> {
  const placed = new Map<string, PlacedText[]>();
  if (moves.length === 0) return placed;
  const commits = await readCommits(world.repository.place, [...new Set(moves.flatMap(({ from, to }) => [from, to]))]);
  const known = moves.flatMap(({ from, to, ...rest }) => {
    const [before, after] = [rest.drops ? base.tree : commits.get(from)?.tree, commits.get(to)?.tree];
    return before && after ? [{ ...rest, pair: [before, after] as const }] : [];
  });
  const differences = await diffTrees(
    world.repository.place,
    known.map(({ pair }) => pair),
  );
  for (const [i, { at, drops, born }] of known.entries()) {
    const changed = new Map(differences[i]?.map((entry) => [entry.path, entry]));
    for (const [file, had] of base.blobs) {
      const entry = changed.get(file);
      if (!entry && !drops) continue;
      const more = drops ? { drops, ...(born !== undefined && { born }) } : entry && { over: entry.oldBlob };
      placed.set(file, [...(placed.get(file) ?? []), { at, blob: entry ? entry.newBlob : had, ...more }]);
    }
  }
  return placed;
}
