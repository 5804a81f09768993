import type { ReportedCommit } from '../report/run.ts';

/** What a page says beside the report's figures. */
export interface PageFacts {
  /** The repository's name, for the title. */
  readonly repository: string;
  /** When the page was made, in seconds since 1970. */
  readonly made: number;
  /** Of this program. */
  readonly version: string;
  /** By id: dates, authors and subjects. */
  readonly commits: ReadonlyMap<string, ReportedCommit>;
}

/** What every section is given: the facts, and the places that files have on the page. */
export interface Page {
  readonly facts: PageFacts;
  /** By path: the id of the element with the file's lines, where the file is listed. */
  readonly places: ReadonlyMap<string, string>;
}
