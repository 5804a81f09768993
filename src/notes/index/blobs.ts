import { type ObjectReader, openObjects } from '../../git/objects.ts';
import { askGit, type GitPlace, gitFault, offline, runGit } from '../../git/run.ts';
import type { NoteBlob } from './changes.ts';

/** At a time: about what fits into a pipe, so that git reads the next ones while we look at these. */
const MAX_NOTES = 64;
const MAX_BYTES = 64 << 10;
/** What nobody reads is not indexed either. */
const MAX_NOTE = 32 << 20;

export interface FreshNotes {
  /** The commit in whose tree they are. */
  readonly tip: string;
  /** Walked more than once. */
  readonly fresh: Iterable<NoteBlob>;
}

export interface NoteBytes {
  readonly commit: string;
  readonly bytes: Buffer;
}

/**
 * Reads the notes with two processes (sizes, contents) whatever their number, and hands them over one by one. Gives the number of
 * those whose contents are not in this repository (a partial clone).
 */
export async function readBlobs(
  place: GitPlace,
  { tip, fresh }: FreshNotes,
  take: (note: NoteBytes) => void,
): Promise<number> {
  const sizes = await readSizes(place, tip, fresh);
  const missing = sizes.filter((size) => Number.isNaN(size)).length;
  if (sizes.length === 0) return 0;
  const reader = openObjects(place);
  try {
    let ahead: Promise<NoteBytes[]> = Promise.resolve([]);
    for (const batch of inBatches(fresh, sizes)) {
      const notes = await ahead;
      ahead = readBatch(reader, batch);
      notes.forEach(take);
    }
    for (const note of await ahead) take(note);
  } finally {
    reader.close();
  }
  return missing;
}

async function readBatch(reader: ObjectReader, batch: readonly NoteBlob[]): Promise<NoteBytes[]> {
  const objects = await reader.read(batch.map(({ blob }) => blob));
  return batch.flatMap(({ commit, blob }) => {
    const bytes = objects.get(blob)?.bytes;
    return bytes ? [{ commit, bytes }] : [];
  });
}

function* inBatches(notes: Iterable<NoteBlob>, sizes: Float64Array): Generator<NoteBlob[]> {
  let batch: NoteBlob[] = [];
  let bytes = 0;
  let i = 0;
  for (const note of notes) {
    const size = sizes[i++] ?? Number.NaN;
    // also where it is not a number
    if (!(size <= MAX_NOTE)) continue;
    if (batch.length === MAX_NOTES || bytes + size > MAX_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(note);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** NaN for what is not here. Before 2.44, git dies at the first of those instead of saying so. */
async function readSizes(place: GitPlace, tip: string, notes: Iterable<NoteBlob>): Promise<Float64Array> {
  const ids = Array.from(notes, ({ blob }) => blob);
  if (ids.length === 0) return new Float64Array();
  const answer = await askSizes(place, ids);
  if (answer.code === 0) return parseSizes(answer.out);
  const missing = await findMissing(place, tip);
  const there = ids.filter((id) => !missing.has(id));
  const second = await askSizes(place, there);
  if (second.code !== 0) throw gitFault(['cat-file'], second);
  const known = parseSizes(second.out).values();
  return Float64Array.from(ids, (id) => (missing.has(id) ? Number.NaN : (known.next().value ?? Number.NaN)));
}

function askSizes(place: GitPlace, ids: readonly string[]): ReturnType<typeof askGit> {
  return askGit(offline(place), ['cat-file', '--batch-check=%(objectsize)'], ids.map((id) => `${id}\n`).join(''));
}

/** A size, or `ID missing`. */
function parseSizes(out: Buffer): Float64Array {
  return Float64Array.from(out.toString('latin1').trimEnd().split('\n'), Number);
}

async function findMissing(place: GitPlace, tip: string): Promise<Set<string>> {
  const args = ['rev-list', '--objects', '--no-object-names', '--missing=print', '--end-of-options', `${tip}^{tree}`];
  const lines = (await runGit(offline(place), args)).toString('latin1').split('\n');
  return new Set(lines.filter((line) => line.startsWith('?')).map((line) => line.slice(1)));
}
