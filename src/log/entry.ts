import type { LoggedCommit } from '../git/log.ts';
import type { ToolInfo } from '../lines/origin.ts';
import { linesIn, type Run, type Survey } from '../report/run.ts';
import { type Counts, tally } from '../report/tally.ts';

/** A commit, who wrote the lines it adds, and which sessions took part. */
export interface LogEntry {
  readonly commit: LoggedCommit;
  /** Whether any record speaks of it, found in whatever way. */
  readonly recorded: boolean;
  readonly counts: Counts;
  readonly sessions: readonly Contribution[];
  /** The lines that were counted. */
  readonly runs: readonly Run[];
}

export interface Contribution {
  readonly tool: ToolInfo;
  /** Null where the record names none. */
  readonly session: string | null;
  readonly models: readonly string[];
  readonly conversation: string | null;
  readonly lines: number;
}

/** Whether a file of a commit is asked about. */
export type Chosen = (commit: string, path: string) => boolean;

/** One entry for each commit, in the same order. */
export function entriesOf(
  commits: readonly LoggedCommit[],
  survey: Pick<Survey, 'runs' | 'commits'>,
  chosen: Chosen = () => true,
): LogEntry[] {
  const runs = new Map<string, Run[]>(commits.map(({ id }) => [id, []]));
  for (const run of survey.runs) if (chosen(run.commit, run.path)) runs.get(run.commit)?.push(run);
  return commits.map((commit) => {
    const own = runs.get(commit.id) ?? [];
    const recorded = survey.commits.get(commit.id)?.recorded ?? false;
    return { commit, recorded, counts: tally(own), sessions: contributionsOf(own), runs: own };
  });
}

/** The counts of each file, by name. */
export function filesOf({ runs }: LogEntry): { readonly path: string; readonly counts: Counts }[] {
  const files = new Map<string, Run[]>();
  for (const run of runs) files.set(run.path, [...(files.get(run.path) ?? []), run]);
  return [...files].map(([path, own]) => ({ path, counts: tally(own) })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Those who wrote most come first. */
export function contributionsOf(
  runs: Iterable<Pick<Run, 'origin' | 'start' | 'end' | 'conversation'>>,
): Contribution[] {
  const found = new Map<string, { first: Contribution; models: Set<string>; lines: number }>();
  for (const run of runs) {
    const { agent } = run.origin;
    if (!agent) continue;
    const key = JSON.stringify([agent.tool.name, agent.session]);
    const first = {
      tool: agent.tool,
      session: agent.session || null,
      models: [],
      // without the step: it is the session that is told of
      conversation: run.conversation?.split('#', 1)[0] ?? null,
      lines: 0,
    };
    const known = found.get(key) ?? { first, models: new Set<string>(), lines: 0 };
    if (agent.model) known.models.add(agent.model);
    known.lines += linesIn(run);
    found.set(key, known);
  }
  return [...found.values()]
    .map(({ first, models, lines }) => ({ ...first, models: [...models], lines }))
    .sort((a, b) => b.lines - a.lines);
}
