import { keysOf } from '../../anchor/keys.ts';
import { decodeSegment, encodeSegment, mergeSegments, type Segment } from '../../anchor/segment.ts';
import { parseNote } from '../../trace/parse.ts';
import type { NoteBytes } from './blobs.ts';

/** A segment, read only when something is looked up in it. */
export interface Piece {
  readonly size: number;
  readonly notes: number;
  /** Time of the earliest record. */
  readonly since: number;
  /** Undefined: it is broken, or was taken away. */
  load(): Segment | undefined;
  /** Where it is on disk already. */
  readonly saved?: { readonly file: string; readonly modified: number };
}

export function pieceOf(segment: Segment): Piece {
  return { size: segment.bytes.length, notes: segment.notes, since: segment.since, load: () => segment };
}

/** What these notes say, or undefined where they say nothing of ours. */
export function indexNotes(notes: readonly NoteBytes[], idBytes: number): Piece | undefined {
  const keys = notes.map(({ commit, bytes }) =>
    keysOf({ commit, records: parseNote(bytes.toString('utf8').split('\n')).records }),
  );
  const segment = decodeSegment(encodeSegment(keys, idBytes));
  return segment && segment.notes > 0 ? pieceOf(segment) : undefined;
}

/** Merging costs what it writes: a piece waits until as much as this part of it has come after it. */
const RATIO = 4;
/** Less than this is not worth a file. */
const LEAST = 4096;

/**
 * Merges the last ones, so that each piece is four times as large as all that come after it: few to look into, and every entry is written
 * again only some times. Undefined: one that was to be merged is broken.
 */
export function settle(pieces: readonly Piece[], idBytes: number): Piece[] | undefined {
  let from = pieces.length - 1;
  let size = pieces[from]?.size ?? 0;
  for (
    let before = pieces[from - 1];
    before && before.size < RATIO * Math.max(size, LEAST);
    before = pieces[from - 1]
  ) {
    size += before.size;
    from--;
  }
  if (from >= pieces.length - 1) return [...pieces];
  const segments = pieces.slice(from).map((piece) => piece.load());
  const loaded = segments.filter((segment) => segment !== undefined);
  const merged = loaded.length === segments.length ? decodeSegment(mergeSegments(loaded, idBytes)) : undefined;
  return merged && [...pieces.slice(0, from), pieceOf(merged)];
}
