import { type CommitDiff, readDiffs } from '../git/diff.ts';
import type { ParentLine } from '../join/file.ts';
import { type Block, findMoves } from '../join/moves.ts';
import type { Origin } from '../lines/origin.ts';
import { sameLines } from '../lines/text.ts';
import type { Joining } from './joining.ts';
import { originsThere, type PlacesBefore } from './parents.ts';

/** A message may name as many as it likes. */
const MAX_REVERTED = 20;

/** A revert brings lines back that another commit took away: they have the origins that they had before it. */
export async function revertedOrigins(
  joining: Pick<Joining, 'world' | 'diff' | 'unwritten'>,
  reverted: readonly string[],
): Promise<(path: string, line: number) => Origin | undefined> {
  const ids = reverted.slice(0, MAX_REVERTED);
  const diffs = ids.length > 0 ? await readDiffs(joining.world.repository.place, ids) : new Map<string, CommitDiff>();
  return originsThere([...diffs.values()].map((diff) => [{ ...joining, diff }, placesBefore(joining.diff, diff)]));
}

/** For the lines that a revert adds, by path: where they stood before the commit that took them away. */
function placesBefore(revert: CommitDiff, reverted: CommitDiff): PlacesBefore {
  const removed = reverted.files.map(({ path, oldPath, removed: lines }) => ({
    path,
    ...(oldPath !== undefined && { oldPath }),
    added: [],
    removed: lines,
  }));
  const moves = findMoves([...revert.files.map(({ path, added }) => ({ path, added, removed: [] })), ...removed]);
  const known = [...moves].map(([path, lines]): [string, Map<number, ParentLine>] => [
    path,
    new Map([...lines].map(([line, { movedFrom }]) => [line, movedFrom])),
  ]);
  const undone = revert.files.flatMap(({ path, added }) => {
    const from = reverted.files.find((file) => (file.oldPath ?? file.path) === path);
    return from && isUndone(added, from.removed) ? [[path, inOrder(path, added, from.removed)] as const] : [];
  });
  return new Map([...known, ...undone]);
}

/** All that went from a file comes back to it, block by block: then no line has to say anything. */
function isUndone(added: readonly Block[], removed: readonly Block[]): boolean {
  return added.length === removed.length && added.every(({ lines }, i) => sameLines(lines, removed[i]?.lines ?? []));
}

function inOrder(path: string, added: readonly Block[], removed: readonly Block[]): Map<number, ParentLine> {
  return new Map(
    added.flatMap(({ start, lines }, i) =>
      lines.map((_, k): [number, ParentLine] => [start + k, { path, line: (removed[i]?.start ?? 0) + k }]),
    ),
  );
}
