import { diffLines } from '../lines/diff.ts';
import { type LineRange, rangesOf } from '../lines/range.ts';
import { isBinary, type Lines, splitBytes } from '../lines/text.ts';
import { type ObjectReader, withObjects } from './objects.ts';
import type { Block, Changed, Changes } from './patch.ts';
import type { GitPlace } from './run.ts';

/** Git itself takes what is much larger for binary. */
const MAX_BYTES = 1 << 26;

/**
 * Git shows no lines where either side is binary. A file that was binary and is text now brings all its lines: nobody has counted them before, and
 * one NUL that comes and goes would hide a whole file. What a link holds nobody has counted either: a merge that makes a file of it brings
 * what stands in no parent's file; and so does one of very many parents, of which git shows no right lines.
 */
export async function withTextAgain<T>(
  place: GitPlace,
  diffs: readonly Changes<T>[],
  blockOf: (lines: Lines, start: number) => T,
): Promise<readonly Changes<T>[]> {
  const hidden = diffs.flatMap((diff) => diff.files.filter((file) => isHidden(file, isMerge(diff))));
  if (hidden.length === 0) return diffs;
  const texts = await withObjects(place, async (reader) => {
    const after = await readTexts(
      reader,
      hidden.flatMap(({ newBlob }) => newBlob ?? []),
    );
    const text = hidden.filter(({ newBlob }) => after.has(newBlob ?? ''));
    const before = await readTexts(
      reader,
      text.flatMap(({ oldBlob, fileBlobs = [] }) => [oldBlob ?? [], fileBlobs].flat()),
    );
    return { after, before };
  });
  return diffs.map((diff) => ({
    ...diff,
    files: diff.files.map((file) => {
      const ranges = isHidden(file, isMerge(diff)) ? newLines(file, isMerge(diff), texts) : undefined;
      const lines = texts.after.get(file.newBlob ?? '') ?? [];
      const added = ranges?.map(({ start, end }) => blockOf(lines.slice(start - 1, end), start));
      return added ? { ...file, binary: false, added } : file;
    }),
  }));
}

function isMerge({ parents }: Changes<unknown>): boolean {
  return parents.length > 1;
}

function isHidden({ binary, oldBlob, newBlob, fileBlobs }: Changed<unknown>, merge: boolean): boolean {
  // what a merge's first parent does not have another one may
  return newBlob !== null && (fileBlobs !== undefined || (binary && (merge || oldBlob !== null)));
}

interface Texts {
  readonly after: ReadonlyMap<string, Lines>;
  readonly before: ReadonlyMap<string, Lines>;
}

/** Undefined where what git shows counts. */
function newLines(
  { binary, oldBlob, newBlob, fileBlobs }: Changed<unknown>,
  merge: boolean,
  { after, before }: Texts,
): LineRange[] | undefined {
  const lines = after.get(newBlob ?? '');
  // a merge's are binary in some parent; else, both being text, the person's own attributes say that nothing is shown
  if (!lines || (!merge && before.has(oldBlob ?? ''))) return undefined;
  const files = binary ? [] : (fileBlobs ?? []).flatMap((blob) => [before.get(blob) ?? []]);
  const maps = files.map((older) => diffLines(older, lines));
  return rangesOf(lines.flatMap((_, i) => (maps.every((map) => (map[i] ?? -1) < 0) ? [i + 1] : [])));
}

/** One at a time: most are pictures and archives, which nobody keeps. */
async function readTexts(reader: ObjectReader, blobs: readonly string[]): Promise<ReadonlyMap<string, Lines>> {
  const texts = new Map<string, Lines>();
  for (const blob of new Set(blobs)) {
    const object = (await reader.read([blob], { maxBytes: MAX_BYTES })).get(blob);
    if (object?.type === 'blob' && !isBinary(object.bytes)) texts.set(blob, splitBytes(object.bytes));
  }
  return texts;
}

export const asBlock = (lines: Lines, start: number): Block => ({ start, lines });
export const asPlace = ({ length }: Lines, start: number): LineRange => ({ start, end: start + length - 1 });
