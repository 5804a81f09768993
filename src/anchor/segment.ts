import { hash } from 'node:crypto';
import { Fault } from '../fault.ts';
import { changeKey, type NoteKeys } from './keys.ts';

/*
 * A part of the index that never changes once it is written; all numbers big-endian:
 *
 *     header   magic (8), earliest time (a double), then 4 bytes each: bytes of an id, notes, entries of each table
 *     notes    id of the commit, time of the earliest record (a double): ascending
 *     tables   key, 4 bytes of the note's place in the list above: ascending
 *     sum      SHA-256 of all that
 */
const MAGIC = Buffer.from('agntidx1', 'latin1');
/** Bytes of a key; the order of the tables. */
const WIDTHS = { lines: 6, patches: 8, changes: 8 } as const;
const KINDS = ['lines', 'patches', 'changes'] as const satisfies readonly (keyof typeof WIDTHS)[];
const HEADER = 16 + 4 * (2 + KINDS.length);
const SUM = 32;
const DOUBLE = 8;
const NUMBER = 4;

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

/** A commit may come more than once. Notes that cannot be found by anything are left out. */
export function encodeSegment(notes: readonly NoteKeys[], idBytes: number): Buffer {
  const telling = notes.filter(({ hashes, patches, changes }) => hashes.length + patches.length + changes.length > 0);
  const times = new Map<string, number>();
  for (const { commit, time } of telling) addTime(times, commit, time ?? 0);
  const list = listNotes(times, idBytes);
  const table = (kind: Kind, keysOf: (note: NoteKeys) => Buffer): Source[] => {
    const entries = telling.map((note) => entriesOf(keysOf(note), WIDTHS[kind], list.places.get(note.commit) ?? 0));
    return [{ entries: sortEntries(Buffer.concat(entries), WIDTHS[kind]) }];
  };
  return assemble(list, {
    lines: table('lines', ({ hashes }) => Buffer.from(hashes, 'base64url')),
    patches: table('patches', ({ patches }) => Buffer.from(patches.join(''), 'hex')),
    changes: table('changes', ({ changes }) => Buffer.concat(changes.map(changeKey))),
  });
}

function entriesOf(keys: Buffer, width: number, place: number): Buffer {
  const count = Math.floor(keys.length / width);
  const entries = Buffer.alloc(count * (width + NUMBER));
  for (let i = 0; i < count; i++) {
    for (let n = 0; n < width; n++) entries[i * (width + NUMBER) + n] = keys[i * width + n] ?? 0;
    entries.writeUInt32BE(place, i * (width + NUMBER) + width);
  }
  return entries;
}

/** By the key, then by the place that comes after it. Strings would be sorted as fast, and leave much to be cleared away. */
function sortEntries(entries: Buffer, width: number): Buffer {
  const stride = width + NUMBER;
  const order = Uint32Array.from({ length: entries.length / stride }, (_, i) => i * stride);
  order.sort((a, b) => compareBytes(entries, a, entries, b, stride));
  const sorted = Buffer.alloc(entries.length);
  let end = 0;
  // some bytes: a loop is faster than a call
  for (const at of order) for (let i = 0; i < stride; i++) sorted[end++] = entries[at + i] ?? 0;
  return sorted;
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

/** Everything that any of them says. Their order does not matter, nor does merging some of them first. */
export function mergeSegments(segments: readonly Segment[], idBytes: number): Buffer {
  if (segments.some((one) => one.idBytes !== idBytes)) throw new Fault('bug', 'segments of two kinds of repositories');
  const times = new Map<string, number>();
  const commits = segments.map((one) => Array.from({ length: one.notes }, (_, note) => one.commitAt(note)));
  for (const [i, one] of segments.entries()) {
    for (const [note, commit] of commits[i]?.entries() ?? []) addTime(times, commit, one.timeAt(note));
  }
  const list = listNotes(times, idBytes);
  const places = commits.map((ones) => Uint32Array.from(ones, (commit) => list.places.get(commit) ?? 0));
  const table = (kind: Kind) => segments.map((one, i): Source => ({ entries: one.tables[kind], places: places[i] }));
  return assemble(list, { lines: table('lines'), patches: table('patches'), changes: table('changes') });
}

function addTime(times: Map<string, number>, commit: string, time: number): void {
  times.set(commit, Math.min(times.get(commit) ?? Number.POSITIVE_INFINITY, time));
}

interface NoteList {
  readonly bytes: Buffer;
  readonly idBytes: number;
  readonly places: ReadonlyMap<string, number>;
  readonly since: number;
}

function listNotes(times: ReadonlyMap<string, number>, idBytes: number): NoteList {
  const commits = [...times.keys()].sort();
  const bytes = Buffer.alloc(commits.length * (idBytes + DOUBLE));
  let since = Number.POSITIVE_INFINITY;
  for (const [i, commit] of commits.entries()) {
    const at = i * (idBytes + DOUBLE);
    const time = times.get(commit) ?? 0;
    if (bytes.write(commit, at, idBytes, 'hex') * 2 !== commit.length) throw new Fault('bug', `${commit} is no id`);
    bytes.writeDoubleBE(time, at + idBytes);
    since = Math.min(since, time);
  }
  return { bytes, idBytes, places: new Map(commits.map((commit, i) => [commit, i])), since };
}

/** The tables are merged where they are to stand: a second copy of a large one is what would take the most memory. */
function assemble(
  { bytes, idBytes, places, since }: NoteList,
  tables: Readonly<Record<Kind, readonly Source[]>>,
): Buffer {
  const most = KINDS.flatMap((kind) => tables[kind]).reduce((sum, { entries }) => sum + entries.length, 0);
  const whole = Buffer.alloc(HEADER + bytes.length + most + SUM);
  MAGIC.copy(whole);
  whole.writeDoubleBE(since, 8);
  whole.writeUInt32BE(idBytes, 16);
  whole.writeUInt32BE(places.size, 20);
  let end = HEADER + bytes.copy(whole, HEADER);
  for (const [i, kind] of KINDS.entries()) {
    const length = mergeTables(tables[kind], WIDTHS[kind], whole.subarray(end));
    whole.writeUInt32BE(length / (WIDTHS[kind] + NUMBER), 24 + 4 * i);
    end += length;
  }
  sumOf(whole.subarray(0, end)).copy(whole, end);
  return whole.subarray(0, end + SUM);
}

function sumOf(bytes: Buffer): Buffer {
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

function compareBytes(a: Buffer, aAt: number, b: Buffer, bAt: number, width: number): number {
  for (let i = 0; i < width; i++) {
    const difference = (a[aAt + i] ?? 0) - (b[bAt + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface Source {
  readonly entries: Buffer;
  /** Where its notes are in the merged list, ascending; undefined: where they are. */
  readonly places?: Uint32Array | undefined;
}

/** Writes the sorted entries of all sources: each once, and of one key no more than are kept. Gives how many bytes that takes. */
function mergeTables(sources: readonly Source[], width: number, out: Buffer): number {
  const stride = width + NUMBER;
  let open = sources.flatMap((source) => startCursor(source, width));
  let end = 0;
  let alike = 0;
  for (let least = leastOf(open, width); least; least = leastOf(open, width)) {
    const last = end - stride;
    const same = end > 0 && compareBytes(least.entries, least.at, out, last, width) === 0;
    if (!same || (alike <= MAX_FOUND && out.readUInt32BE(last + width) !== least.place)) {
      alike = same ? alike + 1 : 1;
      for (let i = 0; i < width; i++) out[end + i] = least.entries[least.at + i] ?? 0;
      out.writeUInt32BE(least.place, end + width);
      end += stride;
    }
    if (!advance(least, width)) open = open.filter((cursor) => cursor !== least);
  }
  return end;
}

interface Cursor extends Source {
  at: number;
  /** Of the note that the entry at `at` names. */
  place: number;
}

function startCursor(source: Source, width: number): Cursor[] {
  const cursor = { ...source, at: -width - NUMBER, place: 0 };
  return advance(cursor, width) ? [cursor] : [];
}

function advance(cursor: Cursor, width: number): boolean {
  cursor.at += width + NUMBER;
  if (cursor.at >= cursor.entries.length) return false;
  const note = cursor.entries.readUInt32BE(cursor.at + width);
  cursor.place = cursor.places ? (cursor.places[note] ?? 0) : note;
  return true;
}

/** There are few: looking at each is as fast as a heap. */
function leastOf(cursors: readonly Cursor[], width: number): Cursor | undefined {
  let least = cursors[0];
  for (const cursor of cursors) {
    if (!least || cursor === least) continue;
    const order = compareBytes(cursor.entries, cursor.at, least.entries, least.at, width);
    if (order < 0 || (order === 0 && cursor.place < least.place)) least = cursor;
  }
  return least;
}
