import { sameJson } from '../json.ts';
import type { AgentLogDocument, AgentLogEvent } from './document.ts';
import { isOpen } from './open-call.ts';

export interface Uncontradicted {
  readonly document: AgentLogDocument;
  /** Events that were left out of it. */
  readonly contradicting: number;
}

/**
 * A document that came from elsewhere, as far as it only adds to what is recorded of its session: whoever wrote it may have put anything
 * under the ids of events that are here, and of two that contradict each other a merge keeps the longer.
 */
export function withoutContradictions(had: AgentLogDocument, coming: AgentLogDocument): Uncontradicted {
  const known = new Map(had.events.filter(({ id }) => id !== '').map((event) => [event.id, event]));
  const events = coming.events.filter((event) => {
    const ours = known.get(event.id);
    return ours === undefined || !contradicts(ours, event);
  });
  const agent = { ...coming.agent, ...toldIn(had.agent) };
  return { document: { ...coming, agent, events }, contradicting: coming.events.length - events.length };
}

/** Joined by themselves, or about the telling and not the event. */
const APART = new Set(['tokenUsage', 'estimatedCostUsd', 'properties']);

function contradicts(ours: AgentLogEvent, theirs: AgentLogEvent): boolean {
  // what became of a call, and what an event is that nobody here understood, is more and nothing else
  if (
    isOpen(ours) ||
    (ours.type === 'toolCall' && ours.status === 'cancelled') ||
    (ours.type === 'opaque' && theirs.type !== 'opaque')
  )
    return false;
  const told = new Map(Object.entries(toldIn(theirs)));
  return Object.entries(toldIn(ours)).some(([key, value]) => {
    return !APART.has(key) && told.has(key) && !continues(value, told.get(key));
  });
}

function continues(ours: unknown, theirs: unknown): boolean {
  if (typeof ours === 'string' && typeof theirs === 'string') return theirs.startsWith(ours) || ours.startsWith(theirs);
  return sameJson(ours, theirs);
}

function toldIn<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined && field !== null)) as T;
}
