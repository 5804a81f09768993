const [EVENTS, BEHIND] = ['"events":[', '],"metrics":'];

/**
 * The text of a document as we print it, without its events, which are most of it; undefined where it is another's. Quotes inside of
 * strings are escaped, so that what is found is no part of one; and were it found deeper than it should be, what is left would be no JSON.
 */
export function withoutEvents(bytes: Buffer): string | undefined {
  const [start, end] = [bytes.indexOf(EVENTS), bytes.lastIndexOf(BEHIND)];
  if (start < 0 || end < start) return undefined;
  return bytes.toString('utf8', 0, start + EVENTS.length) + bytes.toString('utf8', end);
}
