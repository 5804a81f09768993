import { countOf } from './fields.ts';
import type { CapturedText } from './session.ts';

/** Nobody waits for the hook of an edit: the plug-in says when it was. A time that cannot be is not believed. */
export function toldTime(value: unknown, now: number): number {
  const at = countOf(value);
  return at !== undefined && at <= now && now - at < 24 * 3600_000 ? at : now;
}

/** The whole of a file; null where there is none. */
export function isContent(value: unknown): value is CapturedText {
  return value === null || typeof value === 'string';
}
