import { isObject, parseJson } from '../json.ts';

const [EVENTS, BEHIND] = ['"events":[', '],"metrics":'];

/**
 * The text of a document as we print it, without its events, which are most of it: from its first bytes and its last ones. Undefined where
 * it is another's. Quotes inside of strings are escaped, so that what is found is no part of one; found deeper than it should be, what is
 * left is no JSON, or has no events.
 */
export function withoutEvents(first: Buffer, last: Buffer): string | undefined {
  const [start, end] = [first.indexOf(EVENTS), last.lastIndexOf(BEHIND)];
  if (start < 0 || end < 0) return undefined;
  const text = first.toString('utf8', 0, start + EVENTS.length) + last.toString('utf8', end);
  const parsed = parseJson(text, text.length);
  return 'value' in parsed && isObject(parsed.value) && Array.isArray(parsed.value.events) ? text : undefined;
}
