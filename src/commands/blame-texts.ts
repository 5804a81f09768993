import { Fault } from '../fault.ts';
import { type BlamedLine, type BlamedSpan, blamedLine, withoutEnd } from '../git/blame.ts';

/** Bytes that are made lines of together: a screen of them is there at once. */
const PORTION = 1 << 18;
const LF = 10;

/** The lines of a text whose writers are known, in slices. What has more or fewer lines than that is another text. */
export function* ownSlices(
  bytes: Buffer,
  spans: readonly BlamedSpan[],
  portion = PORTION,
): Generator<{ readonly lines: readonly BlamedLine[] }> {
  let [at, nth] = [0, 0];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LF, Math.min(from + portion, bytes.length) - 1) + 1 || bytes.length;
    const text = bytes.toString('latin1', from, end);
    from = end;
    const lines: BlamedLine[] = [];
    for (let start = 0; start < text.length; ) {
      const span = spans[at];
      if (!span) throw changed();
      const found = text.indexOf('\n', start);
      const stop = found < 0 ? text.length : found;
      const place = { line: span.start + nth, originalLine: span.originalStart + nth };
      lines.push(blamedLine(span.by, place, withoutEnd(text, start, stop)));
      start = stop + 1;
      nth++;
      if (nth === span.count) [at, nth] = [at + 1, 0];
    }
    yield { lines };
  }
  if (at < spans.length) throw changed();
}

export function changed(): Fault {
  return new Fault('surroundings', 'The file was changed while it was read: ask once more.');
}
