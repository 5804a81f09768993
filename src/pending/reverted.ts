import { type CommitDiff, readDiffs } from '../git/diff.ts';
import { findMoves } from '../join/moves.ts';
import type { Origin } from '../lines/origin.ts';
import type { Joining } from './joining.ts';
import { parentOrigins } from './parents.ts';

/** A message may name as many as it likes. */
const MAX_REVERTED = 20;

/** A revert brings lines back that another commit took away: they have the origins that they had before it. */
export async function revertedOrigins(
  joining: Pick<Joining, 'world' | 'diff' | 'unwritten'>,
  reverted: readonly string[],
): Promise<(path: string, line: number) => Origin | undefined> {
  const ids = reverted.slice(0, MAX_REVERTED);
  const diffs = ids.length > 0 ? await readDiffs(joining.world.repository.place, ids) : new Map<string, CommitDiff>();
  const back = new Map<string, Origin>();
  for (const diff of diffs.values()) {
    const removed = diff.files.map(({ path, oldPath, removed: lines }) => ({
      path,
      ...(oldPath !== undefined && { oldPath }),
      added: [],
      removed: lines,
    }));
    const moves = findMoves([
      ...joining.diff.files.map(({ path, added }) => ({ path, added, removed: [] })),
      ...removed,
    ]);
    const wanted = new Map<string, Set<number>>();
    for (const { movedFrom: from } of [...moves.values()].flatMap((lines) => [...lines.values()]))
      wanted.set(from.path, (wanted.get(from.path) ?? new Set()).add(from.line));
    const originAt = await parentOrigins({ ...joining, diff }, wanted);
    for (const [path, lines] of moves) {
      for (const [line, { movedFrom: from }] of lines) {
        const origin = originAt(from.path, from.line);
        if (origin) back.set(`${line} ${path}`, origin);
      }
    }
  }
  return (path, line) => back.get(`${line} ${path}`);
}
