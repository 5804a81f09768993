import type { Place } from '../check/finding.ts';
import { printVerdictMarkdown } from '../check/markdown.ts';
import type { Verdict } from '../check/verdict.ts';
import type { Annotation, Status } from '../forge/index.ts';
import type { Repository } from '../git/repository.ts';
import { readSpans, type Span } from '../git/spans.ts';
import { rangesOf } from '../lines/range.ts';
import { headline } from '../report/figures.ts';
import { printReportMarkdown } from '../report/markdown.ts';
import { type Report, reportOf } from '../report/report.ts';
import type { Survey } from '../report/run.ts';
import type { World } from './command.ts';
import { judgeSurvey } from './judged.ts';
import type { BroughtChange } from './pr-fetch.ts';
import { listCommits } from './range.ts';
import { surveyRange } from './survey.ts';
import { excluderOf, readPolicy, type TeamPolicy } from './team-policy.ts';

export interface ChangeReport {
  readonly survey: Survey;
  readonly report: Report;
  /** The policy says no, or cannot be read. */
  readonly blocked: boolean;
  readonly markdown: string;
  readonly status: Status;
}

interface Wish {
  readonly change: BroughtChange;
  /** Whether the policy is asked. */
  readonly asked: boolean;
}

/** What a change brings, and what the policy says of it: that of the branch it is meant for, which the change itself cannot weaken. */
export async function reportChange(
  world: World,
  repository: Repository,
  { change, asked }: Wish,
): Promise<ChangeReport> {
  const { base, head, mergeBase, target } = change;
  const team = await readPolicy(repository, target);
  const range = `${mergeBase}..${head}`;
  const commits = await listCommits(world.cwd, range);
  const survey = await surveyRange(world, repository, {
    range: `${base.slice(0, 10)}..${head.slice(0, 10)}`,
    commits,
    excluder: excluderOf(team.policy, target),
  });
  const report = reportOf(survey);
  const judging = { policy: team.policy, commits, notes: [], seals: [] };
  const judged = asked && team.found && team.problems.length === 0;
  const verdict = judged ? await judgeSurvey(world, survey, judging) : undefined;
  const parts = [printReportMarkdown(report), ...(verdict ? [printVerdictMarkdown(verdict)] : []), ...troubles(team)];
  const markdown = parts.join('\n');
  const blocked = asked && (verdict?.blocked === true || team.problems.length > 0);
  const status: Status = {
    state: blocked ? 'failure' : verdict ? 'success' : 'neutral',
    title: headline(report).says,
    summary: markdown,
    annotations: verdict ? await annotate(repository, verdict, head) : [],
  };
  return { survey, report, blocked, markdown, status };
}

function troubles({ problems }: TeamPolicy): string[] {
  const [first] = problems;
  return first ? [`The policy of the base cannot be read: line ${first.line}, ${first.message}.\n`] : [];
}

/** Files that are looked at: annotations beyond them help nobody. */
const MAX_FILES = 50;

/** Findings on the lines where they stand at the head; those that are gone there have no place to show them. */
async function annotate({ place, worktree }: Repository, { findings }: Verdict, head: string): Promise<Annotation[]> {
  const own = worktree ? { ...place, cwd: worktree } : place;
  const paths = [...new Set(findings.flatMap(({ places }) => places.map(({ path }) => path)))].slice(0, MAX_FILES);
  const annotations: Annotation[] = [];
  for (const path of paths) {
    // a file that is gone at the head has no lines there
    const spans = await readSpans(own, head, path).catch(() => []);
    for (const { places, level, message } of findings) {
      const lines = new Set(places.flatMap((one) => [...standingLines(one, spans)]));
      const worse = level === 'block' ? 'failure' : 'warning';
      for (const { start, end } of rangesOf([...lines].sort((a, b) => a - b)))
        annotations.push({ path, startLine: start, endLine: end, level: worse, message });
    }
  }
  return annotations;
}

/** Where lines of a commit stand now. */
function* standingLines({ commit, path, ranges }: Place, spans: readonly Span[]): Generator<number> {
  for (const span of spans) {
    if (span.commit !== commit || span.file !== path) continue;
    for (let i = 0; i < span.count; i++) {
      const line = span.originalStart + i;
      if (ranges.some(({ start, end }) => line >= start && line <= end)) yield span.start + i;
    }
  }
}
