import type { PrintedBlame } from '../git/blame.ts';
import type { ContributorType, Origin } from '../lines/origin.ts';
import type { AnnotatedLine, Summary } from './annotate.ts';

/** Some lines of a file in a row, and what git printed of them, where git did. */
export interface Slice {
  readonly lines: readonly AnnotatedLine[];
  readonly printed?: PrintedBlame;
}

/** Prints a file in slices of any size: what comes out does not depend on where they are cut. */
export interface Printer {
  begin(): string;
  some(slice: Slice): Iterable<string | Uint8Array>;
  end(): string;
}

/** The same for a file that is there as a whole. */
export function* printWhole<T extends string | Uint8Array>(
  { begin, some, end }: { begin(): string; some(slice: Slice): Iterable<T>; end(): string },
  slice: Slice,
): Generator<string | T> {
  const head = begin();
  if (head !== '') yield head;
  yield* some(slice);
  const foot = end();
  if (foot !== '') yield foot;
}

/** Counts lines as they go by. */
export class Tally {
  readonly #counts: Record<ContributorType, number> = { ai: 0, human: 0, mixed: 0, unknown: 0 };
  #total = 0;

  add({ type }: Origin): void {
    this.#total++;
    this.#counts[type]++;
  }

  get summary(): Summary {
    return { total: this.#total, ...this.#counts };
  }
}
