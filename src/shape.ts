import { isObject, type JsonObject } from './json.ts';

/** A rule of a published document that a value breaks. */
export interface Problem {
  /** Document, section and field: `agent-trace 6.1 range start_line`. */
  readonly rule: string;
  /** JSON pointer to the value. */
  readonly path: string;
  readonly message: string;
  /** `shape`: cannot be read as what it should be; `value`: readable, not allowed; `note`: against the letter, tolerated by all. */
  readonly kind: 'shape' | 'value' | 'note';
}

/** Where a value stands. Names are put together only when something is wrong: nearly always nothing is. */
export interface Place {
  /** Beginning of the rule's name: document, section, kind of object. */
  readonly rule: string;
  /** The field inside such an object. */
  readonly field?: string;
  readonly step?: string | number;
  readonly up?: Place;
  readonly problems: Problem[];
}

/** Looks at one value and adds what is wrong with it to the place's problems. */
export interface Shape {
  (value: unknown, at: Place): void;
  /** Whether nothing is wrong, which is looked at without saying where: nearly always that is all there is to say. */
  readonly fits?: ((value: unknown) => boolean) | undefined;
}

type Fits = (value: unknown) => boolean;

/** A shape that finds nothing wrong where the value fits. */
export function shapeOf(fits: Fits | undefined, look: (value: unknown, at: Place) => void): Shape {
  return Object.assign(look, { fits });
}

/** A hostile document could break a rule in every byte; nobody reads more than this. */
const MAX_PROBLEMS = 1000;

export function fault(at: Place, kind: Problem['kind'], message: string): void {
  if (at.problems.length >= MAX_PROBLEMS) return;
  const rule = at.field === undefined ? at.rule : `${at.rule} ${at.field}`;
  at.problems.push({ rule, path: pointerTo(at), message, kind });
}

/** RFC 6901. */
function pointerTo(at: Place): string {
  if (!at.up) return '';
  return `${pointerTo(at.up)}/${String(at.step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function check(shape: Shape, value: unknown, rule: string): Problem[] {
  if (shape.fits?.(value)) return [];
  const problems: Problem[] = [];
  shape(value, { rule, problems });
  return problems;
}

const isString = (value: unknown) => typeof value === 'string';

export const string: Shape = shapeOf(isString, (value, at) => {
  if (!isString(value)) fault(at, 'shape', 'must be a string');
});

export const boolean: Shape = (value, at) => {
  if (typeof value !== 'boolean') fault(at, 'shape', 'must be true or false');
};

export const number: Shape = (value, at) => {
  if (typeof value !== 'number') fault(at, 'shape', 'must be a number');
};

export const anObject: Shape = shapeOf(isObject, (value, at) => {
  if (!isObject(value)) fault(at, 'shape', 'must be an object');
});

export function integer(least?: number): Shape {
  const fits = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= (least ?? -Infinity);
  return shapeOf(fits, (value, at) => {
    if (typeof value !== 'number') fault(at, 'shape', 'must be an integer');
    else if (!Number.isSafeInteger(value)) fault(at, 'value', 'must be an integer');
    else if (least !== undefined && value < least) fault(at, 'value', `must be ${least} or more`);
  });
}

/** A string that also has to pass `test`. */
export function stringThat(test: (text: string) => boolean, message: string): Shape {
  const fits = (value: unknown) => typeof value === 'string' && test(value);
  return shapeOf(fits, (value, at) => {
    if (typeof value !== 'string') fault(at, 'shape', 'must be a string');
    else if (!test(value)) fault(at, 'value', message);
  });
}

export function oneOf(values: readonly string[], kind: 'shape' | 'value' = 'shape'): Shape {
  const fits = (value: unknown) => typeof value === 'string' && values.includes(value);
  return shapeOf(fits, (value, at) => {
    if (typeof value !== 'string') fault(at, 'shape', `must be one of ${values.join(', ')}`);
    else if (!values.includes(value)) fault(at, kind, `must be one of ${values.join(', ')}`);
  });
}

export function orNull(shape: Shape): Shape {
  return (value, at) => {
    if (value !== null) shape(value, at);
  };
}

/** Of a value that nothing here reads: it may be of any shape, and is still only not allowed. */
export function unread(shape: Shape): Shape {
  return (value, at) => {
    const problems: Problem[] = [];
    shape(value, { ...at, problems });
    const room = Math.max(0, MAX_PROBLEMS - at.problems.length);
    for (const problem of problems.slice(0, room)) at.problems.push({ ...problem, kind: 'value' });
  };
}

export function listOf(shape: Shape): Shape {
  const { fits } = shape;
  return shapeOf(fits && ((value) => Array.isArray(value) && value.every(fits)), (value, at) => {
    if (!Array.isArray(value)) return fault(at, 'shape', 'must be an array');
    value.forEach((item: unknown, i) => {
      shape(item, { ...at, step: i, up: at });
    });
  });
}

export interface Fields {
  readonly required?: Readonly<Record<string, Shape>>;
  readonly optional?: Readonly<Record<string, Shape>>;
}

/** An object with these fields; others are nobody's business. `rule` begins the name of the rule of each field. */
export function object(rule: string, { required = {}, optional = {} }: Fields): Shape {
  // listed once: a record has thousands of ranges
  const [musts, mays] = [Object.entries(required), Object.entries(optional)];
  return shapeOf(fieldsFit(musts, mays), (value, at) => {
    if (!isObject(value)) return fault(at, 'shape', 'must be an object');
    for (const [key, shape] of musts) {
      if (has(value, key)) shape(value[key], inside(at, rule, key));
      else fault(inside(at, rule, key), 'shape', 'is required');
    }
    for (const [key, shape] of mays) {
      if (has(value, key)) shape(value[key], inside(at, rule, key));
    }
  });
}

type Entries = readonly (readonly [key: string, shape: Shape])[];

/** Undefined where of one of them only the looking tells. */
function fieldsFit(musts: Entries, mays: Entries): Fits | undefined {
  if ([...musts, ...mays].some(([, shape]) => !shape.fits)) return undefined;
  return (value) => {
    if (!isObject(value)) return false;
    for (const [key, { fits }] of musts) if (!has(value, key) || !fits?.(value[key])) return false;
    for (const [key, { fits }] of mays) if (has(value, key) && !fits?.(value[key])) return false;
    return true;
  };
}

function has(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}

export function inside(at: Place, rule: string, key: string): Place {
  return { rule, field: key, step: key, up: at, problems: at.problems };
}

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(?:Z|[+-](\d\d):(\d\d))$/i;

/** The form that nearly all have, on a day that every month has: nothing about it has to be checked. */
const EVERY_MONTH = /^\d{4}-(?:0[1-9]|1[012])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;

/** Milliseconds since 1970 of an RFC 3339 date-time, or undefined. JavaScript itself also takes February 30 and local times. */
export function timeOf(text: string): number | undefined {
  if (EVERY_MONTH.test(text)) return Date.parse(text);
  const m = DATE_TIME.exec(text);
  if (!m) return undefined;
  const [year = 0, month = 0, day = 0] = m.slice(1, 4).map(Number);
  // the years of four centuries repeat; day 0 of the next month is the last of this one
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return undefined;
  const limits = [23, 59, 60, 23, 59];
  const clock = [m[4], m[5], m[6], m[8] ?? 0, m[9] ?? 0].map(Number);
  if (clock.some((part, i) => part > (limits[i] ?? 0))) return undefined;
  // JavaScript knows no leap seconds, and three digits of a second
  return Date.parse(
    text
      .toUpperCase()
      .replace(/:60(?=[.Z+-])/, ':59')
      .replace(/(\.\d{3})\d+/, '$1'),
  );
}

export const dateTime: Shape = stringThat((text) => timeOf(text) !== undefined, 'must be an RFC 3339 date-time');
