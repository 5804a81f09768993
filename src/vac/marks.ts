import { isObject } from '../json.ts';
import { type CborValue, Tagged, WholeFloat } from './cbor.ts';

/** A value that CBOR says and JSON cannot: where it stands in the record (RFC 6901), and what `jsonOf` made something else of. */
export interface Mark {
  readonly at: string;
  readonly is: 'bytes' | 'float' | 'integer' | 'number' | 'tag' | 'keys';
  /** Of a tag: its number. */
  readonly tag?: number;
  /** What the tag stands before is bytes, which JSON says in a way of the tag's own. */
  readonly bytes?: boolean;
  /** Of a number that JSON has not, or writes as another: its name. */
  readonly name?: string;
  /** Keys that are integers, by the names that they have in JSON. */
  readonly keys?: Readonly<Record<string, string>>;
}

/** Nobody keeps more of a record. */
export const MAX_MARKS = 10_000;

/** In order, outer before inner; of a record with more than can be kept, none. */
export function marksOf(value: CborValue): readonly Mark[] | 'too many' {
  const marks: Mark[] = [];
  visit(value, '', marks);
  return marks.length > MAX_MARKS ? 'too many' : marks;
}

function visit(value: CborValue, at: string, marks: Mark[]): void {
  if (marks.length > MAX_MARKS) return;
  if (value instanceof WholeFloat) marks.push({ at, is: 'float', ...(Object.is(value.value, -0) && { name: '-0' }) });
  else if (value instanceof Uint8Array) marks.push({ at, is: 'bytes' });
  else if (value instanceof Tagged) visitTagged(value, at, marks);
  else if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, `${at}/${i}`, marks);
  else if (value instanceof Map) visitMap(value, at, marks);
  else if (isObject(value)) for (const [key, part] of Object.entries(value)) visit(part, inside(at, key), marks);
  else if (typeof value === 'bigint') marks.push({ at, is: 'integer' });
  else if (value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
    marks.push({ at, is: 'number', name: String(value) });
}

function visitTagged({ tag, value }: Tagged, at: string, marks: Mark[]): void {
  const bytes = value instanceof Uint8Array;
  marks.push({ at, is: 'tag', tag, ...(bytes && { bytes }) });
  if (!bytes) visit(value, at, marks);
}

function visitMap(map: ReadonlyMap<unknown, unknown>, at: string, marks: Mark[]): void {
  const taken = new Set([...map.keys()].filter((key) => typeof key === 'string'));
  const keys: Record<string, string> = {};
  const parts: [string, unknown][] = [];
  for (const [key, part] of map) {
    // as `jsonOf` names them
    let name = String(key);
    if (typeof key !== 'string') while (taken.has(name)) name += '_';
    if (typeof key !== 'string') keys[name] = String(key);
    taken.add(name);
    parts.push([name, part]);
  }
  if (Object.keys(keys).length > 0) marks.push({ at, is: 'keys', keys });
  for (const [name, part] of parts) visit(part, inside(at, name), marks);
}

function inside(at: string, key: string): string {
  return `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A record of JSON with the values put back that CBOR says. A mark that does not fit what is there now is left out. */
export function withMarks(record: unknown, marks: readonly Mark[]): CborValue {
  const root = { '': structuredClone(record) };
  // inner before outer
  for (const mark of [...marks].reverse()) {
    const steps = mark.at.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = steps.pop() ?? '';
    const home = steps.reduce<unknown>(partOf, root);
    const restored = partOf(home, last) === undefined ? undefined : restoredBy(mark, partOf(home, last));
    if (restored) Object.defineProperty(home, last, { ...restored, enumerable: true });
  }
  return root[''];
}

function partOf(value: unknown, step: string): unknown {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  return Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined;
}

type Restored = { readonly value: CborValue } | undefined;

function restoredBy(mark: Mark, value: unknown): Restored {
  switch (mark.is) {
    case 'bytes':
      return bytesIn(value, 'base64url');
    case 'float':
      return Number.isInteger(value) ? { value: new WholeFloat(mark.name === '-0' ? -0 : Number(value)) } : undefined;
    case 'integer':
      return integerIn(value);
    case 'number':
      return value === null ? { value: mark.name === 'undefined' ? undefined : Number(mark.name) } : undefined;
    case 'tag':
      return tagged(mark, value);
    case 'keys':
      return isObject(value) ? { value: mapOf(value, mark.keys ?? {}) } : undefined;
  }
}

/** Those that a double holds exactly are numbers in JSON, the others texts. */
function integerIn(value: unknown): Restored {
  if (typeof value === 'number') return Number.isInteger(value) ? { value: BigInt(value) } : undefined;
  return typeof value === 'string' && /^-?\d{1,40}$/.test(value) ? { value: BigInt(value) } : undefined;
}

function tagged({ tag = 0, bytes = false }: Mark, value: unknown): Restored {
  if (!bytes) return { value: new Tagged(tag, value) };
  const text = tag === 3 && typeof value === 'string' ? value.replace(/^~/, '') : value;
  const inner = bytesIn(text, tag === 22 ? 'base64' : tag === 23 ? 'hex' : 'base64url');
  return inner && { value: new Tagged(tag, inner.value) };
}

function bytesIn(text: unknown, encoding: 'base64url' | 'base64' | 'hex'): Restored {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, encoding);
  const again = bytes.toString(encoding);
  return (encoding === 'hex' ? again.toUpperCase() : again) === text ? { value: new Uint8Array(bytes) } : undefined;
}

function mapOf(value: Readonly<Record<string, unknown>>, keys: Readonly<Record<string, string>>): CborValue {
  const named = Object.entries(value).map(([name, part]): [unknown, unknown] => {
    const key = Object.hasOwn(keys, name) ? BigInt(keys[name] ?? 0) : name;
    return [typeof key === 'bigint' && BigInt(Number(key)) === key ? Number(key) : key, part];
  });
  return new Map(named);
}

/** Marks that were kept; they may come from anywhere. */
export function marksIn(value: unknown): readonly Mark[] {
  const all: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_MARKS) : [];
  return all.filter(isMark);
}

const KINDS: readonly unknown[] = ['bytes', 'float', 'integer', 'number', 'tag', 'keys'];

function isMark(value: unknown): value is Mark {
  if (!isObject(value) || typeof value.at !== 'string' || !KINDS.includes(value.is)) return false;
  if (value.is === 'tag') return Number.isSafeInteger(value.tag) && Number(value.tag) >= 0;
  if (value.is !== 'keys') return true;
  return isObject(value.keys) && Object.values(value.keys).every((key) => /^-?\d{1,20}$/.test(String(key)));
}
