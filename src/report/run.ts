import type { Origin, Via } from '../lines/origin.ts';

/** Lines of one file that one commit added by one hand: what reports count and checks judge. */
export interface Run {
  readonly commit: string;
  readonly path: string;
  /** In the file as the commit left it; of standing lines: in the file as it stands. */
  readonly start: number;
  readonly end: number;
  readonly origin: Origin;
  /** How the record was found; none where there is no record. */
  readonly via?: Via;
  /** Id of the record. */
  readonly trace?: string;
  /** Where the conversation can be read. */
  readonly conversation?: string;
}

/** What a report says of a commit itself. */
export interface ReportedCommit {
  readonly id: string;
  readonly author: string;
  readonly mail: string;
  /** The author's, in seconds since 1970. */
  readonly time: number;
  readonly subject: string;
  /** Whether any record speaks of it, found in whatever way. */
  readonly recorded: boolean;
}

/** A file that is not counted, and why: `generated`, `lock file`, `binary`, `policy`. */
export interface Excluded {
  readonly path: string;
  readonly why: ExcludedWhy;
  readonly lines: number;
}

export type ExcludedWhy = 'generated' | 'lock file' | 'binary' | 'policy';

/** Everything that was looked at: the input of a report and of a check. */
export interface Survey {
  readonly scope: Scope;
  readonly runs: readonly Run[];
  readonly commits: ReadonlyMap<string, ReportedCommit>;
  readonly excluded: readonly Excluded[];
  /** Notes that are too large, damaged or not here, and commits whose contents are not. */
  readonly skipped: number;
  /** Commits whose notes were read, but for some lines of them: each counts as skipped. */
  readonly partly?: readonly string[];
  /** Commits of which a note could not be read at all. */
  readonly spoilt?: readonly string[];
  /** Those commits. */
  readonly lacking?: readonly string[];
  /** Refs of notes that cannot be read, or not all of them. */
  readonly unread?: readonly string[];
  /** Those of them that come with what is looked at: a push of notes. */
  readonly brought?: readonly string[];
  /** Refs of notes that a push takes away. */
  readonly taken?: readonly string[];
}

/** Lines that the commits of a range added, or those that stand at a revision. */
export type Scope =
  | { readonly kind: 'added'; readonly range: string; readonly commits: number }
  | { readonly kind: 'standing'; readonly revision: string; readonly files: number };

export function linesIn({ start, end }: { readonly start: number; readonly end: number }): number {
  return end - start + 1;
}
