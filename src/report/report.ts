import type { Excluded, Run, Scope, Survey } from './run.ts';
import { linesIn } from './run.ts';
import { type Counts, countEvidence, countVia, type EvidenceCounts, tally, type ViaCounts } from './tally.ts';

export const DIMENSIONS = ['model', 'tool', 'author', 'path', 'session', 'week'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Some lines that have something in common. */
export interface Group {
  /** What they have in common: a model's id, an author's name and address, a path, the Monday of a week. */
  readonly key: string;
  readonly counts: Counts;
}

/** One file, and its lines in order: what a reader drills down to. */
export interface ReportedFile {
  readonly path: string;
  readonly counts: Counts;
  readonly runs: readonly Run[];
}

export interface Report {
  readonly schema: 'git-agent-blame/report@1';
  readonly scope: Scope;
  readonly counts: Counts;
  readonly evidence: EvidenceCounts;
  readonly via: ViaCounts;
  /** Why lines are unknown, most first. */
  readonly reasons: readonly { readonly reason: string; readonly lines: number }[];
  readonly by: Readonly<Record<Dimension, readonly Group[]>>;
  readonly files: readonly ReportedFile[];
  /** Commits of the survey that no record speaks of. */
  readonly unrecorded: readonly string[];
  readonly excluded: readonly Excluded[];
  readonly skipped: number;
  /** Refs of notes that cannot be read, or not all of them. */
  readonly unread: readonly string[];
}

/** The figures of a survey. Every grouping counts every line once, so each adds up to the whole. */
export function reportOf(survey: Survey): Report {
  const { scope, runs, excluded, skipped, unread = [] } = survey;
  const by = Object.fromEntries(DIMENSIONS.map((one) => [one, groupBy(survey, one)]));
  return {
    schema: 'git-agent-blame/report@1',
    scope,
    counts: tally(runs),
    evidence: countEvidence(runs),
    via: countVia(runs),
    reasons: reasonsOf(runs),
    by: by as Record<Dimension, Group[]>,
    files: filesOf(runs),
    unrecorded: unrecordedIn(survey),
    excluded,
    skipped,
    unread,
  };
}

/** For lines without a model, a tool or a session: who wrote them says more than a blank. */
function keyOf({ commits }: Survey, dimension: Dimension): (run: Run) => string {
  const without = ({ origin }: Run) => (origin.type === 'ai' || origin.type === 'mixed' ? 'not known' : origin.type);
  switch (dimension) {
    case 'model':
      return (run) => run.origin.agent?.model ?? without(run);
    case 'tool':
      return (run) => run.origin.agent?.tool.name ?? without(run);
    case 'session':
      return (run) => run.origin.agent?.session || without(run);
    case 'path':
      return ({ path }) => path;
    case 'author':
      return ({ commit }) => {
        const by = commits.get(commit);
        return by ? `${by.author} <${by.mail}>` : 'not committed';
      };
    case 'week':
      return ({ commit }) => {
        const by = commits.get(commit);
        return by ? mondayOf(by.time) : 'not committed';
      };
  }
}

function groupBy(survey: Survey, dimension: Dimension): Group[] {
  const groups = grouped(survey.runs, keyOf(survey, dimension));
  const counted = [...groups].map(([key, runs]) => ({ key, counts: tally(runs) }));
  const byKey = (a: Group, b: Group) => (a.key < b.key ? -1 : 1);
  return counted.sort(dimension === 'week' ? byKey : (a, b) => b.counts.total - a.counts.total || byKey(a, b));
}

function grouped(runs: readonly Run[], key: (run: Run) => string): Map<string, Run[]> {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const name = key(run);
    const list = groups.get(name);
    if (list) list.push(run);
    else groups.set(name, [run]);
  }
  return groups;
}

function filesOf(runs: readonly Run[]): ReportedFile[] {
  const files = [...grouped(runs, ({ path }) => path)].sort(([a], [b]) => (a < b ? -1 : 1));
  return files.map(([path, some]) => ({ path, counts: tally(some), runs: some }));
}

/** Commits that add nothing which counts need no record: merges, deletions. */
function unrecordedIn({ commits, runs }: Survey): string[] {
  const adding = new Set(runs.map(({ commit }) => commit));
  return [...commits.values()].filter(({ id, recorded }) => !recorded && adding.has(id)).map(({ id }) => id);
}

function reasonsOf(runs: readonly Run[]): { reason: string; lines: number }[] {
  const reasons = new Map<string, number>();
  for (const run of runs) {
    const { type, reason } = run.origin;
    if (type === 'unknown' && reason) reasons.set(reason, (reasons.get(reason) ?? 0) + linesIn(run));
  }
  const told = [...reasons].map(([reason, lines]) => ({ reason, lines }));
  return told.sort((a, b) => b.lines - a.lines || (a.reason < b.reason ? -1 : 1));
}

const DAY = 86_400;

/** The Monday of the week, in UTC: 2026-11-16. The first of January 1970 was a Thursday. */
export function mondayOf(seconds: number): string {
  const day = Math.floor(seconds / DAY);
  const monday = day - ((((day + 3) % 7) + 7) % 7);
  const date = new Date(monday * DAY * 1000);
  return Number.isNaN(date.getTime()) ? 'no date' : date.toISOString().slice(0, 10);
}
