import { fieldOf, isObject, type JsonObject, sameJson } from '../json.ts';

/** What makes one object of another: fields to set, fields to leave out. */
export interface Patch {
  readonly set?: JsonObject;
  readonly drop?: readonly string[];
}

/** The patch that makes `to` of `from`; undefined where they are the same. Fields that are `undefined` are none. */
export function difference(from: JsonObject, to: JsonObject): Patch | undefined {
  const set = Object.entries(to).filter(([key, value]) => value !== undefined && !sameJson(fieldOf(from, key), value));
  const drop = Object.keys(from).filter((key) => from[key] !== undefined && fieldOf(to, key) === undefined);
  if (set.length === 0 && drop.length === 0) return undefined;
  return { ...(set.length > 0 && { set: Object.fromEntries(set) }), ...(drop.length > 0 && { drop }) };
}

/** The patch may come from anywhere: what is none changes nothing. */
export function patched(value: JsonObject, patch: unknown): JsonObject {
  if (!isObject(patch)) return value;
  const drop = new Set<unknown>(Array.isArray(patch.drop) ? patch.drop : []);
  const kept = Object.entries(value).filter(([key]) => !drop.has(key));
  return { ...Object.fromEntries(kept), ...(isObject(patch.set) ? patch.set : {}) };
}

/** The object's fields of these names that are there. */
export function pick(value: unknown, keys: readonly string[]): JsonObject {
  if (!isObject(value)) return {};
  return Object.fromEntries(keys.flatMap((key) => (fieldOf(value, key) === undefined ? [] : [[key, value[key]]])));
}

export function without(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key, field]) => field !== undefined && !keys.includes(key)));
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
