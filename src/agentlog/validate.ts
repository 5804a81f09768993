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

const document = withSchemaParts(
  object('agentlog 2', {
    required: {
      specVersion: stringThat((text) => text === SPEC_VERSION, `must be "${SPEC_VERSION}"`),
      id: string,
      startTime: dateTime,
      status,
      agent,
      events: listOf(event),
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
