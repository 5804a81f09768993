import { Fault } from '../fault.ts';
import { changeKey, type NoteKeys } from './keys.ts';
import { DOUBLE, HEADER, KINDS, type Kind, MAGIC, NUMBER, type Segment, SUM, sumOf, WIDTHS } from './segment.ts';
import { mergeTables, type Source, sortTable } from './tables.ts';

/** Takes what notes can be found by, one after the other, and makes a segment of it. */
export interface Gathering {
  /** Notes that cannot be found by anything are left out. */
  add(note: NoteKeys): void;
  /** What the segment takes at most. */
  size(): number;
  /** The segment. What comes then is for the next one, and takes its place in memory. */
  encode(): Buffer;
}

/** A commit may come more than once. `room`: how many bytes of entries are expected at most; what is not used of it costs nothing. */
export function startGathering(idBytes: number, room = 0): Gathering {
  const commits: string[] = [];
  const times = new Map<string, number>();
  const [whole, order, other] = [startRoom(), startRoom(), startRoom()];
  const entries = {
    lines: startEntries(WIDTHS.lines, room),
    patches: startEntries(WIDTHS.patches, 0),
    changes: startEntries(WIDTHS.changes, 0),
  };
  return {
    add({ commit, hashes, patches, changes, time }) {
      if (hashes.length + patches.length + changes.length === 0) return;
      addTime(times, commit, time ?? 0);
      const note = commits.push(commit) - 1;
      entries.lines.add(Buffer.from(hashes, 'base64url'), note);
      entries.patches.add(Buffer.from(patches.join(''), 'hex'), note);
      entries.changes.add(Buffer.concat(changes.map(changeKey)), note);
    },
    size: () => times.size * (idBytes + DOUBLE) + KINDS.reduce((sum, kind) => sum + entries[kind].bytes().length, 0),
    encode() {
      const list = listNotes(times, idBytes);
      const places = placesOf(commits, list);
      const table = (kind: Kind): Table => {
        const bytes = entries[kind].bytes();
        const length = (bytes.length / (WIDTHS[kind] + NUMBER)) * NUMBER;
        const unsorted = {
          entries: bytes,
          places,
          room: [numbersIn(order(length)), numbersIn(other(length))],
        } as const;
        return { most: bytes.length, write: (out) => sortTable(unsorted, WIDTHS[kind], out) };
      };
      const tables = { lines: table('lines'), patches: table('patches'), changes: table('changes') };
      const bytes = assemble(list, tables, whole);
      commits.length = 0;
      times.clear();
      for (const kind of KINDS) entries[kind].clear();
      return bytes;
    },
  };
}

/** Memory that is used again and again: what is thrown away is cleared away late, and until then takes room beside what is made next. */
function startRoom(): (length: number) => Buffer {
  let all = Buffer.alloc(0);
  return (length) => {
    if (length > all.length) all = Buffer.from(new ArrayBuffer(length + (length >> 3)));
    return all.subarray(0, length);
  };
}

function numbersIn({ buffer, byteOffset, length }: Buffer): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length >> 2);
}

interface Entries {
  add(keys: Buffer, note: number): void;
  bytes(): Buffer;
  /** The room that they took is used again. */
  clear(): void;
}

/** Entries that name the notes by the order in which they came. */
function startEntries(width: number, room: number): Entries {
  const stride = width + NUMBER;
  let all = Buffer.alloc(room);
  let end = 0;
  return {
    add(keys, note) {
      const count = Math.floor(keys.length / width);
      if (end + count * stride > all.length) {
        const before = all;
        all = Buffer.alloc(Math.max(2 * all.length, end + count * stride));
        before.copy(all, 0, 0, end);
      }
      for (let i = 0; i < count; i++) {
        for (let n = 0; n < width; n++) all[end + n] = keys[i * width + n] ?? 0;
        all.writeUInt32BE(note, end + width);
        end += stride;
      }
    },
    bytes: () => all.subarray(0, end),
    clear() {
      end = 0;
    },
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
  const places = commits.map((ones) => placesOf(ones, list));
  const table = (kind: Kind): Table => {
    const sources = segments.map((one, i): Source => ({ entries: one.tables[kind], places: places[i] ?? NOWHERE }));
    const most = sources.reduce((sum, { entries }) => sum + entries.length, 0);
    return { most, write: (out) => mergeTables(sources, WIDTHS[kind], out) };
  };
  const tables = { lines: table('lines'), patches: table('patches'), changes: table('changes') };
  return assemble(list, tables, (length) => Buffer.alloc(length));
}

const NOWHERE = new Uint32Array(0);

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

function placesOf(commits: readonly string[], { places }: NoteList): Uint32Array {
  return Uint32Array.from(commits, (commit) => places.get(commit) ?? 0);
}

interface Table {
  /** Bytes that it takes at most. */
  readonly most: number;
  /** Gives how many it takes. */
  write(out: Buffer): number;
}

/** The tables are written where they are to stand: a second copy of a large one is what would take the most memory. */
function assemble(
  { bytes, idBytes, places, since }: NoteList,
  tables: Readonly<Record<Kind, Table>>,
  room: (length: number) => Buffer,
): Buffer {
  const most = KINDS.reduce((sum, kind) => sum + tables[kind].most, 0);
  const whole = room(HEADER + bytes.length + most + SUM);
  MAGIC.copy(whole);
  whole.writeDoubleBE(since, 8);
  whole.writeUInt32BE(idBytes, 16);
  whole.writeUInt32BE(places.size, 20);
  let end = HEADER + bytes.copy(whole, HEADER);
  for (const [i, kind] of KINDS.entries()) {
    const length = tables[kind].write(whole.subarray(end));
    whole.writeUInt32BE(length / (WIDTHS[kind] + NUMBER), 24 + 4 * i);
    end += length;
  }
  sumOf(whole.subarray(0, end)).copy(whole, end);
  return whole.subarray(0, end + SUM);
}
