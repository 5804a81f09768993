import type { Anchored } from '../anchor/target.ts';
import { type LineBook, NO_RECORD, NOT_COVERED } from '../blame/annotate.ts';
import { type Origin, sameOrigin, unknown, type Via } from '../lines/origin.ts';
import type { LineRange } from '../lines/range.ts';
import type { Run } from './run.ts';

/** Lines of one file that one commit wrote, as they are counted there; `at` is where they stand now, if that is another place. */
export interface WrittenLines extends LineRange {
  readonly commit: string;
  readonly file: string;
  readonly at?: { readonly path: string; readonly start: number };
}

export interface KnownLines {
  readonly book: LineBook;
  /** What anchoring found of lines that no note of their commit speaks of. */
  anchored?(commit: string, file: string, line: number): Anchored | undefined;
}

interface Told {
  readonly origin: Origin;
  readonly via?: Via;
  readonly trace?: string;
  readonly conversation?: string;
}

const WITHOUT: Readonly<Record<'no record' | 'not covered', Told>> = {
  'no record': { origin: unknown(NO_RECORD) },
  'not covered': { origin: unknown(NOT_COVERED) },
};

/** Every line in exactly one run, in order, cut where the origin changes. */
export function runsOf(lines: WrittenLines, known: KnownLines): Run[] {
  const { commit, file, start, end, at } = lines;
  const shift = (at?.start ?? start) - start;
  const runs: Run[] = [];
  let open: { told: Told; from: number } | undefined;
  const close = (to: number) => {
    if (!open) return;
    runs.push({ commit, path: at?.path ?? file, start: open.from + shift, end: to + shift, ...open.told });
  };
  for (let line = start; line <= end; line++) {
    const told = tellOf(lines, line, known);
    if (!open || !sameTold(open.told, told)) {
      close(line - 1);
      open = { told, from: line };
    }
    if (told.via === 'note') line = Math.min(known.book.until(commit, file, line), end);
  }
  close(end);
  return runs;
}

function tellOf({ commit, file }: WrittenLines, line: number, { book, anchored }: KnownLines): Told {
  const found = book.find(commit, file, line);
  if (typeof found !== 'string') return found;
  const again = anchored?.(commit, file, line);
  if (!again) return WITHOUT[found];
  const { origin, via, record: trace, url } = again;
  return { origin, via, trace, ...(url !== undefined && { conversation: url }) };
}

function sameTold(a: Told, b: Told): boolean {
  return (
    a === b ||
    (a.via === b.via && a.trace === b.trace && a.conversation === b.conversation && sameOrigin(a.origin, b.origin))
  );
}
