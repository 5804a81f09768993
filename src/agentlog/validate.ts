import { isObject } from '../json.ts';
import {
  check,
  dateTime,
  fault,
  inside,
  integer,
  listOf,
  object,
  type Problem,
  type Shape,
  string,
  stringThat,
  timeOf,
} from '../shape.ts';
import { SPEC_VERSION, STATUSES, TOLERATED_STATUSES } from './document.ts';
import { agent, EVENTS, isEventType, SCHEMA_RULE, TOLD_PARTS, withSchemaParts } from './schema.ts';

const status: Shape = (value, at) => {
  const known: readonly unknown[] = STATUSES;
  const tolerated: readonly unknown[] = TOLERATED_STATUSES;
  if (known.includes(value)) return;
  if (tolerated.includes(value)) fault(at, 'note', `is in the JSON Schema but not in the text: ${STATUSES.join(', ')}`);
  else fault(at, 'shape', `must be one of ${STATUSES.join(', ')}`);
};

/** Section 1.3 forbids other types where section 6.3 has readers tolerate them. */
const event: Shape = (value, at) => {
  if (!isObject(value)) return fault(at, 'shape', 'must be an object');
  if (isEventType(value.type)) return EVENTS[value.type](value, at);
  fault(
    inside(at, 'agentlog 1.3 event', 'type'),
    typeof value.type === 'string' ? 'value' : 'shape',
    'must be one of the twelve event types',
  );
  object('agentlog 3.1', { required: { id: string, timestamp: dateTime }, optional: { durationMs: integer() } })(
    value,
    at,
  );
};

/** Section 3.1 has every id once; section 3 only tells that events are in the order of time. */
const events: Shape = (value, at) => {
  listOf(event)(value, at);
  if (!Array.isArray(value)) return;
  const places = new Map<unknown, number>();
  let latest = Number.NEGATIVE_INFINITY;
  for (const [i, one] of value.entries()) {
    if (!isObject(one)) continue;
    const place = { ...at, step: i, up: at };
    const first = places.get(one.id);
    if (first !== undefined) fault(inside(place, 'agentlog 3.1', 'id'), 'value', `is that of /events/${first} too`);
    else if (typeof one.id === 'string') places.set(one.id, i);
    const time = typeof one.timestamp === 'string' ? timeOf(one.timestamp) : undefined;
    if (time !== undefined && time < latest)
      fault(inside(place, 'agentlog 3', 'timestamp'), 'note', 'is before that of an event that stands before it');
    latest = Math.max(latest, time ?? latest);
  }
};

const document = withSchemaParts(
  object('agentlog 2', {
    required: {
      specVersion: stringThat((text) => text === SPEC_VERSION, `must be "${SPEC_VERSION}"`),
      id: string,
      startTime: dateTime,
      status,
      agent,
      events,
    },
    optional: TOLD_PARTS,
  }),
);

/**
 * Every rule of AgentLog 0.2.0 that the value breaks. Problems of kind `note` do not make a document non-conformant: the text does not have
 * what only the JSON Schema asks for.
 */
export function validateDocument(value: unknown): Problem[] {
  return check(document, value, 'agentlog 2').map((problem) =>
    problem.rule.startsWith(SCHEMA_RULE) ? { ...problem, kind: 'note' } : problem,
  );
}
