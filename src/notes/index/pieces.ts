import { mergeSegments, startGathering } from '../../anchor/gather.ts';
import { keysOf } from '../../anchor/keys.ts';
import { decodeSegment, type Segment } from '../../anchor/segment.ts';
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

/**
 * A piece of this size is left as it is: merging it with others would take the memory of both and of what they become, and write it all
 * again. A few more to look into cost less.
 */
export const FULL = 4 << 20;
/** So much is gathered before it is sorted. What is alike goes then: this is more than full even where that is half of it. */
const ENOUGH = 2 * FULL;

/** What a note of some sixty lines takes. */
const ORDINARY = 700;

/** Keeps a segment that is full where it takes no memory. Undefined: there is no such place. */
export type Keep = (segment: Segment) => Piece | undefined;

/** Takes notes as they come, so many are expected, and makes pieces of what they say. */
export function startPieces(
  idBytes: number,
  keep: Keep,
  expected = 0,
): { add(commit: string, bytes: Buffer): void; end(): readonly Piece[] } {
  const pieces: Piece[] = [];
  const gathering = startGathering(idBytes, Math.min(ENOUGH, expected * ORDINARY));
  const flush = (away: Keep) => {
    const segment = decodeSegment(gathering.encode());
    if (!segment || segment.notes === 0) return;
    const piece = away(segment) ?? copyOf(segment);
    if (piece) pieces.push(piece);
  };
  return {
    add(commit, bytes) {
      gathering.add(keysOf({ commit, records: parseNote(bytes.toString('utf8').split('\n')).records }));
      if (gathering.size() >= ENOUGH) flush(keep);
    },
    end() {
      flush(copyOf);
      return pieces;
    },
  };
}

/** What was gathered in makes room for the next. */
function copyOf({ bytes }: Segment): Piece | undefined {
  const segment = decodeSegment(Buffer.from(bytes));
  return segment && pieceOf(segment);
}

/** Merging costs what it writes: a piece waits until half of its size has come after it. */
const RATIO = 2;
/** Less than this is not worth a file. */
const LEAST = 4096;

/**
 * Merges the last ones of those that are not full, so that each is at least twice as large as all that come after it: few to look into, and every entry is
 * written again only some times. Two at a time, the small ones first: more at once would all be held beside what they become. Undefined: one that
 * was to be merged is broken.
 */
export function settle(pieces: readonly Piece[], idBytes: number): Piece[] | undefined {
  const full = pieces.filter(({ size }) => size >= FULL);
  const rest = pieces.filter(({ size }) => size < FULL);
  const after = (i: number) => rest.slice(i + 1).reduce((sum, { size }) => sum + size, 0);
  const from = rest.findIndex(({ size }, i) => size < RATIO * Math.max(after(i), LEAST));
  if (from < 0 || from === rest.length - 1) return [...full, ...rest];
  let last = rest.at(-1);
  for (let i = rest.length - 2; i >= from; i--) {
    const merged = last ? merge(rest[i], last, idBytes) : rest[i];
    if (!merged) return undefined;
    last = merged.size < FULL ? merged : undefined;
    if (!last) full.push(merged);
  }
  return [...full, ...rest.slice(0, from), ...(last ? [last] : [])];
}

function merge(larger: Piece | undefined, smaller: Piece, idBytes: number): Piece | undefined {
  const [a, b] = [larger?.load(), smaller.load()];
  const merged = a && b && decodeSegment(mergeSegments([a, b], idBytes));
  return merged && pieceOf(merged);
}
