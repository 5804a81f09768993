import type { FileDiff } from '../git/diff.ts';
import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import { isInformative, type Lines, splitBytes } from '../lines/text.ts';
import { baseTime, type Joining, timeOf } from './joining.ts';
import type { FileHistory } from './view.ts';

/** So much of a new file must be what an agent left in another path. */
const SHARE = 0.6;
const MAX_BYTES = 4 << 20;

/**
 * New files that no agent edited under their name: a person may have renamed or copied what an agent wrote and nobody had committed yet.
 * Their history is then that of the other path.
 */
export async function movedByHand(
  { view, one, world, parent, commit }: Joining,
  files: readonly FileDiff[],
  histories: ReadonlyMap<string, FileHistory>,
): Promise<Map<string, FileHistory>> {
  const found = new Map<string, FileHistory>();
  const made = files.filter(({ path, oldBlob, oldPath }) => {
    const history = histories.get(path);
    return oldBlob === null && !oldPath && history?.edits.length === 0 && history.untold.length === 0;
  });
  if (made.length === 0) return found;
  const texts = view.lastTexts(one.worktree, { from: baseTime(parent), to: timeOf({ one, commit }) });
  if (texts.size === 0) return found;
  const others = [...texts].map(([path, { id, bytes }]) => ({ path, id, lines: bytes ? splitBytes(bytes) : [] }));
  const blobs = made.flatMap(({ newBlob }) => newBlob ?? []);
  const objects = await readObjects(world.repository.place, blobs, { maxBytes: MAX_BYTES });
  for (const { path, newBlob } of made) {
    const bytes = objects.get(newBlob ?? '')?.bytes;
    const source = others.find(({ id }) => id === newBlob) ?? (bytes && nearest(splitBytes(bytes), others));
    if (!source) continue;
    const { edits, untold } = view.history(source.path, one.worktree);
    found.set(path, { edits: edits.map((edit) => ({ elsewhere: source.path, ...edit })), untold });
  }
  return found;
}

function nearest<T extends { readonly lines: Lines }>(text: Lines, others: readonly T[]): T | undefined {
  const telling = text.filter(isInformative);
  if (telling.length < 2) return undefined;
  const shared = ({ lines }: T) => {
    const had = new Set(lines);
    return telling.filter((line) => had.has(line)).length / telling.length;
  };
  const ranked = others.map((other) => ({ other, share: shared(other) })).sort((a, b) => b.share - a.share);
  return ranked[0] && ranked[0].share >= SHARE ? ranked[0].other : undefined;
}

/** A new file that began as a copy of a committed one: what it has of that is the parent's. */
export interface Copy {
  readonly path: string;
  readonly blob: string;
  readonly history: FileHistory;
}

/** New files whose first edit was an agent's command that copied or moved what the parent has in another path. */
export async function copiesOf(
  { world, parent }: Joining,
  files: readonly FileDiff[],
  histories: ReadonlyMap<string, FileHistory>,
): Promise<Map<string, Copy>> {
  const made = files.flatMap(({ path, oldBlob, oldPath }) => {
    const history = histories.get(path);
    const first = history?.edits.find((edit) => edit.elsewhere === undefined);
    if (oldBlob !== null || oldPath || !history || first?.movedFrom === undefined) return [];
    return [{ path, history, from: first.movedFrom, blob: first.beforeId }];
  });
  if (made.length === 0 || !parent) return new Map();
  const had = await readHeadFiles(world.repository.place, parent.id, [...new Set(made.map(({ from }) => from))]);
  return new Map(
    made.flatMap(({ path, history, from, blob }): [string, Copy][] => {
      if (!blob || had.get(from)?.blob !== blob) return [];
      const edits = history.edits.filter((edit) => edit.elsewhere === undefined);
      return [[path, { path: from, blob, history: { ...history, edits } }]];
    }),
  );
}
