import { TOOL_PROPERTY } from '../agentlog/call-name.ts';
import type { AgentLogDocument, AgentLogEvent } from '../agentlog/document.ts';
import { OPEN_PROPERTY } from '../agentlog/open-call.ts';
import { isObject } from '../json.ts';
import { timeOf } from '../shape.ts';
import { attributesOf } from './attributes.ts';
import { appendSegment } from './chain.ts';
import { type ActivityEvent, type ActorChain, familyOf, SCHEMA_VERSION } from './event.ts';
import { type Scrub, scrubEvent } from './scrub.ts';
import { soundEvent } from './sound.ts';
import { type Told, teller } from './tell.ts';

/** Where an imported session keeps the events that it was made of (AgentLog 6.2). */
export const ACTIVITY_PROPERTY = 'git-agent-blame:activity';

/** Additive, beside what the page shows of a start: AgentLog's relationships as they are. Its types tell the commits alone. */
export const RELATIONSHIPS_ATTRIBUTE = 'git-agent-blame:relationships';

const US = 'git-agent-blame';

export interface EmitOptions {
  /** Of our own program. */
  readonly version: string;
  readonly scrub: Scrub;
  /** What `AUTODEVOPS_ACTOR_CHAIN` brought. */
  readonly inbound?: ActorChain;
  readonly teamId?: string;
}

export interface Emitted {
  readonly events: readonly ActivityEvent[];
  /** Events of the session that none of the nine types can say, counted by their type. */
  readonly left: Readonly<Record<string, number>>;
  /** How many have properties that are not told: the session itself, and events that are. */
  readonly properties: number;
  /** Events that came in with what the page does not allow: that was left out, or where it could not be, the event. */
  readonly mended: number;
}

/** The session as a stream. Events that came in as agent_activity.v1 go out as they came; the others are told in the page's nine types. */
export function activityOf(document: AgentLogDocument, options: EmitOptions): Emitted {
  const kept = keptEvents(document);
  const left: Record<string, number> = Object.create(null);
  let properties = hasMore(document) ? 1 : 0;
  const tell = teller(document);
  const told: Told[] = document.events.flatMap((event) => {
    if (event.type !== 'opaque' && event.properties?.[ACTIVITY_PROPERTY] !== undefined) return [];
    const events = event.type === 'opaque' ? [] : tell(event);
    const type = event.type === 'opaque' ? 'opaque' : event.type;
    if (events.length === 0) left[type] = (left[type] ?? 0) + 1;
    else if (hasMore(event)) properties++;
    return events;
  });
  const own =
    kept.length > 0 ? told : [started(document), ...inOrder(told), ...snapshots(document), ...finished(document)];
  const emit = emitter(document, options);
  const events = [...kept, ...own.map(emit)].map((event) => scrubEvent(event, options.scrub));
  const sound = events.map(soundEvent);
  const mended = sound.filter((event, i) => event !== events[i]).length;
  return { events: sound.filter((event) => event !== undefined), left: { ...left }, properties, mended };
}

/** Properties that the stream tells in its own way. */
const TOLD: readonly string[] = [ACTIVITY_PROPERTY, TOOL_PROPERTY, OPEN_PROPERTY];

function hasMore(one: AgentLogDocument | AgentLogEvent): boolean {
  return 'properties' in one && Object.keys(one.properties ?? {}).some((key) => !TOLD.includes(key));
}

/** The events that a session was made of, where it came as a stream. */
export function keptEvents(document: AgentLogDocument): ActivityEvent[] {
  const kept = document.properties?.[ACTIVITY_PROPERTY];
  const isEvent = (one: unknown) =>
    isObject(one) && typeof one.event_type === 'string' && typeof one.event_id === 'string';
  return Array.isArray(kept) ? (kept.filter(isEvent) as ActivityEvent[]) : [];
}

function emitter(document: AgentLogDocument, { version, inbound = [], teamId }: EmitOptions) {
  const { name, provider } = document.agent;
  const chain = appendSegment(inbound, {
    type: 'tool',
    id: US,
    display_name: US,
    session_id: document.id,
    attested_by: US,
    occurred_at: document.startTime,
  });
  return ({ id, type, at, status, attributes }: Told): ActivityEvent => ({
    schema_version: SCHEMA_VERSION,
    event_id: `${document.id}/${id}`,
    event_type: type,
    event_family: familyOf(type),
    ...(timeOf(at) === undefined ? {} : { occurred_at: at }),
    ...(teamId ? { team_id: teamId } : {}),
    source: { kind: 'custom_connector', name: US, version },
    agent: { id: name, name, ...(provider ? { provider } : {}) },
    ...(document.developer ? { developer: { id: document.developer.id } } : {}),
    session: { id: document.id, environment: 'local', status: status ?? 'running' },
    actor_chain: timeOf(document.startTime) === undefined ? chain.map(withoutTime) : chain,
    attributes,
  });
}

/** A session whose start is not known gives our segment no time. */
function withoutTime(segment: ActorChain[number]): ActorChain[number] {
  if (segment.id !== US || timeOf(segment.occurred_at ?? '') !== undefined) return segment;
  const { occurred_at: _, ...rest } = segment;
  return rest;
}

function started({ startTime, agent, project, relationships }: AgentLogDocument): Told {
  const attributes = attributesOf({
    agent_version: agent.version,
    model: agent.model,
    project: project?.name,
    repository: project?.repository,
    branch: project?.branch,
    revision: project?.commitSha,
    parent_session_id: relationships?.parentSession,
    [RELATIONSHIPS_ATTRIBUTE]: Object.keys(relationships ?? {}).length > 0 ? relationships : undefined,
  });
  return { id: 'started', type: 'session.started', at: startTime, attributes };
}

function finished({ status, endTime, events, startTime, metrics }: AgentLogDocument): Told[] {
  if (status === 'active' || status === 'paused' || status === 'queued') return [];
  const attributes = attributesOf({
    status,
    message_count: metrics?.messageCount,
    tool_call_count: metrics?.toolCallCount,
    files_touched_count: metrics?.filesTouchedCount,
    input_tokens: metrics?.tokenUsage?.inputTokens,
    output_tokens: metrics?.tokenUsage?.outputTokens,
    cost_usd: metrics?.estimatedCostUsd,
  });
  const at = endTime ?? events.at(-1)?.timestamp ?? startTime;
  return [{ id: 'finished', type: 'session.finished', at, status, attributes }];
}

/** The commits that the session is known to have gone into. */
function snapshots({ relationships, endTime, startTime }: AgentLogDocument): Told[] {
  return (relationships?.commits ?? []).map((commit) => ({
    id: `commit/${commit.sha}`,
    type: 'agent_run_audit.source_snapshot' as const,
    at: commit.timestamp ?? endTime ?? startTime,
    attributes: attributesOf({ revision: commit.sha, repository: commit.repository }),
  }));
}

/** By time; what has none stays behind what was before it. */
function inOrder(told: readonly Told[]): Told[] {
  let last = Number.NEGATIVE_INFINITY;
  const timed = told.map((one) => {
    last = timeOf(one.at) ?? last;
    return { one, at: last };
  });
  return timed.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ one }) => one);
}
