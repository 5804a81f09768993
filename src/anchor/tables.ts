import { compareBytes, MAX_FOUND, NUMBER } from './segment.ts';

/*
 * Tables of entries: a key of so many bytes, then 4 bytes that name a note. They are worked on as bytes, where they stand: as objects or strings they would take
 * ten times as much memory, and leave it to be cleared away.
 */

/** Takes entries in ascending order, and keeps each once, and of one key no more than are looked at. */
interface TableWriter {
  put(from: Buffer, at: number, place: number): void;
  /** Bytes that it takes. */
  length(): number;
}

function startTable(out: Buffer, width: number): TableWriter {
  const stride = width + NUMBER;
  let end = 0;
  let alike = 0;
  return {
    put(from, at, place) {
      const last = end - stride;
      const same = end > 0 && compareBytes(from, at, out, last, width) === 0;
      if (same && (alike > MAX_FOUND || readNumber(out, last + width) === place)) return;
      alike = same ? alike + 1 : 1;
      // some bytes: a loop is faster than a call
      for (let i = 0; i < width; i++) out[end + i] = from[at + i] ?? 0;
      out.writeUInt32BE(place, end + width);
      end += stride;
    },
    length: () => end,
  };
}

export interface Unsorted {
  readonly entries: Buffer;
  /** Where the notes stand that they name. */
  readonly places: Uint32Array;
  /** Room for four bytes of every entry, twice: it is handed in, so that it can be used again. */
  readonly room: readonly [Uint32Array, Uint32Array];
}

/** Writes entries sorted by key, then by place. Gives how many bytes it takes. */
export function sortTable(unsorted: Unsorted, width: number, out: Buffer): number {
  const { entries, places } = unsorted;
  const count = entries.length / (width + NUMBER);
  const placeAt = (at: number) => places[readNumber(entries, at + width)] ?? 0;
  const order = count < FEW ? compared(entries, width, placeAt) : dealt(unsorted, width, placeAt);
  const table = startTable(out, width);
  for (const at of order) table.put(entries, at, placeAt(at));
  return table.length();
}

/** Of so many values a digit has one. */
const DIGITS = 1 << 16;
const FEW = 4096;

/** Where the entries begin, in order. Going through all digits would take longer than comparing these few. */
function compared(entries: Buffer, width: number, placeAt: (at: number) => number): Uint32Array {
  const stride = width + NUMBER;
  const order = Uint32Array.from({ length: entries.length / stride }, (_, i) => i * stride);
  return order.sort((a, b) => compareBytes(entries, a, entries, b, width) || placeAt(a) - placeAt(b));
}

/**
 * The same for many. Digit by digit, the last first, each time in the order that there was before: with keys of 6 bytes this takes three rounds, however many there
 * are.
 */
function dealt({ entries, places, room }: Unsorted, width: number, placeAt: (at: number) => number): Uint32Array {
  const stride = width + NUMBER;
  let [order, other] = room.map((one) => one.subarray(0, entries.length / stride)) as [Uint32Array, Uint32Array];
  for (let i = 0; i < order.length; i++) order[i] = i * stride;
  const sortBy = (digits: number, digitAt: (at: number) => number) => {
    deal(order, other, new Uint32Array(digits), digitAt);
    [order, other] = [other, order];
  };
  sortBy(places.length, placeAt);
  for (let n = width - 2; n >= 0; n -= 2)
    sortBy(DIGITS, (at) => ((entries[at + n] ?? 0) << 8) | (entries[at + n + 1] ?? 0));
  return order;
}

/** One round of it: counts how often there is each digit, and so knows where those with it begin. */
function deal(from: Uint32Array, to: Uint32Array, starts: Uint32Array, digitAt: (at: number) => number): void {
  for (const at of from) {
    const digit = digitAt(at);
    starts[digit] = (starts[digit] ?? 0) + 1;
  }
  let sum = 0;
  for (let digit = 0; digit < starts.length; digit++) {
    const count = starts[digit] ?? 0;
    starts[digit] = sum;
    sum += count;
  }
  for (const at of from) {
    const digit = digitAt(at);
    const next = starts[digit] ?? 0;
    to[next] = at;
    starts[digit] = next + 1;
  }
}

export interface Source {
  /** Sorted. */
  readonly entries: Buffer;
  /** Where its notes are in the merged list, ascending. */
  readonly places: Uint32Array;
}

/** Writes the sorted entries of all sources. Gives how many bytes that takes. */
export function mergeTables(sources: readonly Source[], width: number, out: Buffer): number {
  const table = startTable(out, width);
  let open = sources.flatMap((source) => startCursor(source, width));
  for (let least = leastOf(open, width); least; least = leastOf(open, width)) {
    table.put(least.entries, least.at, least.place);
    if (!advance(least, width)) open = open.filter((cursor) => cursor !== least);
  }
  return table.length();
}

interface Cursor extends Source {
  at: number;
  /** Of the entry at `at`: the first bytes of its key, and where the note is that it names. */
  head: number;
  place: number;
}

function startCursor(source: Source, width: number): Cursor[] {
  const cursor = { ...source, at: -width - NUMBER, head: 0, place: 0 };
  return advance(cursor, width) ? [cursor] : [];
}

function advance(cursor: Cursor, width: number): boolean {
  cursor.at += width + NUMBER;
  if (cursor.at >= cursor.entries.length) return false;
  cursor.head = readNumber(cursor.entries, cursor.at);
  cursor.place = cursor.places[readNumber(cursor.entries, cursor.at + width)] ?? 0;
  return true;
}

/** There are few: looking at each is as fast as a heap. */
function leastOf(cursors: readonly Cursor[], width: number): Cursor | undefined {
  let least = cursors[0];
  for (const cursor of cursors) {
    if (!least || cursor === least || cursor.head > least.head) continue;
    if (cursor.head < least.head) {
      least = cursor;
      continue;
    }
    const order = compareBytes(cursor.entries, cursor.at, least.entries, least.at, width);
    if (order < 0 || (order === 0 && cursor.place < least.place)) least = cursor;
  }
  return least;
}

/** As `readUInt32BE`, which asks first whether it may: this is asked some times for every line of every note. */
function readNumber(bytes: Buffer, at: number): number {
  const high = ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16);
  return (high | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0;
}
