export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper than any honest document; whatever walks a parsed value may then recurse. */
const MAX_DEPTH = 200;

export type ParsedJson = { readonly value: unknown } | { readonly problem: string };

/** JSON.parse for text of strangers: never throws, never gives a value too deep to walk. */
export function parseJson(text: string, maxLength: number): ParsedJson {
  if (text.length > maxLength) return { problem: `longer than ${maxLength} characters` };
  if (isTooDeep(text)) return { problem: `nested deeper than ${MAX_DEPTH}` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'not JSON' };
  }
}

/** JSON as a terminal may show it: characters that move the cursor or turn text around stand as escapes, and the value is the same. */
export function escaped(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What is nested deeper than `most` as the text of it: the rest of the value can then be read by everybody, and nothing is lost. */
export function flattened(value: unknown, most: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (most === 0) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((item) => flattened(item, most - 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, flattened(inner, most - 1)]));
}

/** Whether `parseJson` would refuse it. */
export function isTooDeep(text: string): boolean {
  // nearly always: with so few brackets it cannot be, wherever they stand
  if (countUpTo(MAX_DEPTH, text, '{') + countUpTo(MAX_DEPTH, text, '[') <= MAX_DEPTH) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) i = endOfString(text, i);
    else if (c === 91 || c === 123) {
      if (++depth > MAX_DEPTH) return true;
    } else if (c === 93 || c === 125) depth--;
  }
  return false;
}

function countUpTo(most: number, text: string, mark: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0 && count <= most; at = text.indexOf(mark, at + 1)) count++;
  return count;
}

/** Where the string that opens at `start` closes; the text's end if it never does. */
function endOfString(text: string, start: number): number {
  // from quote to quote: most strings have no other, and looking at every character of long ones takes its time
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** The order in which an object's known keys are printed, and that of the objects (or lists of objects) inside it. */
export interface KeyOrder {
  readonly keys: readonly string[];
  readonly inside?: Readonly<Record<string, KeyOrder>>;
}

/**
 * The value with known keys first and in order, the others after them as they came; absent (`undefined`) ones are left out. What is so
 * already, as nearly all that we make ourselves, is not copied.
 */
export function arrange(value: unknown, order: KeyOrder): unknown {
  if (isArranged(value, order)) return value;
  if (Array.isArray(value)) return value.map((item) => arrange(item, order));
  if (!isObject(value)) return value;
  const others = Object.keys(value).filter((key) => !order.keys.includes(key));
  const known = order.keys.filter((key) => Object.hasOwn(value, key));
  // no prototype: a key called __proto__ is a key like any other
  const out: Record<string, unknown> = Object.create(null);
  for (const key of [...known, ...others]) {
    const inside = orderInside(order, key);
    if (value[key] !== undefined) out[key] = inside ? arrange(value[key], inside) : value[key];
  }
  return out;
}

function isArranged(value: unknown, order: KeyOrder): boolean {
  if (Array.isArray(value)) {
    for (const item of value) if (!isArranged(item, order)) return false;
    return true;
  }
  if (!isObject(value)) return true;
  let last = 0;
  for (const key of Object.keys(value)) {
    const known = order.keys.indexOf(key);
    const rank = known < 0 ? order.keys.length : known;
    if (rank < last || value[key] === undefined) return false;
    last = rank;
    const inside = orderInside(order, key);
    if (inside && !isArranged(value[key], inside)) return false;
  }
  return true;
}

function orderInside({ inside }: KeyOrder, key: string): KeyOrder | undefined {
  return inside && Object.hasOwn(inside, key) ? inside[key] : undefined;
}

export function fieldOf(value: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Whether two values say the same, in whatever order their fields come; one that is `undefined` is none. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isObject(a) || !isObject(b) || Array.isArray(b)) return false;
  const [keysA, keysB] = [definedKeys(a), definedKeys(b)];
  return keysA.length === keysB.length && keysA.every((key) => sameJson(a[key], fieldOf(b, key)));
}

function definedKeys(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
