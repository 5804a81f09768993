import { isObject, type JsonObject } from '../json.ts';

/** Readers for values of strangers: the value when it is of the kind, else undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Milliseconds since 1970 of an ISO time, where it is one. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const at = Date.parse(value);
  return Number.isFinite(at) && Math.abs(at) < MAX_TIME ? at : undefined;
}

/** Beyond it `Date` has no ISO form. */
const MAX_TIME = 8.64e15;

export function isoOf(at: number): string {
  return new Date(Math.abs(at) < MAX_TIME ? at : 0).toISOString();
}

/** Ids end up in file names, URLs and one-line facts. */
export function plainId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(value) ? value : undefined;
}

/** The object without its absent members: `exactOptionalPropertyTypes` tells an absent one from an undefined one. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const out = { ...value };
  for (const key of Object.keys(out) as (keyof T)[]) if (out[key] === undefined) delete out[key];
  return out as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** Texts in documents may be cut (AgentLog 3.3, 3.5). */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') ? length - 1 : length;
  return `${text.slice(0, end)}\n[${text.length - end} more characters]`;
}

/** What a tool was given, its texts cut. */
export function shortInput(input: JsonObject, length: number): JsonObject {
  const short = (value: unknown): unknown => {
    if (typeof value === 'string') return cut(value, length);
    if (Array.isArray(value)) return value.map(short);
    const object = objectOf(value);
    return object ? Object.fromEntries(Object.entries(object).map(([key, inner]) => [key, short(inner)])) : value;
  };
  return short(input) as JsonObject;
}
