import type { BlamedLine } from '../git/blame.ts';
import { type ContributorType, type Origin, unknown, type Via } from '../lines/origin.ts';

/** What a record says of a line, and how the record was found. */
export interface Found {
  readonly origin: Origin;
  readonly via: Via;
  /** Id of the record. */
  readonly trace?: string;
  /** Where the conversation can be read. */
  readonly conversation?: string;
}

/** The records, by the place a line had in the commit that wrote it. */
export interface RecordBook {
  find(commit: string, file: string, line: number): Found | 'no record' | 'not covered';
}

/** A line of git's blame and where it comes from. */
export interface AnnotatedLine extends Omit<Found, 'via'> {
  readonly blamed: BlamedLine;
  readonly via?: Via;
}

export const NO_RECORD = 'no record';
export const NOT_COVERED = 'the record does not speak of this line';

/** Each line once, in order: a line nobody speaks of is `unknown`, never left out. */
export function annotate(
  lines: readonly BlamedLine[],
  book: RecordBook,
  worktree: ReadonlyMap<number, Found>,
): AnnotatedLine[] {
  return lines.map((blamed) => {
    const found = blamed.uncommitted
      ? (worktree.get(blamed.line) ?? 'no record')
      : book.find(blamed.commit, blamed.originalFile, blamed.originalLine);
    if (found === 'no record') return { blamed, origin: unknown(NO_RECORD) };
    if (found === 'not covered') return { blamed, origin: unknown(NOT_COVERED) };
    return { blamed, ...found };
  });
}

export type Summary = Readonly<Record<ContributorType, number>> & { readonly total: number };

export function summarise(lines: readonly { readonly origin: Origin }[]): Summary {
  const counts = { total: lines.length, ai: 0, human: 0, mixed: 0, unknown: 0 };
  for (const { origin } of lines) counts[origin.type]++;
  return counts;
}
