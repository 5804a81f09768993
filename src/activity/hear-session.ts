import type { AgentLogDocument, AgentLogEvent, CommitRef, Metrics, Relationships } from '../agentlog/document.ts';
import { measure } from '../agentlog/measure.ts';
import { isObject } from '../json.ts';
import { attributesOf } from './attributes.ts';
import type { ActivityEvent } from './event.ts';
import { RELATIONSHIPS_ATTRIBUTE } from './from-session.ts';
import { countOf, numberOf, saidOf } from './said.ts';

/** What the start of a session says of its project. */
export function projectOf(start: ActivityEvent | undefined): Pick<AgentLogDocument, 'project'> {
  const said = (key: string) => start && saidOf(start, key);
  const fields = { repository: said('repository'), branch: said('branch'), commitSha: said('revision') };
  const name = said('project') ?? fields.repository?.split(/[\\/:]/).findLast((part) => part !== '');
  return name === undefined ? {} : { project: { name, ...attributesOf(fields) } };
}

/** What its end counts; what it does not is measured. */
export function metricsOf(events: readonly AgentLogEvent[], end: ActivityEvent | undefined): Metrics {
  const measured = measure(events);
  if (!end) return measured;
  const [inputTokens, outputTokens] = [countOf(end, 'input_tokens'), countOf(end, 'output_tokens')];
  const hasTokens = inputTokens !== undefined || outputTokens !== undefined;
  return {
    ...measured,
    ...attributesOf({
      messageCount: countOf(end, 'message_count'),
      toolCallCount: countOf(end, 'tool_call_count'),
      filesTouchedCount: countOf(end, 'files_touched_count'),
      estimatedCostUsd: numberOf(end, 'cost_usd'),
    }),
    ...(hasTokens && { tokenUsage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 } }),
  };
}

/** What our own streams carry as it was, then what the types of the page tell. */
export function relationshipsOf(start: ActivityEvent | undefined, all: readonly ActivityEvent[]): Relationships {
  const carried = start?.attributes?.[RELATIONSHIPS_ATTRIBUTE];
  const had: Relationships = isOwn(start) && isObject(carried) ? carried : {};
  const known = Array.isArray(had.commits) ? had.commits : [];
  const told = all.map(commitOf).filter((commit) => commit !== undefined);
  const more = told.filter(({ sha }) => !known.some((commit: unknown) => isObject(commit) && commit.sha === sha));
  const parent = start && saidOf(start, 'parent_session_id');
  return {
    ...had,
    ...(more.length > 0 && { commits: [...known, ...more] }),
    ...(parent && { parentSession: parent }),
  };
}

function isOwn(event: ActivityEvent | undefined): boolean {
  return event?.source?.name === 'git-agent-blame';
}

/** A commit that the session went into, as our own streams tell it: others' snapshots say where it stood, not what it made. */
export function commitOf(event: ActivityEvent): CommitRef | undefined {
  const sha = saidOf(event, 'revision');
  if (sha === undefined || event.event_type !== 'agent_run_audit.source_snapshot') return undefined;
  if (!isOwn(event) || !event.event_id.endsWith(`/commit/${sha}`)) return undefined;
  const repository = saidOf(event, 'repository');
  return { sha, ...(repository && { repository }) };
}
