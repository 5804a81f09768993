import type { FileDiff } from '../git/diff.ts';
import { hashBlob } from '../git/objects.ts';
import type { ObjectFormat } from '../git/repository.ts';
import { listTree, readHeadFiles } from '../git/trees.ts';
import { isDistinct, type Lines } from '../lines/text.ts';
import type { Joining } from './joining.ts';
import { begunAs } from './moved.ts';
import type { FileHistory } from './view.ts';

/** A new file that began as a copy of a committed one: what it has of that is the parent's. */
export interface Copy {
  readonly path: string;
  readonly blob: string;
  readonly history: FileHistory;
}

/** So many lines that say much: a file of fewer may have been typed once more. */
const TELLING = 3;

/** New files that no agent began, and that began, byte for byte, as what the parent has in one other path: a person has copied that. */
export async function copiesByHand(
  joining: Joining,
  files: readonly FileDiff[],
  histories: ReadonlyMap<string, FileHistory>,
): Promise<Map<string, Copy>> {
  const { world, parent, plain } = joining;
  if (!parent || !plain) return new Map();
  const made = files.flatMap((file) => copyStart(file, histories.get(file.path), joining) ?? []);
  if (made.length === 0) return new Map();
  const wanted = new Set(made.map(({ blob }) => blob));
  const had = (await listTree(world.repository.place, parent.id)).filter(({ blob }) => wanted.has(blob));
  return new Map(
    made.flatMap(({ path, blob, history }): [string, Copy][] => {
      const [from, other] = had.filter((one) => one.blob === blob);
      return from && !other ? [[path, { ...from, history }]] : [];
    }),
  );
}

/** What such a file began with, and what became of that. What agents did to it elsewhere counts for nothing, where it is what was committed. */
function copyStart(
  { path, oldBlob, oldPath, newBlob, added }: FileDiff,
  history: FileHistory | undefined,
  { texts, world }: Joining,
): Copy | undefined {
  if (oldBlob !== null || newBlob === null || oldPath || !history || history.untold.length > 0) return undefined;
  const first = history.edits.find((edit) => edit.elsewhere === undefined);
  if (!first) {
    const says = added.reduce((sum, { lines }) => sum + lines.filter(isDistinct).length, 0);
    const saved = texts?.get(newBlob);
    const blob = saved ? blobOf(world.repository.objectFormat, saved) : newBlob;
    return says >= TELLING ? { path, blob, history: { edits: [], untold: [] } } : undefined;
  }
  const begun = begunAs(first);
  const blob = begun && (begun.blob ?? blobOf(world.repository.objectFormat, begun.lines));
  const isCopy = begun && first.movedFrom === undefined && begun.lines.filter(isDistinct).length >= TELLING;
  return blob && isCopy
    ? { path, blob, history: { ...history, edits: history.edits.filter((edit) => !edit.elsewhere) } }
    : undefined;
}

/** What git would call the text, with the line ends that nearly all have. */
function blobOf(format: ObjectFormat, lines: Lines): string {
  return hashBlob(format, Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1'));
}

/** New files that began as what the parent has in another path: an agent's command copied or moved that, or a person what agents had edited. */
export async function copiesOf(
  { world, parent }: Joining,
  files: readonly FileDiff[],
  histories: ReadonlyMap<string, FileHistory>,
): Promise<Map<string, Copy>> {
  const made = files.flatMap(({ path, oldBlob, oldPath }) => {
    const history = histories.get(path);
    const [first] = history?.edits ?? [];
    const from = first?.elsewhere ?? first?.movedFrom;
    return oldBlob === null && !oldPath && history && from !== undefined ? [{ path, history, from }] : [];
  });
  if (made.length === 0 || !parent) return new Map();
  const had = await readHeadFiles(world.repository.place, parent.id, [...new Set(made.map(({ from }) => from))]);
  return new Map(
    made.flatMap(({ path, history, from }): [string, Copy][] => {
      const blob = had.get(from)?.blob;
      return blob ? [[path, { path: from, blob, history }]] : [];
    }),
  );
}
