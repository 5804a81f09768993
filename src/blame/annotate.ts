import type { Anchored, Anchors } from '../anchor/target.ts';
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

export type Answer = Found | 'no record' | 'not covered';

/** The records, by the place a line had in the commit that wrote it. */
export interface RecordBook {
  find(commit: string, file: string, line: number): Answer;
}

export interface Row {
  readonly said: Answer;
  readonly end: number;
}

/** The same for who goes through many lines in a row. */
export interface LineBook extends RecordBook {
  /** What is said of a line, and the last line in a row of which the same is; those that are not covered are told one by one. */
  findRow(commit: string, file: string, line: number): Row;
}

/** A line of git's blame and where it comes from. */
export interface AnnotatedLine extends Omit<Found, 'via'> {
  readonly blamed: BlamedLine;
  readonly via?: Via;
}

export const NO_RECORD = 'no record';
export const NOT_COVERED = 'the record does not speak of this line';

/** What is known of lines, best first. */
export interface Knowledge {
  readonly book: RecordBook;
  /** Of lines that are not committed. */
  readonly worktree: ReadonlyMap<number, Found>;
  /** Of lines that the notes of their own commits do not speak of: by commit, file and line. */
  readonly anchors?: ReadonlyMap<string, Anchors>;
}

/** Each line once, in order: a line nobody speaks of is `unknown`, never left out. */
export function annotate(lines: readonly BlamedLine[], { book, worktree, anchors }: Knowledge): AnnotatedLine[] {
  return lines.map((blamed) => {
    if (blamed.uncommitted) return tell(blamed, worktree.get(blamed.line) ?? UNRECORDED);
    const { commit, originalFile, originalLine } = blamed;
    const found = book.find(commit, originalFile, originalLine);
    if (typeof found !== 'string') return tell(blamed, found);
    const anchored = anchors?.get(commit)?.get(originalFile)?.get(originalLine);
    if (anchored) return tell(blamed, foundBy(anchored));
    return tell(blamed, found === 'no record' ? UNRECORDED : UNCOVERED);
  });
}

export const UNRECORDED: Omit<AnnotatedLine, 'blamed'> = { origin: unknown(NO_RECORD) };
export const UNCOVERED: Omit<AnnotatedLine, 'blamed'> = { origin: unknown(NOT_COVERED) };

/** Field by field: a file has many lines. */
export function tell(
  blamed: BlamedLine,
  { origin, via, trace, conversation }: Omit<AnnotatedLine, 'blamed'>,
): AnnotatedLine {
  const line: { -readonly [K in keyof AnnotatedLine]: AnnotatedLine[K] } = { blamed, origin };
  if (via !== undefined) line.via = via;
  if (trace !== undefined) line.trace = trace;
  if (conversation !== undefined) line.conversation = conversation;
  return line;
}

export function foundBy({ origin, via, record, url }: Anchored): Found {
  return { origin, via, trace: record, ...(url !== undefined && { conversation: url }) };
}

export type Summary = Readonly<Record<ContributorType, number>> & { readonly total: number };

export function summarise(lines: readonly { readonly origin: Origin }[]): Summary {
  const counts = { total: lines.length, ai: 0, human: 0, mixed: 0, unknown: 0 };
  for (const { origin } of lines) counts[origin.type]++;
  return counts;
}
