import type { JsonObject } from '../json.ts';

/**
 * agent_activity.v1, as its public page shows it. The page names nine types and gives one whole example; every object may carry fields
 * that are not named here, and they stay on it.
 */
export const SCHEMA_VERSION = 'agent_activity.v1';

/** "Canonical families" of the page, in its order. */
export const EVENT_TYPES = [
  'session.started',
  'tool.started',
  'tool.finished',
  'model.completed',
  'approval.requested',
  'hook.blocked',
  'agent_run_audit.source_snapshot',
  'agent_run_audit.file_change',
  'session.finished',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const SEGMENT_TYPES = ['user', 'agent', 'tool', 'workload'] as const;

/** Additive: where an event keeps fields that are not what the page says. Older events have texts for objects, and numbers for times. */
export const AS_IT_CAME = 'git-agent-blame:as-it-came';

export interface ActivityEvent {
  readonly schema_version: string;
  readonly event_id: string;
  /** One of the nine, or one that the page does not name: it speaks of prompt and Intent Fidelity events too. */
  readonly event_type: string;
  readonly event_family?: string;
  /** Additive: the page gives events no time of their own, and its segments this name for one. */
  readonly occurred_at?: string;
  readonly team_id?: string;
  readonly source?: ActivitySource;
  readonly agent?: ActivityAgent;
  readonly developer?: { readonly id?: string };
  readonly session?: ActivitySession;
  readonly actor_chain?: ActorChain;
  readonly attributes?: JsonObject;
}

export interface ActivitySource {
  readonly kind?: string;
  readonly name?: string;
  readonly version?: string;
}

export interface ActivityAgent {
  readonly id?: string;
  readonly name?: string;
  readonly provider?: string;
}

export interface ActivitySession {
  readonly id: string;
  readonly environment?: string;
  readonly status?: string;
}

export interface ActorSegment {
  readonly type: string;
  readonly id: string;
  readonly display_name?: string;
  readonly session_id?: string;
  readonly attested_by?: string;
  readonly occurred_at?: string;
}

export type ActorChain = readonly ActorSegment[];

export function isEventType(type: string): type is EventType {
  return EVENT_TYPES.some((one) => one === type);
}

/** `agent_run_audit.file_change` is of the family `agent_run_audit`. */
export function familyOf(type: string): string {
  return type.split('.', 1)[0] ?? '';
}
