import { decode, encode, rfc8949EncodeOptions, Tagged } from 'cborg';
import { refusal } from './reason.ts';

export { Tagged };

/** Deeper than any honest header; receipts inside a header reach six. */
const MAX_DEPTH = 24;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Deterministic: RFC 8949 section 4.2.1, keys in bytewise order. */
export function encodeCbor(value: unknown): Uint8Array {
  return encode(value, rfc8949EncodeOptions);
}

/**
 * One value and nothing behind it. What two readers might read differently is refused before it is decoded: indefinite and longer than
 * needed lengths, labels that are there twice, bad UTF-8, keys that are neither integers nor text. Maps become `Map`, tags `Tagged`.
 */
export function decodeCbor(bytes: Uint8Array): unknown {
  const tags = new Set<number>();
  const end = scanItem({ bytes, tags }, 0, 0);
  if (end !== bytes.length) throw refusal('trailing-bytes', `${bytes.length - end} bytes`);
  try {
    return decode(bytes, {
      strict: true,
      useMaps: true,
      allowIndefinite: false,
      allowUndefined: false,
      allowNaN: false,
      allowInfinity: false,
      rejectDuplicateMapKeys: true,
      tags: Tagged.preserve(...tags),
    });
  } catch (cause) {
    throw refusal('not-cbor', cause instanceof Error ? cause.message.slice(0, 100) : '');
  }
}

interface Scan {
  readonly bytes: Uint8Array;
  /** The numbers of all tags met. */
  readonly tags: Set<number>;
}

/** The place behind the item that begins at `at`. */
function scanItem(scan: Scan, at: number, depth: number): number {
  if (depth > MAX_DEPTH) throw refusal('not-cbor', `nested deeper than ${MAX_DEPTH}`);
  const { major, value, next } = scanHead(scan.bytes, at);
  switch (major) {
    case 2:
    case 3:
      return scanString(scan.bytes, next, { length: value, text: major === 3 });
    case 4: {
      let end = next;
      for (let i = 0; i < value; i++) end = scanItem(scan, end, depth + 1);
      return end;
    }
    case 5:
      return scanMap(scan, next, { size: value, depth });
    case 6:
      if (!Number.isSafeInteger(value)) throw refusal('not-cbor', 'a tag without meaning');
      scan.tags.add(value);
      return scanItem(scan, next, depth + 1);
    default:
      return next;
  }
}

interface Head {
  readonly major: number;
  /** Of integers above 2^53 only nearly: they are not used here. */
  readonly value: number;
  readonly next: number;
}

function scanHead(bytes: Uint8Array, at: number): Head {
  const first = bytes[at];
  if (first === undefined) throw refusal('not-cbor', 'it ends too early');
  const [major, info] = [first >> 5, first & 31];
  if (info > 27) throw refusal('not-cbor', info === 31 ? 'an indefinite length' : 'a reserved length');
  const width = info < 24 ? 0 : 1 << (info - 24);
  const next = at + 1 + width;
  if (next > bytes.length) throw refusal('not-cbor', 'it ends too early');
  let value = width === 0 ? info : 0;
  for (let i = at + 1; i < next; i++) value = value * 256 + (bytes[i] ?? 0);
  if (major === 7) return { major, value: scanSimple(info), next };
  const least = width === 0 ? 0 : width === 1 ? 24 : 256 ** (width / 2);
  if (value < least) throw refusal('not-cbor', 'a number longer than needed');
  return { major, value, next };
}

/** false, true, null and floats; `undefined` and the unassigned ones mean nothing in a seal. */
function scanSimple(info: number): number {
  if (info >= 20 && info <= 22) return info;
  if (info >= 25 && info <= 27) return info;
  throw refusal('not-cbor', 'a simple value without meaning');
}

function scanString(
  bytes: Uint8Array,
  at: number,
  { length, text }: { readonly length: number; readonly text: boolean },
): number {
  const end = at + length;
  if (end > bytes.length) throw refusal('not-cbor', 'it ends too early');
  if (!text) return end;
  try {
    utf8.decode(bytes.subarray(at, end));
  } catch {
    throw refusal('not-cbor', 'a text is not UTF-8');
  }
  return end;
}

function scanMap(scan: Scan, at: number, { size, depth }: { readonly size: number; readonly depth: number }): number {
  // numbers are as short as can be: equal keys are equal bytes
  const keys = new Set<string>();
  let end = at;
  for (let i = 0; i < size; i++) {
    const { major } = scanHead(scan.bytes, end);
    if (major !== 0 && major !== 1 && major !== 3) throw refusal('not-cbor', 'a key that is neither integer nor text');
    const behind = scanItem(scan, end, depth + 1);
    const key = Buffer.from(scan.bytes.subarray(end, behind)).toString('latin1');
    if (keys.has(key)) throw refusal('duplicate-label');
    keys.add(key);
    end = scanItem(scan, behind, depth + 1);
  }
  return end;
}
