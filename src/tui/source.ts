import type { AnnotatedLine } from '../blame/annotate.ts';
import type { ToldLine } from '../conversation/print-story.ts';
import type { ExcludedWhy } from '../report/run.ts';
import type { Counts } from '../report/tally.ts';

/** A file as it stood at one moment, each line with its origin. */
export interface ShownFile {
  /** From the top of the repository. */
  readonly path: string;
  /** The commit it is shown at; null for the work tree. */
  readonly revision: string | null;
  readonly lines: readonly AnnotatedLine[];
  /** Hex digits that tell the commits apart. */
  readonly abbrev: number;
  /** Notes that are too large, or not here. */
  readonly skipped: number;
}

/** What made a line, and what its record's seal proves. */
export interface Story extends ToldLine {
  readonly event: string | null;
  readonly summary: string | null;
  readonly seal: string | null;
}

/** A file before a line was written, and the place where the line came to stand (from 1). */
export interface Before {
  readonly file: ShownFile;
  readonly line: number;
}

/** One file of the repository: its lines by origin, or why they are not counted; neither while they are still to be. */
export interface FileShare {
  readonly path: string;
  readonly counts: Counts | undefined;
  readonly why: ExcludedWhy | undefined;
}

/** Who hears of the files of a commit: first of all of them by name, then of their shares as they are counted. */
export interface SharesHearer {
  listed(files: readonly FileShare[]): void;
  counted(files: readonly FileShare[]): void;
  progress(done: number, of: number): void;
  /** Nobody listens any more. */
  readonly signal: AbortSignal;
}

/** Where the view gets what it shows: it never asks git itself. Failures are faults, whose sentence is shown. */
export interface Source {
  /** At a commit, or in the work tree. */
  file(path: string, revision: string | null): Promise<ShownFile>;
  /** The file in the parent of the line's commit; undefined where there is none. */
  before(file: ShownFile, line: AnnotatedLine): Promise<Before | undefined>;
  story(file: ShownFile, line: AnnotatedLine): Promise<Story>;
  /** Every file at a commit (null: the newest), with shares. */
  shares(revision: string | null, hearer: SharesHearer): Promise<void>;
}
