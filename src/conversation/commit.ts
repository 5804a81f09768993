import type { ContributorType, Origin, ToolInfo } from '../lines/origin.ts';
import { originsOf, standing } from '../trace/covers.ts';
import type { TraceRecord } from '../trace/record.ts';

export interface FileCounts extends Readonly<Record<ContributorType, number>> {
  readonly path: string;
}

export interface ContributingSession {
  readonly id: string;
  readonly tool: ToolInfo;
  readonly models: readonly string[];
  readonly lines: number;
}

/** What the records of one commit say, added up. */
export interface CommitStory {
  readonly records: readonly string[];
  readonly files: readonly FileCounts[];
  readonly sessions: readonly ContributingSession[];
}

export function tellCommit(records: readonly TraceRecord[]): CommitStory {
  const paths = [...new Set(records.flatMap(({ files }) => files.map(({ path }) => path)))].sort();
  const sessions = new Map<string, { tool: ToolInfo; models: Set<string>; lines: number }>();
  const files = paths.map((path): FileCounts => {
    const counts = { ai: 0, human: 0, mixed: 0, unknown: 0 };
    for (const { start, end, by } of originsOf(records, path).parts) {
      const lines = end - start + 1;
      counts[by.origin.type] += lines;
      countSession(sessions, by.origin, lines);
    }
    return { path, ...counts };
  });
  return {
    records: standing(records).map(({ id }) => id),
    files,
    sessions: [...sessions].map(([id, { tool, models, lines }]) => ({ id, tool, models: [...models], lines })),
  };
}

function countSession(
  sessions: Map<string, { tool: ToolInfo; models: Set<string>; lines: number }>,
  { agent }: Origin,
  lines: number,
): void {
  if (!agent?.session) return;
  const known = sessions.get(agent.session) ?? { tool: agent.tool, models: new Set<string>(), lines: 0 };
  if (agent.model) known.models.add(agent.model);
  known.lines += lines;
  sessions.set(agent.session, known);
}
