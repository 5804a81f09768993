import { matchesAny, readablePath } from '../report/exclude.ts';
import { linesIn, type ReportedCommit, type Run, type Survey } from '../report/run.ts';
import type { Policy } from './policy.ts';

/** A commit that is not judged, and why: its author's date, or its author. */
export interface Exempt {
  readonly commit: string;
  readonly why: 'since' | 'author';
  readonly lines: number;
}

/** What a policy looks at: the survey without what is exempt or left out. */
export interface Judged {
  readonly runs: readonly Run[];
  /** Commits that add lines which count, with their runs. */
  readonly commits: readonly JudgedCommit[];
  readonly exempt: readonly Exempt[];
  /** What the policy's `exclude` took, beside what the survey itself left out. */
  readonly excluded: { readonly files: number; readonly lines: number };
}

export interface JudgedCommit {
  readonly commit: ReportedCommit;
  readonly runs: readonly Run[];
}

/**
 * A record that speaks of none of its lines says as little as none. Lines that are known again by content are not the commit's own record: with
 * nothing else, they have to be at least half of it, else an old file that is put back would carry in whatever is beside it.
 */
export function isAttributed({ commit, runs }: JudgedCommit): boolean {
  const recorded = runs.filter(isRecorded);
  if (!commit.recorded || recorded.length === 0) return false;
  return recorded.some(({ via }) => via !== 'content') || countOf(recorded) * 2 >= countOf(runs);
}

function countOf(runs: readonly Run[]): number {
  return runs.reduce((sum, run) => sum + linesIn(run), 0);
}

export function isRecorded({ via, trace }: Run): boolean {
  return via !== undefined || trace !== undefined;
}

export function judgedBy(survey: Survey, policy: Policy): Judged {
  const whys = new Map([...survey.commits].map(([id, commit]) => [id, whyExempt(commit, policy)]));
  const left = excludedPaths(survey.runs, policy);
  const judged: Run[] = [];
  const exemptLines = new Map<string, number>();
  const excluded = { files: left.size, lines: 0 };
  for (const run of survey.runs) {
    if (left.has(run.path)) excluded.lines += linesIn(run);
    else if (whys.get(run.commit)) exemptLines.set(run.commit, (exemptLines.get(run.commit) ?? 0) + linesIn(run));
    else judged.push(run);
  }
  const exempt = [...whys].flatMap(([commit, why]) =>
    why ? [{ commit, why, lines: exemptLines.get(commit) ?? 0 }] : [],
  );
  return { runs: judged, commits: commitsOf(survey, judged), exempt: exempt.sort(byCommit), excluded };
}

function whyExempt({ author, mail, time }: ReportedCommit, policy: Policy): Exempt['why'] | undefined {
  // without a date it is judged: a commit that names no author has none
  if (policy.since !== null && time > 0 && time < policy.since) return 'since';
  const { exemptAuthors } = policy;
  if (matchesAny(mail, exemptAuthors) || matchesAny(`${author} <${mail}>`, exemptAuthors)) return 'author';
  return undefined;
}

/** Each path is looked at once. */
function excludedPaths(runs: readonly Run[], { exclude }: Policy): Set<string> {
  const paths = new Set(exclude.length > 0 ? runs.map(({ path }) => path) : []);
  return new Set([...paths].filter((path) => matchesAny(readablePath(path), exclude)));
}

/** Newest first, as git log has them; what is of one second by id, so that the order of the survey does not matter. */
function commitsOf({ commits }: Survey, runs: readonly Run[]): JudgedCommit[] {
  const byId = new Map<string, Run[]>();
  for (const run of runs) {
    const list = byId.get(run.commit);
    if (list) list.push(run);
    else byId.set(run.commit, [run]);
  }
  const judged = [...byId].map(([id, some]) => ({ commit: commits.get(id) ?? strange(id, some), runs: some }));
  return judged.sort((a, b) => b.commit.time - a.commit.time || (a.commit.id < b.commit.id ? -1 : 1));
}

/** A commit that the survey does not tell of, or lines that are not committed: a gate looks at them all the same. */
function strange(id: string, runs: readonly Run[]): ReportedCommit {
  return { id, author: '', mail: '', time: 0, subject: '', recorded: runs.some(isRecorded) };
}

function byCommit(a: Exempt, b: Exempt): number {
  return a.commit < b.commit ? -1 : 1;
}
