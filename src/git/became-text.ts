import type { LineRange } from '../lines/range.ts';
import { isBinary, type Lines, splitBytes } from '../lines/text.ts';
import { type ObjectReader, withObjects } from './objects.ts';
import type { Block, Changed, Changes } from './patch.ts';
import type { GitPlace } from './run.ts';

/** Git itself takes what is much larger for binary. */
const MAX_BYTES = 1 << 26;

/**
 * Git shows no lines where either side is binary. A file that was binary and is text now brings all its lines: nobody has counted them before, and
 * one NUL that comes and goes would hide a whole file.
 */
export async function withTextAgain<T>(
  place: GitPlace,
  diffs: readonly Changes<T>[],
  blockOf: (lines: Lines) => T,
): Promise<readonly Changes<T>[]> {
  const hidden = diffs.flatMap(({ files }) => files.filter(mayBeText));
  if (hidden.length === 0) return diffs;
  const [after, before] = await withObjects(place, async (reader) => {
    const texts = await readTexts(reader, hidden.map(newBlobOf));
    const text = hidden.filter(({ newBlob }) => texts.has(newBlob));
    return [texts, new Set((await readTexts(reader, text.map(oldBlobOf))).keys())] as const;
  });
  const show = (file: Changed<T>, merge: boolean): Changed<T> => {
    const lines = mayBeText(file) ? after.get(file.newBlob) : undefined;
    // a merge's are binary in some parent; else, both being text, the person's own attributes say that nothing is shown
    if (!lines || (!merge && before.has(file.oldBlob ?? ''))) return file;
    return { ...file, binary: false, added: lines.length > 0 ? [blockOf(lines)] : [] };
  };
  return diffs.map((diff) => ({ ...diff, files: diff.files.map((file) => show(file, diff.parents.length > 1)) }));
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

export const asBlock = (lines: Lines): Block => ({ start: 1, lines });
export const asPlace = ({ length }: Lines): LineRange => ({ start: 1, end: length });

interface BothSides {
  readonly oldBlob: string;
  readonly newBlob: string;
}
const oldBlobOf = ({ oldBlob }: BothSides) => oldBlob;
const newBlobOf = ({ newBlob }: BothSides) => newBlob;

function mayBeText<T>(file: Changed<T>): file is Changed<T> & BothSides {
  return file.binary && file.oldBlob !== null && file.newBlob !== null;
}
