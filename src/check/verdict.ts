import type { Scope, Survey } from '../report/run.ts';
import { type Counts, tally } from '../report/tally.ts';
import type { Finding } from './finding.ts';
import { type Exempt, isAttributed, judgedBy } from './judged.ts';
import { POLICY_FILE, type Policy } from './policy.ts';
import type { PolicyProblem } from './problem.ts';
import { rankOf } from './rules.ts';
import {
  judgeCommit,
  judgeLacking,
  judgePartly,
  judgeShares,
  judgeSkipped,
  judgeTaken,
  judgeUnread,
  type Seals,
} from './rulings.ts';

/** What a policy says of a survey. */
export interface Verdict {
  readonly scope: Scope;
  readonly blocked: boolean;
  /** What blocks first, then by rule, newest commit first. */
  readonly findings: readonly Finding[];
  readonly counts: VerdictCounts;
  readonly exempt: readonly Exempt[];
  /** Files that were not counted, and the lines in them that the commits added. */
  readonly excluded: { readonly files: number; readonly lines: number };
  /** Notes that could not be read. */
  readonly skipped: number;
  /** Refs of notes that cannot be read, or not all of them. */
  readonly unread: readonly string[];
  /** Commits that could not be judged: their contents are not here. */
  readonly lacking: number;
}

export interface VerdictCounts {
  /** Commits that were judged: those that add lines which count. */
  readonly commits: number;
  readonly unattributed: number;
  readonly lines: Counts;
  readonly block: number;
  readonly warn: number;
}

/**
 * Pure: the same survey, policy and seals give the same verdict, in whatever order the runs come.
 *
 * A commit is unattributed when it adds lines that count and no record speaks of it, or of any of them. A line is unattributed when its origin is `unknown`:
 * those of unattributed commits, and those of which a record says that nobody knows. `requireAttribution` asks for the first, commit by
 * commit; the second are honest, and `maxUnknownShare` says how many of all added lines they may be, those without any record included.
 * Commits that add nothing which counts (merges, deletions, lock files) need no record.
 */
export function judge(survey: Survey, policy: Policy, seals: Seals = NO_SEALS): Verdict {
  const judged = judgedBy(survey, policy);
  const { lacking: all = [], unread = [], brought = [], partly = [], spoilt = [], taken = [] } = survey;
  const exempt = new Set(judged.exempt.map(({ commit }) => commit));
  const lacking = all.filter((commit) => !exempt.has(commit));
  const lines = tally(judged.runs);
  const unattributed = judged.commits.filter((commit) => !isAttributed(commit)).length;
  const bare = unattributed + lines.unknown > 0;
  const findings = [
    ...judged.commits.flatMap((commit) => judgeCommit(commit, policy, seals)),
    ...judgeShares(judged.runs, policy),
    ...judgeTaken(taken, policy),
    ...judgeUnread(unread, policy, (ref) => bare || brought.includes(ref)),
    ...judgeSkipped(survey.skipped - all.length - partly.length, spoilt, policy),
    ...judgePartly(partly, policy, bare),
    ...judgeLacking(lacking.length, policy),
  ].sort(compareFindings);
  const block = findings.filter(({ level }) => level === 'block').length;
  const excludedLines = survey.excluded.reduce((sum, { lines }) => sum + lines, judged.excluded.lines);
  return {
    scope: survey.scope,
    blocked: block > 0,
    findings,
    counts: {
      commits: judged.commits.length,
      unattributed,
      lines,
      block,
      warn: findings.length - block,
    },
    exempt: judged.exempt,
    excluded: { files: survey.excluded.length + judged.excluded.files, lines: excludedLines },
    skipped: survey.skipped - all.length,
    unread,
    lacking: lacking.length,
  };
}

/** What a policy that cannot be read says of everything; `commit` is where it is from, if not from the work tree. */
export function judgeBroken(scope: Scope, problems: readonly PolicyProblem[], commit = ''): Verdict {
  const findings = problems.map(({ line, message, suggestion }): Finding => {
    const places = [{ commit, path: POLICY_FILE, ranges: [{ start: line, end: line }] }];
    const hint = suggestion === undefined ? '' : `: did you mean ${suggestion}?`;
    return { rule: 'brokenPolicy', level: 'block', message: `${message}${hint}`, places };
  });
  const none = { commits: 0, unattributed: 0, lines: tally([]) };
  const counts = { ...none, block: findings.length, warn: 0 };
  const excluded = { files: 0, lines: 0 };
  return { scope, blocked: true, findings, counts, exempt: [], excluded, skipped: 0, unread: [], lacking: 0 };
}

const NO_SEALS: Seals = { of: () => undefined, gone: () => [] };

/** Sorting is stable: within a rule the commits stay in their order. */
function compareFindings(a: Finding, b: Finding): number {
  const level = (finding: Finding) => (finding.level === 'block' ? 0 : 1);
  return level(a) - level(b) || rankOf(a.rule) - rankOf(b.rule);
}
