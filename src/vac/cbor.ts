import { encode, rfc8949EncodeOptions, Tagged, Token, Tokenizer, Type } from 'cborg';
import { Fault } from '../fault.ts';

export { Tagged };

/** A float that is a whole number. JavaScript does not tell 1.0 from 1; CBOR does, and so does CDDL. */
export class WholeFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/**
 * What CBOR says, in JavaScript: integers beyond 2^53 are bigints, byte strings Uint8Arrays, tags `Tagged`. A map is an object where JSON
 * could say it, else a Map: its keys are not all text, or a value is `undefined`.
 */
export type CborValue = unknown;
type CborKey = string | number | bigint;

export type DecodedCbor = { readonly value: CborValue } | { readonly problem: string };

export const MAX_CBOR_LENGTH = 256 * 1024 * 1024;
/** One byte may stand for a map, which takes a hundred in memory. */
const MAX_ITEMS = 4_000_000;
/** As for JSON: whatever walks a decoded value may then recurse. */
export const MAX_CBOR_DEPTH = 200;

const TWO_64 = 2n ** 64n;

/** RFC 8949, section 4.2.1: the same value always gives the same bytes. Halves of surrogate pairs, which UTF-8 has not, become U+FFFD. */
export function encodeCbor(value: CborValue): Uint8Array {
  if (isDeeperThan(value, MAX_CBOR_DEPTH))
    throw new Fault('refused', `a value is nested deeper than ${MAX_CBOR_DEPTH}`);
  return encode(value, ENCODING);
}

/** cborg's tokenizer refuses what it is not told to allow. */
const DECODING = { allowIndefinite: true, allowUndefined: true, allowBigInt: true };

const ENCODING = {
  ...rfc8949EncodeOptions,
  ignoreUndefinedProperties: true,
  typeEncoders: {
    // what JSON writes without a fraction is an integer (section 6.2)
    number: (value: number) =>
      Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64
        ? integerToken(BigInt(value))
        : null,
    bigint: (value: bigint) => (-TWO_64 <= value && value < TWO_64 ? integerToken(value) : bignumTokens(value)),
    Object: (value: object) => {
      if (value instanceof WholeFloat) return new Token(Type.float, value.value);
      // two of them would become one
      if (Object.keys(value).some((key) => /\p{Surrogate}/u.test(key)))
        throw new Fault('refused', 'a key is no Unicode text');
      return null;
    },
  },
};

function integerToken(value: bigint): Token {
  return new Token(value < 0n ? Type.negint : Type.uint, value);
}

/** Tags 2 and 3 (section 3.4.3). */
function bignumTokens(value: bigint): Token[] {
  const hex = (value < 0n ? -1n - value : value).toString(16);
  const bytes = Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex');
  return [new Token(Type.tag, value < 0n ? 3 : 2), new Token(Type.bytes, new Uint8Array(bytes))];
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  if (depth === 0) return true;
  if (value instanceof Tagged) return isDeeperThan(value.value, depth - 1);
  const parts = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : Object.values(value);
  return parts.some((part) => isDeeperThan(part, depth - 1));
}

/** One well-formed item, and nothing after it; not necessarily in the deterministic form. Keys are text or integers, each once. */
export function decodeCbor(bytes: Uint8Array): DecodedCbor {
  if (bytes.length > MAX_CBOR_LENGTH) return { problem: `longer than ${MAX_CBOR_LENGTH} bytes` };
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const reader: Reader = { data, tokens: new Tokenizer(data, DECODING), items: 0 };
  try {
    const value = readItem(reader, 0);
    if (value === BREAK) return { problem: 'not CBOR: a break stands alone (byte 0)' };
    return reader.tokens.done() ? { value } : refused(reader, 'there is more after its end');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return refused(reader, error.message.replace(/^CBOR decode error: /, ''));
  }
}

function refused({ tokens }: Reader, why: string): DecodedCbor {
  return { problem: `not CBOR: ${why} (byte ${tokens.pos()})` };
}

interface Reader {
  readonly data: Uint8Array;
  readonly tokens: Tokenizer;
  items: number;
}

/** The end of a list or a map whose length was not told. */
const BREAK = Symbol('break');

function readItem(reader: Reader, depth: number): unknown {
  const { tokens } = reader;
  if (tokens.done()) throw new Fault('refused', 'it ends too early');
  if (++reader.items > MAX_ITEMS) throw new Fault('refused', `more than ${MAX_ITEMS} items`);
  const start = tokens.pos();
  const token = tokens.next();
  const [kind, value]: [string, unknown] = [token.type.name, token.value];
  const inner = depth + 1;
  if (inner > MAX_CBOR_DEPTH && ['array', 'map', 'tag'].includes(kind)) {
    throw new Fault('refused', `nested deeper than ${MAX_CBOR_DEPTH}`);
  }
  switch (kind) {
    case 'array':
      return readArray(reader, Number(value), inner);
    case 'map':
      return readMap(reader, Number(value), inner);
    case 'tag':
      return readTag(reader, value, inner);
    case 'string':
      return exactText(String(value), reader.data.subarray(start, tokens.pos()));
    case 'float':
      return Number.isInteger(value) ? new WholeFloat(Number(value)) : value;
    case 'break':
      return BREAK;
    default:
      return value;
  }
}

function readArray(reader: Reader, length: number, depth: number): unknown[] {
  const items: unknown[] = [];
  while (items.length < length) {
    const item = readItem(reader, depth);
    if (item === BREAK) {
      endHere(length);
      break;
    }
    items.push(item);
  }
  return items;
}

function readMap(reader: Reader, length: number, depth: number): CborValue {
  const pairs = new Map<CborKey, unknown>();
  let isPlain = true;
  while (pairs.size < length) {
    const key = readItem(reader, depth);
    if (key === BREAK) {
      endHere(length);
      break;
    }
    if (!isKey(key)) throw new Fault('refused', 'a key is neither text nor an integer');
    if (pairs.has(key)) throw new Fault('refused', 'a key is there twice');
    const value = whole(readItem(reader, depth));
    pairs.set(key, value);
    isPlain &&= typeof key === 'string' && value !== undefined;
  }
  // makes __proto__ a key like any other
  return isPlain ? Object.fromEntries(pairs) : pairs;
}

function isKey(key: unknown): key is CborKey {
  return typeof key === 'string' || typeof key === 'bigint' || Number.isInteger(key);
}

function readTag(reader: Reader, tag: unknown, depth: number): Tagged {
  if (!Number.isSafeInteger(tag)) throw new Fault('refused', 'a tag beyond 2^53');
  return new Tagged(Number(tag), whole(readItem(reader, depth)));
}

function endHere(length: number): void {
  if (length !== Number.POSITIVE_INFINITY) throw new Fault('refused', 'a break where none may be');
}

function whole(value: unknown): unknown {
  if (value === BREAK) throw new Fault('refused', 'a break where none may be');
  return value;
}

const HEAD_LENGTHS: readonly number[] = [2, 3, 5, 9];
const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** cborg reads what is no UTF-8 as U+FFFD, and leaves out a byte order mark. */
function exactText(text: string, encoded: Uint8Array): string {
  const minor = (encoded[0] ?? 0) & 31;
  const bytes = encoded.subarray(minor < 24 ? 1 : HEAD_LENGTHS[minor - 24]);
  return bytes[0] === 0xef || text.includes('\uFFFD') ? STRICT.decode(bytes) : text;
}
