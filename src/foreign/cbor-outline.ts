/** As much of CBOR (RFC 8949) as it takes to see what a document is, without decoding it. */

/** Deeper than any honest document. */
const MAX_DEPTH = 200;
const MAX_KEYS = 1000;

interface Head {
  readonly major: number;
  /** The argument; undefined for an indefinite length. */
  readonly value: number | undefined;
  /** Where what follows the head begins. */
  readonly next: number;
}

function headAt(bytes: Uint8Array, at: number): Head | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const [major, info] = [first >> 5, first & 31];
  if (info < 24) return { major, value: info, next: at + 1 };
  if (info === 31) return { major, value: undefined, next: at + 1 };
  if (info > 27) return undefined;
  const length = 1 << (info - 24);
  if (at + 1 + length > bytes.length) return undefined;
  let value = 0;
  for (let i = 1; i <= length; i++) value = value * 256 + (bytes[at + i] ?? 0);
  return { major, value, next: at + 1 + length };
}

const BREAK = 0xff;

/** Where the item that begins at `at` ends; undefined where it is no sound item. */
function endOf(bytes: Uint8Array, at: number, depth = 0): number | undefined {
  const head = headAt(bytes, at);
  if (!head || depth > MAX_DEPTH) return undefined;
  const { major, value, next } = head;
  switch (major) {
    case 0:
    case 1:
      return value === undefined ? undefined : next;
    case 2:
    case 3:
      return value === undefined ? endOfItems(bytes, next, { depth }) : within(bytes, next + value);
    case 4:
    case 5:
      return endOfItems(bytes, next, {
        depth,
        ...(value === undefined ? {} : { count: major === 5 ? value * 2 : value }),
      });
    case 6:
      return value === undefined ? undefined : endOf(bytes, next, depth + 1);
    default:
      return value === undefined ? undefined : next;
  }
}

function within(bytes: Uint8Array, end: number): number | undefined {
  return end <= bytes.length ? end : undefined;
}

/** So many items, or all up to the break. */
function endOfItems(
  bytes: Uint8Array,
  start: number,
  { depth, count }: { depth: number; count?: number },
): number | undefined {
  let at = start;
  for (let i = 0; count === undefined || i < count; i++) {
    if (count === undefined && bytes[at] === BREAK) return at + 1;
    const end = endOf(bytes, at, depth + 1);
    if (end === undefined) return undefined;
    at = end;
  }
  return at;
}

/** A file that says of itself that it is CBOR begins with this tag (RFC 8949, 3.4.6). */
function afterSelfTag(bytes: Uint8Array): number {
  return bytes[0] === 0xd9 && bytes[1] === 0xd9 && bytes[2] === 0xf7 ? 3 : 0;
}

/** The text keys of the map that the bytes are; undefined where they are no map, or not one alone. */
export function mapKeys(bytes: Uint8Array): ReadonlySet<string> | undefined {
  const start = afterSelfTag(bytes);
  const head = headAt(bytes, start);
  if (head?.major !== 5 || endOf(bytes, start) !== bytes.length) return undefined;
  const keys = new Set<string>();
  for (let at = head.next; at < bytes.length && bytes[at] !== BREAK && keys.size < MAX_KEYS; ) {
    const key = headAt(bytes, at);
    const afterKey = endOf(bytes, at) ?? bytes.length;
    if (key?.major === 3 && key.value !== undefined)
      keys.add(Buffer.from(bytes.subarray(key.next, afterKey)).toString('utf8'));
    at = endOf(bytes, afterKey) ?? bytes.length;
  }
  return keys;
}

/** COSE_Sign1 (RFC 9052, 4.2), with its tag 18 or without: protected header, map, payload or null, signature. */
export function isCoseSign1(bytes: Uint8Array): boolean {
  let at = afterSelfTag(bytes);
  if (bytes[at] === 0xd2) at++;
  if (bytes[at] !== 0x84) return false;
  at++;
  for (const allowed of [[2], [5], [2, 7], [2]]) {
    const head = headAt(bytes, at);
    const end = endOf(bytes, at);
    if (!head || end === undefined || !allowed.includes(head.major)) return false;
    at = end;
  }
  return at === bytes.length;
}
