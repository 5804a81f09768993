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

/** Lines that one commit wrote, and the runs that records make of them. */
export interface ToldLines {
  readonly lines: WrittenLines;
  readonly runs: readonly Run[];
}

export interface KnownLines {
  readonly book: LineBook;
  /** What anchoring found of lines that no note of their commit speaks of. */
  anchored?(commit: string, file: string, line: number): Anchored | undefined;
}

/** What is said of a line. */
export interface Told {
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
  const { commit, file, start, end } = lines;
  const runs: Run[] = [];
  let [open, from]: [Told | undefined, number] = [undefined, start];
  for (let line = start; line <= end; ) {
    const row = known.book.findRow(commit, file, line);
    const told = typeof row.said === 'string' ? tellBare(lines, line, row.said, known) : row.said;
    if (!open || !sameTold(open, told)) {
      if (open) runs.push(runOf(lines, open, { start: from, end: line - 1 }));
      [open, from] = [told, line];
    }
    line = row.end + 1;
  }
  if (open) runs.push(runOf(lines, open, { start: from, end }));
  return runs;
}

/** Field by field: a thousand commits have many. */
export function runOf({ commit, file, start, at }: WrittenLines, told: Told, range: LineRange): Run {
  const shift = (at?.start ?? start) - start;
  const run: { -readonly [K in keyof Run]: Run[K] } = {
    commit,
    path: at?.path ?? file,
    start: range.start + shift,
    end: range.end + shift,
    origin: told.origin,
  };
  if (told.via !== undefined) run.via = told.via;
  if (told.trace !== undefined) run.trace = told.trace;
  if (told.conversation !== undefined) run.conversation = told.conversation;
  return run;
}

function tellBare(
  { commit, file }: WrittenLines,
  line: number,
  said: keyof typeof WITHOUT,
  { anchored }: KnownLines,
): Told {
  const again = anchored?.(commit, file, line);
  if (!again) return WITHOUT[said];
  const { origin, via, record: trace, url } = again;
  return { origin, via, trace, ...(url !== undefined && { conversation: url }) };
}

export function sameTold(a: Told, b: Told): boolean {
  return (
    a === b ||
    (a.via === b.via && a.trace === b.trace && a.conversation === b.conversation && sameOrigin(a.origin, b.origin))
  );
}
