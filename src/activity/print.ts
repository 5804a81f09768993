import { Fault } from '../fault.ts';
import { arrange, type KeyOrder } from '../json.ts';
import type { ActivityEvent } from './event.ts';
import { validateEvent } from './validate.ts';

const EVENT: KeyOrder = {
  keys: [
    ...['schema_version', 'event_id', 'event_type', 'event_family', 'occurred_at', 'team_id', 'source', 'agent'],
    ...['developer', 'session', 'actor_chain', 'attributes'],
  ],
  inside: {
    source: { keys: ['kind', 'name', 'version'] },
    agent: { keys: ['id', 'name', 'provider'] },
    session: { keys: ['id', 'environment', 'status'] },
  },
};

/** The event as one line. What the page forbids, a raw address or secret among it, is refused: scrub first. */
export function printEvent(event: ActivityEvent): string {
  const problem = validateEvent(event).find((one) => one.kind !== 'note');
  if (problem) {
    const where = problem.path === '' ? '' : ` at ${problem.path}`;
    throw new Fault('refused', `an event breaks ${problem.rule}${where}: ${problem.message}`, { problem });
  }
  return JSON.stringify(arrange(event, EVENT));
}

export function printStream(events: readonly ActivityEvent[]): string {
  return events.map((event) => `${printEvent(event)}\n`).join('');
}
