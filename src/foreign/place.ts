import { type AttributedRange, attributionsOf } from '../trace/attribution.ts';
import { hashVerdict } from '../trace/hashes.ts';
import { speaksOf } from '../trace/own.ts';
import type { TraceRecord } from '../trace/record.ts';
import type { CommitFile } from './claim.ts';

/** A commit that a stranger's record may speak of: the one that it names, or a child of that. */
export interface Candidate {
  readonly commit: string;
  readonly parents: readonly string[];
  findFile(path: string): CommitFile | undefined;
}

export type Placement =
  | { readonly commit: string; readonly by: 'name' | 'content' }
  | { readonly commit?: never; readonly reason: string };

/** So many ranges tell where a record belongs; the others follow. */
const MAX_RANGES = 500;

/**
 * The commit in whose note a record belongs. Several tools name HEAD at the time of the edit, the parent of the commit that will hold it:
 * put there, its line numbers would speak of other lines. So the commit must add the lines; a hash that fits decides, and where nothing
 * else does the one that the record names.
 */
export function placeRecord(record: TraceRecord, candidates: readonly Candidate[]): Placement {
  const ranges = attributionsOf(record).slice(0, MAX_RANGES);
  if (ranges.length === 0) return { reason: 'the record speaks of no lines' };
  const fits = candidates.flatMap((candidate): Fit[] => {
    const speaks = speaksOf(record, candidate.commit, candidate.parents);
    return speaks === 'other' ? [] : [fitOf(candidate, ranges, speaks === 'commit')];
  });
  if (fits.length === 0) return { reason: 'the revision that it names is not here' };
  const [best, next] = fits.filter((fit) => fit.matches > 0 || fit.adds).sort(compareFits);
  if (!best) return { reason: 'no commit adds the lines that it speaks of' };
  if (next && compareFits(best, next) === 0) return { reason: 'several commits add the lines that it speaks of' };
  return { commit: best.commit, by: best.named ? 'name' : 'content' };
}

interface Fit {
  readonly commit: string;
  readonly named: boolean;
  /** Ranges whose hash fits their lines. */
  readonly matches: number;
  /** The commit adds every line of every range. */
  readonly adds: boolean;
}

function compareFits(a: Fit, b: Fit): number {
  return b.matches - a.matches || Number(b.adds) - Number(a.adds) || Number(b.named) - Number(a.named);
}

function fitOf({ commit, findFile }: Candidate, ranges: readonly AttributedRange[], named: boolean): Fit {
  let matches = 0;
  let adds = true;
  for (const { path, start, end, contentHash } of ranges) {
    const file = findFile(path);
    const inside = file !== undefined && end <= file.lines.length;
    adds &&= inside && isAdded(file, start, end);
    if (inside && contentHash && hashVerdict(contentHash, file.lines.slice(start - 1, end)) === 'match') matches++;
  }
  return { commit, named, matches, adds };
}

/** Ranges of a diff do not touch each other: what is added as a whole is inside one. */
function isAdded({ added }: CommitFile, start: number, end: number): boolean {
  return added === undefined || added.some((range) => range.start <= start && end <= range.end);
}
