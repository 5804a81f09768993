import { HASH_LENGTH, keysOf, type NoteKeys } from '../../anchor/keys.ts';
import { decodeSegment, encodeSegment, mergeSegments, type Segment } from '../../anchor/segment.ts';
import { parseNote } from '../../trace/parse.ts';

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

/** So many keys are sorted at a time. */
const MAX_KEYS = 500_000;

/** Takes notes as they come, and makes pieces of what they say. */
export function startPieces(idBytes: number): { add(commit: string, bytes: Buffer): void; end(): readonly Piece[] } {
  let pieces: readonly Piece[] = [];
  let notes: NoteKeys[] = [];
  let keys = 0;
  const flush = () => {
    const segment = decodeSegment(encodeSegment(notes, idBytes));
    if (segment && segment.notes > 0) pieces = settle([...pieces, pieceOf(segment)], idBytes) ?? pieces;
    notes = [];
    keys = 0;
  };
  return {
    add(commit, bytes) {
      const note = keysOf({ commit, records: parseNote(bytes.toString('utf8').split('\n')).records });
      notes.push(note);
      keys += note.hashes.length / HASH_LENGTH + note.patches.length + note.changes.length;
      if (keys > MAX_KEYS) flush();
    },
    end() {
      flush();
      return pieces;
    },
  };
}

/** Merging costs what it writes: a piece waits until half of its size has come after it. */
const RATIO = 2;
/** Less than this is not worth a file. */
const LEAST = 4096;

/**
 * Merges the last ones, so that each piece is at least twice as large as all that come after it: few to look into, and every entry is written
 * again only some times. Two at a time, the small ones first: more at once would all be held beside what they become. Undefined: one that
 * was to be merged is broken.
 */
export function settle(pieces: readonly Piece[], idBytes: number): Piece[] | undefined {
  const after = (i: number) => pieces.slice(i + 1).reduce((sum, { size }) => sum + size, 0);
  const from = pieces.findIndex(({ size }, i) => size < RATIO * Math.max(after(i), LEAST));
  if (from < 0 || from === pieces.length - 1) return [...pieces];
  let last = pieces.at(-1);
  for (let i = pieces.length - 2; last && i >= from; i--) last = merge(pieces[i], last, idBytes);
  return last && [...pieces.slice(0, from), last];
}

function merge(larger: Piece | undefined, smaller: Piece, idBytes: number): Piece | undefined {
  const [a, b] = [larger?.load(), smaller.load()];
  const merged = a && b && decodeSegment(mergeSegments([a, b], idBytes));
  return merged && pieceOf(merged);
}
