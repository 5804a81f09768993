import { type Origin, sameOrigin, unknown } from '../lines/origin.ts';
import type { LineRange } from '../lines/range.ts';
import type { Lines } from '../lines/text.ts';
import { buildRecords, type OriginFile, type OriginRun } from '../trace/build.ts';
import type { TraceRecord, Vcs } from '../trace/record.ts';

/** What another tool says of some lines of a file in one commit. */
export interface Claim extends LineRange {
  readonly path: string;
  readonly origin: Origin;
}

/** The file as it is in the commit. */
export interface CommitFile {
  readonly blob: string;
  readonly lines: Lines;
  /** The lines that the commit adds: no other tool's word counts for the rest. Absent: all of them. */
  readonly added?: readonly LineRange[];
}

export interface ImportContext {
  readonly commit: string;
  readonly vcs: Vcs;
  /** The commit's time, in milliseconds since 1970. */
  readonly time: number;
  readonly ownVersion: string;
  readonly changeId?: string;
  readonly conversationUrl?: string;
  readonly supersedes?: readonly string[];
  findFile(path: string): CommitFile | undefined;
  /** The models.dev id of what the other tool calls a model, where it is one for certain. */
  modelOf?(tool: string, model: string): string | undefined;
}

export interface Imported {
  readonly records: readonly TraceRecord[];
  /** Claims on files that are not in the commit, or on lines that are not in the file or not the commit's. */
  readonly skipped: number;
}

/**
 * Records of ours that say what the other tool says, as its word (`declared`). They carry hashes of the lines, which its own notes do not:
 * from here on the lines are found again whatever becomes of the commit.
 */
export function recordsOf(claims: readonly Claim[], context: ImportContext, declaredBy: string): Imported {
  const byPath = new Map<string, Claim[]>();
  for (const claim of claims) {
    const same = byPath.get(claim.path);
    if (same) same.push(claim);
    else byPath.set(claim.path, [claim]);
  }
  let skipped = 0;
  const files: OriginFile[] = [];
  for (const [path, mine] of byPath) {
    const file = context.findFile(path);
    const taken = file ? runsOf(mine, file) : { runs: [], skipped: mine.length };
    skipped += taken.skipped;
    if (file && taken.runs.length > 0) files.push({ path, blob: file.blob, runs: taken.runs });
  }
  return { records: buildRecords({ ...context, declaredBy, files }), skipped };
}

/** Honest claims hardly overlap; those that go over a file again and again are not worked out. */
const MAX_PASSES = 4;

function runsOf(claims: readonly Claim[], file: CommitFile): { runs: OriginRun[]; skipped: number } {
  const total = file.lines.length;
  const open = openLines(file);
  const origins = new Map<number, Origin>();
  let skipped = 0;
  let budget = MAX_PASSES * total;
  for (const { start, end, origin } of claims) {
    const last = Math.min(end, total);
    budget -= Math.max(last - start + 1, 0);
    let taken = 0;
    for (let line = start; budget >= 0 && line <= last; line++) {
      if (!open(line)) continue;
      const other = origins.get(line);
      origins.set(line, other && !sameOrigin(other, origin) ? unknown(CONTRADICTION) : origin);
      taken++;
    }
    if (taken === 0) skipped++;
  }
  const runs = [...origins].map(([start, origin]) => ({ start, lines: [file.lines[start - 1] ?? ''], origin }));
  return { runs, skipped };
}

const CONTRADICTION = 'the imported note names two writers';

function openLines({ lines, added }: CommitFile): (line: number) => boolean {
  if (!added) return () => true;
  const open = new Uint8Array(lines.length + 1);
  for (const { start, end } of added) open.fill(1, Math.max(start, 0), Math.max(end + 1, 0));
  return (line) => open[line] === 1;
}
