import type { LineRange } from '../lines/range.ts';
import type { Run } from '../report/run.ts';
import { type NextStep, type RuleId, ruleOf } from './rules.ts';

/** Lines of one file, as one commit left it. */
export interface Place {
  readonly commit: string;
  readonly path: string;
  readonly ranges: readonly LineRange[];
}

/** Something that the policy does not want. */
export interface Finding {
  readonly rule: RuleId;
  readonly level: 'warn' | 'block';
  /** One sentence, without the rule's name. */
  readonly message: string;
  /** The commit it is about; none where it is about all of them. */
  readonly commit?: string;
  /** The tool, the model or the record it is about. */
  readonly subject?: string;
  /** By commit and path; empty where it is about no line in particular. */
  readonly places: readonly Place[];
}

/** The lines of some runs by commit and file, in an order that does not depend on theirs. */
export function placesOf(runs: Iterable<Run>): Place[] {
  const files = new Map<string, { commit: string; path: string; ranges: LineRange[] }>();
  for (const { commit, path, start, end } of runs) {
    const key = `${commit} ${path}`;
    const file = files.get(key) ?? { commit, path, ranges: [] };
    files.set(key, file);
    file.ranges.push({ start, end });
  }
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, file]) => ({ ...file, ranges: merged(file.ranges) }));
}

/** 4-6 1-2 3-3 -> 1-6 */
function merged(ranges: readonly LineRange[]): LineRange[] {
  const out: { start: number; end: number }[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last && start <= last.end + 1) last.end = Math.max(last.end, end);
    else out.push({ start, end });
  }
  return out;
}

/** Runs that have something in common, by what it is; in the order of the names. */
export function groupRuns(runs: Iterable<Run>, nameOf: (run: Run) => string | undefined): [string, Run[]][] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const name = nameOf(run);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(run);
    else groups.set(name, [run]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What to do about findings of one rule; with the commit in place of COMMIT where all are about one. */
export function nextSteps(findings: readonly Finding[]): NextStep[] {
  const [first] = findings;
  if (!first) return [];
  const { commit = '' } = first;
  const steps = ruleOf(first.rule).next;
  if (!/^[0-9a-f]+$/.test(commit) || findings.some((finding) => finding.commit !== commit)) return [...steps];
  return steps.map(({ command, does }) => ({
    ...(command && { command: command.replace('COMMIT', commit.slice(0, 10)) }),
    does,
  }));
}
