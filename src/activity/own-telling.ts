import type { AgentLogDocument } from '../agentlog/document.ts';
import type { ActivityEvent } from './event.ts';
import { activityOf, keptEvents } from './from-session.ts';

/**
 * Whether a session that came as a stream is only what we tell of the session that is here. Taken in beside it, every call of the model
 * would count twice.
 */
export function isOwnTelling(had: AgentLogDocument, coming: AgentLogDocument): boolean {
  const came = keptEvents(coming);
  if (came.length === 0 || keptEvents(had).length > 0) return false;
  const { events } = activityOf(had, { version: '', scrub: (text) => text });
  const own = new Set(events.map(({ event_id }) => event_id));
  return came.every((event) => own.has(event.event_id) || isAround(event));
}

/** Start, end and commits come from notes too, which the session here may not have taken up. */
function isAround({ event_type: type }: ActivityEvent): boolean {
  return /^session\./.test(type ?? '') || type === 'agent_run_audit.source_snapshot';
}
