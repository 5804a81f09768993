import type { ContributorType } from '../lines/origin.ts';
import type { Report } from './report.ts';
import type { Excluded, Scope } from './run.ts';
import { type Counts, KINDS } from './tally.ts';

/** Integers in the proportion of `parts` that add up to `whole`: what rounding down leaves over goes to those who lost most by it. */
export function apportion(parts: readonly number[], whole: number): number[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (total === 0) return parts.map(() => 0);
  const shares = parts.map((part) => Math.floor((part * whole) / total));
  const lost = (i: number) => ((parts[i] ?? 0) * whole) % total;
  const order = parts.map((_, i) => i).sort((a, b) => lost(b) - lost(a) || a - b);
  const left = whole - shares.reduce((sum, share) => sum + share, 0);
  for (const i of order.slice(0, left)) shares[i] = (shares[i] ?? 0) + 1;
  return shares;
}

/**
 * One text for each part, each rounded by itself: equal counts of one whole have equal figures, in whatever table, though the sum may be 99 or
 * 101. `0 %` is none at all, `100 %` is everything.
 */
export function percentages(parts: readonly number[]): string[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => {
    const points = total === 0 ? 0 : Math.round((100 * part) / total);
    if (points === 0 && part > 0) return '<1 %';
    return points === 100 && part < total ? '>99 %' : `${points} %`;
  });
}

/** The same for the four kinds, so that a kind has the same figure wherever the same lines are told of. */
export function kindPercentages(counts: Counts): Readonly<Record<ContributorType, string>> {
  const [ai = '', mixed = '', human = '', unknown = ''] = percentages(KINDS.map((kind) => counts[kind]));
  return { ai, mixed, human, unknown };
}

/** 1234567 -> 1,234,567 */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** 1,234 lines, 1 file */
export function howMany(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** `62 % of 1,234 added lines were written by agents`: the sentence, and what else has to be known to read it rightly. */
export function headline({ scope, counts }: Pick<Report, 'scope' | 'counts'>): { says: string; and: string } {
  if (counts.total === 0) return { says: `No ${scope.kind} lines to count`, and: '' };
  const percent = kindPercentages(counts);
  const lines = howMany(counts.total, `${scope.kind} line`);
  const mixed = counts.mixed === 0 ? '' : `, ${percent.mixed} by agents and people together`;
  const unknown = counts.unknown === 0 ? '' : `; ${percent.unknown} unknown`;
  return {
    says: `${percent.ai} of ${lines} ${counts.total === 1 ? 'was' : 'were'} written by agents`,
    and: mixed + unknown,
  };
}

/** What was looked at: its name, and how much of it there is. */
export function scopeOf(scope: Scope): { readonly name: string; readonly size: string } {
  switch (scope.kind) {
    case 'added':
      return { name: scope.range, size: howMany(scope.commits, 'commit') };
    case 'standing':
      return { name: scope.revision, size: howMany(scope.files, 'file') };
  }
}

/** `3 of 12 commits`; of standing lines the commits are not counted. */
export function unrecordedOf({ scope, unrecorded }: Pick<Report, 'scope' | 'unrecorded'>): string {
  return scope.kind === 'added'
    ? `${grouped(unrecorded.length)} of ${howMany(scope.commits, 'commit')}`
    : howMany(unrecorded.length, 'commit');
}

/** `2 files, 1,210 lines` */
export function excludedSize(excluded: readonly Excluded[]): string {
  const lines = excluded.reduce((sum, one) => sum + one.lines, 0);
  return `${howMany(excluded.length, 'file')}, ${howMany(lines, 'line')}`;
}

/** Notes that were not read and commits that were not looked into are counted together. */
export function skippedSize(skipped: number): string {
  return skipped === 1 ? '1 note or commit' : `${grouped(skipped)} notes or commits`;
}

/** The sum of several counts. */
export function sumOf(all: readonly Counts[]): Counts {
  const sum = (pick: (counts: Counts) => number) => all.reduce((total, counts) => total + pick(counts), 0);
  return {
    total: sum(({ total }) => total),
    ai: sum(({ ai }) => ai),
    mixed: sum(({ mixed }) => mixed),
    human: sum(({ human }) => human),
    unknown: sum(({ unknown }) => unknown),
  };
}

/** The first few, and how many are not among them. */
export function first<T>(items: readonly T[], few: number): { readonly shown: readonly T[]; readonly more: number } {
  return { shown: items.slice(0, few), more: Math.max(0, items.length - few) };
}

/** `name lines` of those that are not none. */
export function nonZero(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).flatMap(([name, lines]) => (lines === 0 ? [] : [`${name} ${grouped(lines)}`]));
}
