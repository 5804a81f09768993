import { HASH_LENGTH } from '../lines/hash.ts';
import type { Origin } from '../lines/origin.ts';
import { originsOf, standing } from '../trace/covers.ts';
import { committedAt } from '../trace/own.ts';
import type { TraceRecord } from '../trace/record.ts';

/** A line that some commit's note speaks of, as it can be recognised elsewhere. */
export interface SourceLine {
  readonly line: number;
  /** Absent in records that are not ours: then the line is known only by its place. */
  readonly hash?: string;
  readonly origin: Origin;
  readonly record: string;
  readonly url?: string;
}

/** What a note says of one file, in order of lines. */
export interface SourceFile {
  readonly path: string;
  /** The file's content in that commit, by its id. */
  readonly blob?: string;
  readonly lines: readonly SourceLine[];
}

/** A commit that has a record, and that others may stem from. It need not exist any more. */
export interface Source {
  readonly commit: string;
  /** When it was committed, by its record. */
  readonly time: number;
  readonly files: ReadonlyMap<string, SourceFile>;
}

export function sourceOf(commit: string, records: readonly TraceRecord[]): Source {
  const counted = standing(records);
  const paths = new Set(counted.flatMap((record) => record.files.map(({ path }) => path)));
  const files = new Map<string, SourceFile>();
  for (const path of paths) files.set(path, fileOf(counted, path));
  const times = counted.flatMap((record) => committedAt(record) ?? []);
  return { commit, time: times.length > 0 ? Math.min(...times) : 0, files };
}

function fileOf(records: readonly TraceRecord[], path: string): SourceFile {
  const lines: SourceLine[] = [];
  let blob: string | undefined;
  for (const { start, end, by } of originsOf(records, path).parts) {
    blob ??= by.blob;
    for (let line = start; line <= end && lines.length < MAX_LINES; line++) {
      const at = (line - by.start) * HASH_LENGTH;
      const hash = by.lineHashes?.slice(at, at + HASH_LENGTH);
      lines.push({ line, origin: by.origin, record: by.record, ...(hash && { hash }), ...(by.url && { url: by.url }) });
    }
  }
  return { path, lines, ...(blob !== undefined && { blob }) };
}

/** A record may claim more lines than any file has. */
const MAX_LINES = 2_000_000;
