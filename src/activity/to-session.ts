import {
  type AgentLogDocument,
  type AgentLogEvent,
  type KnownEvent,
  type SessionStatus,
  SPEC_VERSION,
} from '../agentlog/document.ts';
import type { ActivityEvent } from './event.ts';
import { ACTIVITY_PROPERTY } from './from-session.ts';
import { callOf, changeOf, decisionOf, modelOf, type Placed, snapshotOf } from './hear.ts';
import { commitOf, metricsOf, projectOf, relationshipsOf } from './hear-session.ts';
import { isoOf, momentOf, saidOf, textOf } from './said.ts';

export interface HeardSessions {
  readonly documents: readonly AgentLogDocument[];
  /** Events that name no session. */
  readonly homeless: number;
}

/**
 * The sessions that a stream tells of. Each keeps all its events, as they came, in its properties: types that AgentLog has no word for,
 * and fields that we do not know, go out again as they came in. `fallback`: when there is no time at all, in milliseconds since 1970.
 */
export function sessionsOf(events: readonly ActivityEvent[], fallback: number): HeardSessions {
  const sessions = new Map<string, ActivityEvent[]>();
  let homeless = 0;
  for (const event of events) {
    const id = event.session?.id;
    if (!id) homeless++;
    else if (sessions.has(id)) sessions.get(id)?.push(event);
    else sessions.set(id, [event]);
  }
  return { documents: [...sessions].map(([id, all]) => documentOf(id, all, fallback)), homeless };
}

function documentOf(id: string, all: readonly ActivityEvent[], fallback: number): AgentLogDocument {
  const placed = inTime(all, fallback);
  const events = eventsOf(placed);
  const times = placed.map((one) => one.at);
  const start = times.reduce((a, b) => Math.min(a, b));
  const end = placed.findLast(({ event }) => event.event_type === 'session.finished');
  const first = all.find((event) => event.event_type === 'session.started') ?? all[0];
  const developer = all.find((event) => textOf(event.developer?.id))?.developer?.id;
  const relationships = relationshipsOf(first, all);
  return {
    specVersion: SPEC_VERSION,
    id,
    startTime: isoOf(start),
    ...(end ? { endTime: isoOf(Math.max(end.at, start)) } : {}),
    status: end ? finalStatus(end.event) : 'active',
    agent: agentOf(all),
    ...projectOf(first),
    ...(developer ? { developer: { id: developer } } : {}),
    events,
    metrics: metricsOf(events, end?.event),
    ...(Object.keys(relationships).length > 0 ? { relationships } : {}),
    properties: { [ACTIVITY_PROPERTY]: all },
  };
}

/** An event without a time stands where the one before it did. */
function inTime(all: readonly ActivityEvent[], fallback: number): Placed[] {
  const known = all.map(momentOf);
  let last = known.find((at) => at !== undefined) ?? fallback;
  return all.map((event, i) => {
    last = known[i] ?? last;
    return { event, at: last };
  });
}

function agentOf(all: readonly ActivityEvent[]): AgentLogDocument['agent'] {
  const named = all.find((event) => textOf(event.agent?.id) || textOf(event.agent?.name)) ?? all[0];
  const find = (key: string) => all.map((event) => saidOf(event, key)).find((text) => text !== undefined);
  const [version, model] = [find('agent_version'), find('model')];
  const provider = textOf(named?.agent?.provider);
  return {
    name: textOf(named?.agent?.id) || textOf(named?.agent?.name) || textOf(named?.source?.name) || 'unknown',
    ...(version ? { version } : {}),
    ...(model ? { model } : {}),
    ...(provider ? { provider } : {}),
  };
}

function finalStatus(event: ActivityEvent): SessionStatus {
  const status = (saidOf(event, 'status') ?? textOf(event.session?.status) ?? '').toLowerCase();
  if (/^(?:fail|error)/.test(status)) return 'failed';
  return /^(?:cancel|abort)/.test(status) ? 'cancelled' : 'completed';
}

function eventsOf(placed: readonly Placed[]): AgentLogEvent[] {
  const finished = pairs(placed);
  const changed = new Set(
    placed
      .filter(({ event }) => event.event_type === 'agent_run_audit.file_change')
      .map(({ event }) => saidOf(event, 'tool_call_id')),
  );
  const started = new Set(finished.values());
  return placed.flatMap((one): KnownEvent[] => {
    switch (one.event.event_type) {
      case 'tool.started':
        return callOf(one, finished.get(one), changed);
      case 'tool.finished':
        return started.has(one) ? [] : callOf(one, one, changed);
      case 'model.completed':
        return modelOf(one);
      case 'approval.requested':
      case 'hook.blocked':
        return decisionOf(one);
      case 'agent_run_audit.file_change':
        return changeOf(one);
      case 'agent_run_audit.source_snapshot':
        return commitOf(one.event) ? [] : snapshotOf(one);
      default:
        return [];
    }
  });
}

/** Which end belongs to which start: by the call's id, else the last open call of the same name. */
function pairs(placed: readonly Placed[]): Map<Placed, Placed> {
  const open = new Map<string, Placed[]>();
  const found = new Map<Placed, Placed>();
  for (const one of placed) {
    const key = saidOf(one.event, 'tool_call_id') ?? `\0${saidOf(one.event, 'tool_name') ?? ''}`;
    if (one.event.event_type === 'tool.started') open.set(key, [...(open.get(key) ?? []), one].slice(-MAX_OPEN));
    if (one.event.event_type !== 'tool.finished') continue;
    const start = open.get(key)?.pop();
    if (start) found.set(start, one);
  }
  return found;
}

/** Calls of one name that run at once and tell no id; the oldest stay open. */
const MAX_OPEN = 100;
