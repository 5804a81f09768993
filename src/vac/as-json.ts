import { Fault } from '../fault.ts';
import { type CborValue, MAX_CBOR_DEPTH, Tagged, WholeFloat } from './cbor.ts';

/**
 * A CBOR value as JSON says it, by the advice of RFC 8949, section 6.1: bytes are base64url, tags fall away, what JSON has no number
 * for is null. A value of JSON stays what it is. The draft's own fields are the same in both; only what stands under `any` can change.
 */
export function jsonOf(value: CborValue, depth = 0): unknown {
  if (depth > MAX_CBOR_DEPTH) throw new Fault('refused', `a value is nested deeper than ${MAX_CBOR_DEPTH}`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      // one that a double holds exactly is the number that JSON.parse makes of it
      return BigInt(Number(value)) === value ? Number(value) : value;
    case 'object':
      return jsonOfObject(value, depth);
    default:
      return null;
  }
}

function jsonOfObject(value: object | null, depth: number): unknown {
  if (value === null) return null;
  if (value instanceof WholeFloat) return jsonOf(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64url');
  if (value instanceof Tagged) return jsonOfTagged(value, depth);
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, depth + 1));
  if (value instanceof Map) return jsonOfMap(value, depth);
  const pairs = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(pairs.map(([key, part]) => [key, jsonOf(part, depth + 1)]));
}

function jsonOfTagged({ tag, value }: Tagged, depth: number): unknown {
  if (!(value instanceof Uint8Array)) return jsonOf(value, depth + 1);
  const bytes = Buffer.from(value);
  // bignums and the encodings that a sender expects (sections 3.4.3 and 3.4.5.2)
  if (tag === 3) return `~${bytes.toString('base64url')}`;
  if (tag === 22) return bytes.toString('base64');
  return tag === 23 ? bytes.toString('hex').toUpperCase() : bytes.toString('base64url');
}

/** Integers become text; one that is there as text already gets a mark more. */
function jsonOfMap(map: ReadonlyMap<unknown, unknown>, depth: number): unknown {
  const named = new Map<string, unknown>();
  for (const [key, part] of map) if (typeof key === 'string') named.set(key, jsonOf(part, depth + 1));
  for (const [key, part] of map) {
    if (typeof key === 'string') continue;
    let name = String(key);
    while (named.has(name)) name += '_';
    named.set(name, jsonOf(part, depth + 1));
  }
  return Object.fromEntries(named);
}

/** RFC 8785: no white space, keys in order, so that the same value always gives the same text. Integers beyond 2^53 in full. */
export function printCanonical(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(printCanonical).join(',')}]`;
  const pairs = Object.entries(value).filter(([, part]) => part !== undefined);
  pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([key, part]) => `${JSON.stringify(key)}:${printCanonical(part)}`).join(',')}}`;
}

/** Integers that no number of JavaScript holds, as text: what is stored is read with JSON.parse, which would make others of them. */
export function withDigits(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(withDigits);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withDigits(part)]));
}
