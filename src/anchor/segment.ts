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
  const telling = notes.filter(({ lines, patches, changes }) => lines.size + patches.length + changes.length > 0);
  const times = new Map<string, number>();
  for (const { commit, time } of telling) addTime(times, commit, time ?? 0);
  const list = listNotes(times, idBytes);
  const table = (kind: Kind, keysOf: (note: NoteKeys) => Buffer) => {
    const entries = telling.flatMap((note) => entriesOf(keysOf(note), WIDTHS[kind], list.places.get(note.commit) ?? 0));
    return mergeTables([{ entries: Buffer.from(entries.sort().join(''), 'latin1') }], WIDTHS[kind]);
  };
  return assemble(list, {
    lines: table('lines', ({ lines }) => Buffer.from([...lines].join(''), 'base64url')),
    patches: table('patches', ({ patches }) => Buffer.from(patches.join(''), 'hex')),
    changes: table('changes', ({ changes }) => Buffer.concat(changes.map(changeKey))),
  });
}

/** As latin1, one character per byte: strings sort as their bytes do, and the place comes after the key. */
function entriesOf(keys: Buffer, width: number, place: number): string[] {
  const number = String.fromCharCode(place >>> 24, (place >>> 16) & 255, (place >>> 8) & 255, place & 255);
  const text = keys.toString('latin1');
  const entries: string[] = [];
  for (let at = 0; at + width <= text.length; at += width) entries.push(text.slice(at, at + width) + number);
  return entries;
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
  return {
    bytes,
    idBytes,
    notes,
    since: bytes.readDoubleBE(8),
    tables,
    commitAt: (note) => bytes.toString('hex', HEADER + note * stride, HEADER + note * stride + idBytes),
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
  const table = (kind: Kind) =>
    mergeTables(
      segments.map((one, i) => ({ entries: one.tables[kind], places: places[i] })),
      WIDTHS[kind],
    );
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

function assemble({ bytes, idBytes, places, since }: NoteList, tables: Readonly<Record<Kind, Buffer>>): Buffer {
  const header = Buffer.alloc(HEADER);
  MAGIC.copy(header);
  header.writeDoubleBE(since, 8);
  header.writeUInt32BE(idBytes, 16);
  header.writeUInt32BE(places.size, 20);
  for (const [i, kind] of KINDS.entries()) {
    header.writeUInt32BE(tables[kind].length / (WIDTHS[kind] + NUMBER), 24 + 4 * i);
  }
  const whole = Buffer.concat([header, bytes, ...KINDS.map((kind) => tables[kind]), Buffer.alloc(SUM)]);
  sumOf(whole.subarray(0, -SUM)).copy(whole, whole.length - SUM);
  return whole;
}

function sumOf(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}

function findEntries(entries: Buffer, width: number, key: Buffer, keyAt: number): Found {
  const stride = width + NUMBER;
  let [low, high] = [0, entries.length / stride];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(entries, middle * stride, key, keyAt, width) < 0) low = middle + 1;
    else high = middle;
  }
  const notes: number[] = [];
  for (let at = low * stride; at < entries.length; at += stride) {
    if (compareKeys(entries, at, key, keyAt, width) !== 0) break;
    if (notes.length === MAX_FOUND) return { notes, many: true };
    notes.push(entries.readUInt32BE(at + width));
  }
  return { notes, many: false };
}

function compareKeys(a: Buffer, aAt: number, b: Buffer, bAt: number, width: number): number {
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

/** Sorted entries of all sources: each once, and of one key no more than are kept. */
function mergeTables(sources: readonly Source[], width: number): Buffer {
  const stride = width + NUMBER;
  const out = Buffer.alloc(sources.reduce((sum, { entries }) => sum + entries.length, 0));
  let end = 0;
  let alike = 0;
  for (const { entries, at, place } of inOrder(sources, width)) {
    const last = end - stride;
    const same = end > 0 && compareKeys(entries, at, out, last, width) === 0;
    if (same && (alike > MAX_FOUND || out.readUInt32BE(last + width) === place)) continue;
    alike = same ? alike + 1 : 1;
    entries.copy(out, end, at, at + width);
    out.writeUInt32BE(place, end + width);
    end += stride;
  }
  return out.subarray(0, end);
}

interface Cursor extends Source {
  at: number;
  place: number;
}

function* inOrder(sources: readonly Source[], width: number): Generator<Readonly<Cursor>> {
  const stride = width + NUMBER;
  const moveTo = (cursor: Cursor, at: number) => {
    cursor.at = at;
    const note = at < cursor.entries.length ? cursor.entries.readUInt32BE(at + width) : 0;
    cursor.place = cursor.places ? (cursor.places[note] ?? 0) : note;
    return at < cursor.entries.length;
  };
  let open = sources.map((source): Cursor => ({ ...source, at: 0, place: 0 })).filter((cursor) => moveTo(cursor, 0));
  // few sources: looking at each is faster than a heap
  for (let least = open[0]; least; least = open[0]) {
    for (const cursor of open) {
      const order = compareKeys(cursor.entries, cursor.at, least.entries, least.at, width);
      if (order < 0 || (order === 0 && cursor.place < least.place)) least = cursor;
    }
    yield least;
    const taken = least;
    if (!moveTo(taken, taken.at + stride)) open = open.filter((cursor) => cursor !== taken);
  }
}
