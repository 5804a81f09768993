import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../json.ts';

/**
 * Some agents' hooks do not tell the id of a call, their transcripts do. What is called with what is the same in both: by its print,
 * and by when it was, the two are known to be one.
 */
export function printOf(name: string, input: JsonObject | string): string {
  return createHash('sha256')
    .update(`${name}\0${stable(input)}`)
    .digest('hex')
    .slice(0, 16);
}

const LOOSE = 'hook-';

/** The id of a call that a hook tells of without one. */
export function looseId(name: string, input: JsonObject | string): string {
  return `${LOOSE}${printOf(name, input)}`;
}

/** The same for an edit: of its call only the end is heard, so that its time makes it one. */
export function looseEditId(name: string, input: JsonObject | string, at: number): string {
  return `${looseId(name, input)}-${at}`;
}

export function isLoose(event: string): boolean {
  return event.startsWith(LOOSE);
}

/** JSON that does not depend on the order of keys. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
