import { hash } from 'node:crypto';

/*
 * A part of the index that never changes once it is written; all numbers big-endian:
 *
 *     header   magic (8), earliest time (a double), then 4 bytes each: bytes of an id, notes, entries of each table
 *     notes    id of the commit, time of the earliest record (a double): ascending
 *     tables   key, 4 bytes of the note's place in the list above: ascending
 *     sum      SHA-256 of all that
 */
export const MAGIC = Buffer.from('agntidx1', 'latin1');
/** Bytes of a key; the order of the tables. */
export const WIDTHS = { lines: 6, patches: 8, changes: 8 } as const;
export const KINDS = ['lines', 'patches', 'changes'] as const satisfies readonly (keyof typeof WIDTHS)[];
export const HEADER = 16 + 4 * (2 + KINDS.length);
export const SUM = 32;
export const DOUBLE = 8;
export const NUMBER = 4;

/** A closing brace is in every note, and tells nothing: one more than this is kept, which says that there are more. */
export const MAX_FOUND = 64;

export type Kind = keyof typeof WIDTHS;

export interface Found {
  /** Places of notes, ascending. */
  readonly notes: readonly number[];
  /** More than `MAX_FOUND` have the key: these are some of them. */
  readonly many: boolean;
}

export interface Segment {
  readonly bytes: Buffer;
  readonly idBytes: number;
  readonly notes: number;
  /** Time of the earliest record; infinite when there is none. */
  readonly since: number;
  /** Entries, one after the other. */
  readonly tables: Readonly<Record<Kind, Buffer>>;
  commitAt(note: number): string;
  timeAt(note: number): number;
  /** The key's bytes are those from `at` on. */
  find(kind: Kind, key: Buffer, at?: number): Found;
}

/** Undefined: cut off, altered, or never one of ours. */
export function decodeSegment(bytes: Buffer): Segment | undefined {
  if (bytes.length < HEADER + SUM || MAGIC.compare(bytes, 0, MAGIC.length) !== 0) return undefined;
  const idBytes = bytes.readUInt32BE(16);
  const notes = bytes.readUInt32BE(20);
  const stride = idBytes + DOUBLE;
  const tables = { lines: bytes, patches: bytes, changes: bytes };
  let end = HEADER + notes * stride;
  for (const [i, kind] of KINDS.entries()) {
    const start = end;
    end += bytes.readUInt32BE(24 + 4 * i) * (WIDTHS[kind] + NUMBER);
    tables[kind] = bytes.subarray(start, end);
  }
  if (end + SUM !== bytes.length || !sumOf(bytes.subarray(0, end)).equals(bytes.subarray(end))) return undefined;
  let hex: string | undefined;
  return {
    bytes,
    idBytes,
    notes,
    since: bytes.readDoubleBE(8),
    tables,
    commitAt(note) {
      // slices of one long string: ten times as fast as decoding each id by itself
      hex ??= bytes.toString('hex', HEADER, HEADER + notes * stride);
      return hex.slice(2 * note * stride, 2 * (note * stride + idBytes));
    },
    timeAt: (note) => bytes.readDoubleBE(HEADER + note * stride + idBytes),
    find: (kind, key, at = 0) => findEntries(tables[kind], WIDTHS[kind], key, at),
  };
}

export function sumOf(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}

const NONE: Found = { notes: [], many: false };

function findEntries(entries: Buffer, width: number, key: Buffer, keyAt: number): Found {
  const stride = width + NUMBER;
  const first = lowerBound(entries, width, key, keyAt) * stride;
  let end = first;
  while (end < entries.length && compareBytes(entries, end, key, keyAt, width) === 0) end += stride;
  const count = (end - first) / stride;
  if (count === 0) return NONE;
  // of its final length: an array that grows takes far more memory, and mostly there is one note
  const notes = new Array<number>(Math.min(count, MAX_FOUND));
  for (let i = 0; i < notes.length; i++) notes[i] = entries.readUInt32BE(first + i * stride + width);
  return { notes, many: count > MAX_FOUND };
}

/**
 * Number of entries whose key comes before this one. Keys are hashes, so that a key's value tells about where it is, and the value found
 * there tells it better: three looks are nearly always enough, and touch few pages of a large table.
 */
function lowerBound(entries: Buffer, width: number, key: Buffer, keyAt: number): number {
  const stride = width + NUMBER;
  const count = entries.length / stride;
  const wanted = key.readUInt32BE(keyAt);
  let at = 0;
  let value = 0;
  for (let look = 0; look < 3 && count > 0; look++) {
    at += Math.floor(((wanted - value) / 2 ** 32) * count);
    at = Math.max(0, Math.min(at, count - 1));
    value = entries.readUInt32BE(at * stride);
  }
  let low = at;
  for (let far = 2; low > 0 && compareBytes(entries, low * stride, key, keyAt, width) >= 0; far *= 2) low -= far;
  let high = at;
  for (let far = 2; high < count && compareBytes(entries, high * stride, key, keyAt, width) < 0; far *= 2) high += far;
  low = Math.max(low, 0);
  high = Math.min(high, count);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(entries, middle * stride, key, keyAt, width) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function compareBytes(a: Buffer, aAt: number, b: Buffer, bAt: number, width: number): number {
  for (let i = 0; i < width; i++) {
    const difference = (a[aAt + i] ?? 0) - (b[bAt + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
