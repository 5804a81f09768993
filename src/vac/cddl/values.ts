import type { JsonObject } from '../../json.ts';
import { Tagged, WholeFloat } from '../cbor.ts';
import type { PreludeName } from './parse.ts';

/** A map of CBOR, or an object of JSON, in which `undefined` is nothing. */
export type AnyMap = ReadonlyMap<unknown, unknown> | JsonObject;

export function isMap(value: unknown): value is AnyMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Uint8Array || value instanceof Tagged || value instanceof WholeFloat);
}

export function pairsOf(map: AnyMap): Iterable<readonly [unknown, unknown]> {
  return map instanceof Map ? map : Object.entries(map).filter(([, value]) => value !== undefined);
}

export function hasKey(map: AnyMap, key: string | number): boolean {
  return map instanceof Map ? map.has(key) : valueAt(map, key) !== undefined;
}

export function valueAt(map: AnyMap, key: string | number): unknown {
  if (map instanceof Map) return map.get(key);
  return typeof key === 'string' && Object.hasOwn(map, key) ? (map as JsonObject)[key] : undefined;
}

/** In words, for messages. */
export const KINDS: Readonly<Record<PreludeName, string>> = {
  any: 'anything',
  bool: 'true or false',
  bstr: 'bytes',
  int: 'an integer',
  null: 'null',
  number: 'a number',
  tstr: 'text',
  uint: 'an integer of 0 or more',
};

export function isOf(name: PreludeName, value: unknown): boolean {
  switch (name) {
    case 'any':
      return true;
    case 'bool':
      return typeof value === 'boolean';
    case 'bstr':
      return value instanceof Uint8Array;
    case 'null':
      return value === null;
    case 'tstr':
      return typeof value === 'string';
    case 'int':
      return isInteger(value);
    case 'uint':
      return isInteger(value) && Number(value) >= 0;
    case 'number':
      return isInteger(value) || typeof value === 'number' || value instanceof WholeFloat;
  }
}

/** Of 64 bits and a sign, as in CBOR. */
function isInteger(value: unknown): boolean {
  if (typeof value === 'bigint') return -(2n ** 64n) <= value && value < 2n ** 64n;
  return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 64;
}
