import { type JsonObject, parseJson } from '../json.ts';
import { objectOf } from './fields.ts';

/** Longer lines are not looked at. */
const MAX_LINE = 64 << 20;
/** Kinds of skipped input that are told apart. */
const MAX_KINDS = 50;

/** Counts by kind. */
export type Skipped = Record<string, number>;

export function skip(skipped: Skipped, kind: string): void {
  const known = Object.hasOwn(skipped, kind) || Object.keys(skipped).length < MAX_KINDS;
  const key = known ? kind.slice(0, 60) : 'other';
  skipped[key] = (skipped[key] ?? 0) + 1;
}

/** The objects of a file that has one to a line; whatever is none is counted. */
export function* parseJsonLines(lines: Iterable<string>, skipped: Skipped): Generator<JsonObject> {
  for (const raw of lines) {
    // a crash may leave blocks of NUL in front of what was written next
    const text = raw.replace(/^[\s\0\uFEFF]+|[\s\0]+$/g, '');
    if (text === '') continue;
    const parsed = parseJson(text, MAX_LINE);
    const fields = 'value' in parsed ? objectOf(parsed.value) : undefined;
    if (fields) yield fields;
    else skip(skipped, 'broken line');
  }
}

/** The object that a whole file is. */
export function parseJsonFile(text: string): unknown {
  const parsed = parseJson(text.replace(/^\uFEFF/, ''), MAX_FILE);
  return 'value' in parsed ? parsed.value : undefined;
}

const MAX_FILE = 256 << 20;
