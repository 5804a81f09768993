import fs from 'node:fs';
import path from 'node:path';
import { readCommits } from '../git/commits.ts';
import { diffTrees } from '../git/diff.ts';
import { type ReflogEntry, readReflog } from '../git/history.ts';
import { readCommitTimes } from '../sessions/journal.ts';
import type { Surroundings } from './world.ts';

/** Enough of a reflog for the commits that are still due. */
const REFLOG_TAIL = 512 * 1024;

/** What HEAD of a work tree went through, oldest first. */
export function readHeadLog({ repository }: Surroundings, worktree: string): ReflogEntry[] {
  const folder = worktree === '' ? repository.commonDir : path.join(repository.commonDir, 'worktrees', worktree);
  return readReflog(readEnd(path.join(folder, 'logs', 'HEAD')));
}

/** Git took the work tree from one commit to another by itself. */
export interface HeadMove {
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

/** A commit leaves the work tree alone, and so may a reset; jj tells of its own moves better than the reflog does; everything else that moves HEAD brings the work tree along. */
const LEAVES_ALONE = /^(commit|reset|branch|Branch|export from jj)/;
const MAX_MOVES = 50;

/** Git's clock knows seconds; hooks know when a commit was made, and order tells the rest. */
export function headMoves(world: Surroundings, worktree: string, between: { from: number; to: number }): HeadMove[] {
  const times = readCommitTimes(world.store);
  const moves: HeadMove[] = [];
  let last = 0;
  for (const entry of readHeadLog(world, worktree)) {
    const commit = entry.action.startsWith('commit') ? times.get(entry.new) : undefined;
    last = commit ?? Math.max(entry.time * 1000, last + 1);
    if (entry.old === entry.new || LEAVES_ALONE.test(entry.action)) continue;
    if (last > between.from && last <= between.to) moves.push({ at: last, from: entry.old, to: entry.new });
  }
  return moves.slice(-MAX_MOVES);
}

/** A file's content that a move put there, by its id; null: the file went. */
export interface PlacedText {
  readonly at: number;
  readonly blob: string | null;
}

/** Where the two commits have different contents of a file, git has put the second there: it refuses to lose what is not committed. */
export async function placedTexts(
  world: Surroundings,
  moves: readonly HeadMove[],
  paths: ReadonlySet<string>,
): Promise<Map<string, PlacedText[]>> {
  const placed = new Map<string, PlacedText[]>();
  if (moves.length === 0) return placed;
  const commits = await readCommits(world.repository.place, [...new Set(moves.flatMap(({ from, to }) => [from, to]))]);
  const known = moves.flatMap(({ at, from, to }) => {
    const [before, after] = [commits.get(from)?.tree, commits.get(to)?.tree];
    return before && after ? [{ at, pair: [before, after] as const }] : [];
  });
  const differences = await diffTrees(
    world.repository.place,
    known.map(({ pair }) => pair),
  );
  for (const [i, { at }] of known.entries()) {
    for (const { path: file, newBlob } of differences[i] ?? []) {
      if (paths.has(file)) placed.set(file, [...(placed.get(file) ?? []), { at, blob: newBlob }]);
    }
  }
  return placed;
}

function readEnd(file: string): string {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size;
  if (!size) return '';
  const handle = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.min(size, REFLOG_TAIL));
    fs.readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    fs.closeSync(handle);
  }
}
