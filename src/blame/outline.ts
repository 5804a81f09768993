import type { BlamedSpan } from '../git/blame.ts';
import { blamedLine } from '../git/blame.ts';
import { type AnnotatedLine, foundBy, type Knowledge, type LineBook, tell, UNCOVERED, UNRECORDED } from './annotate.ts';

/** Lines in a row of one commit of which the same is said: the last of them, without its text, and the first one's number. */
export interface Stretch {
  readonly start: number;
  readonly last: AnnotatedLine;
}

type Told = Omit<AnnotatedLine, 'blamed'>;

/**
 * What `annotate` says of the lines, before they are there: of a huge file this is little, and all that columns and headings are
 * made of.
 */
export function outlineOf(spans: readonly BlamedSpan[], knowledge: Knowledge & { readonly book: LineBook }): Stretch[] {
  const stretches: Stretch[] = [];
  for (const span of spans) {
    let [told, from]: [Told | undefined, number] = [undefined, 0];
    const close = (end: number) => {
      if (told && end > from) stretches.push({ start: span.start + from, last: tell(lineAt(span, end - 1), told) });
    };
    for (let at = 0; at < span.count; ) {
      const next = tellFrom(span, at, knowledge);
      if (!told || !isSame(told, next.told)) {
        close(at);
        [told, from] = [next.told, at];
      }
      at += next.count;
    }
    close(span.count);
  }
  return stretches;
}

function lineAt({ by, start, originalStart }: BlamedSpan, at: number) {
  return blamedLine(by, { line: start + at, originalLine: originalStart + at }, '');
}

/** What is said of one line of the span, and of how many that follow it too. */
function tellFrom(
  { by, start, originalStart, count }: BlamedSpan,
  at: number,
  { book, worktree, anchors }: Knowledge & { readonly book: LineBook },
): { readonly told: Told; readonly count: number } {
  if (by.uncommitted) return { told: worktree.get(start + at) ?? UNRECORDED, count: 1 };
  const line = originalStart + at;
  const { said, end } = book.findRow(by.commit, by.originalFile, line);
  if (typeof said !== 'string') return { told: said, count: Math.min(end - line + 1, count - at) };
  const file = anchors?.get(by.commit)?.get(by.originalFile);
  const anchored = file?.get(line);
  if (anchored) return { told: foundBy(anchored), count: 1 };
  if (said === 'not covered') return { told: UNCOVERED, count: 1 };
  // a commit without any record has none for its other lines either
  return { told: UNRECORDED, count: file ? 1 : count - at };
}

function isSame(a: Told, b: Told): boolean {
  return a.origin === b.origin && a.via === b.via && a.trace === b.trace && a.conversation === b.conversation;
}
