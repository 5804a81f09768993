import { type ContributorType, EVIDENCE, type Evidence, type Via } from '../lines/origin.ts';
import { linesIn, type Run } from './run.ts';

/** Lines by who wrote them; the four kinds add up to the total. */
export type Counts = Readonly<Record<ContributorType, number>> & { readonly total: number };

export const KINDS = ['ai', 'mixed', 'human', 'unknown'] as const satisfies readonly ContributorType[];
export const VIAS = [
  'note',
  'rewrite',
  'change-id',
  'patch-id',
  'content',
  'worktree',
] as const satisfies readonly Via[];

export function tally(runs: Iterable<Run>): Counts {
  const counts = { total: 0, ai: 0, human: 0, mixed: 0, unknown: 0 };
  for (const run of runs) {
    counts.total += linesIn(run);
    counts[run.origin.type] += linesIn(run);
  }
  return counts;
}

/** Lines by how sure we are; `none` is what is unknown. */
export type EvidenceCounts = Readonly<Record<Evidence | 'none', number>>;
/** Lines by how their record was found; `none` has no record. */
export type ViaCounts = Readonly<Record<Via | 'none', number>>;

export function countEvidence(runs: Iterable<Run>): EvidenceCounts {
  return countBy(runs, [...EVIDENCE, 'none'], ({ origin }) => origin.evidence ?? 'none');
}

export function countVia(runs: Iterable<Run>): ViaCounts {
  return countBy(runs, [...VIAS, 'none'], ({ via }) => via ?? 'none');
}

function countBy<K extends string>(runs: Iterable<Run>, keys: readonly K[], keyOf: (run: Run) => K): Record<K, number> {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
  for (const run of runs) counts[keyOf(run)] += linesIn(run);
  return counts;
}

/** Part of a whole as a fraction; nothing of nothing is none. */
export function share(part: number, { total }: { readonly total: number }): number {
  return total === 0 ? 0 : part / total;
}
