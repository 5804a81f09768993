import { isObject } from '../json.ts';
import {
  anObject,
  check,
  dateTime,
  fault,
  integer,
  listOf,
  object,
  oneOf,
  type Problem,
  type Shape,
  shapeOf,
  string,
  stringThat,
} from '../shape.ts';
import { isUri } from './conversation.ts';
import { TYPES } from './own.ts';

const uri = stringThat(isUri, 'must be a URI');
const uuid = stringThat((text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text), 'must be a UUID');
const version = stringThat((text) => /^[0-9]+\.[0-9]+\.[0-9]+$/.test(text), 'must be three numbers: x.y.z');
// JSON Schema counts characters, not UTF-16 units
const modelId = stringThat(
  (text) => text.length <= 250 || [...text].length <= 250,
  'must have 250 characters or fewer',
);

const contributor = object('agent-trace 6.1 contributor', {
  required: { type: oneOf(TYPES) },
  optional: { model_id: modelId },
});

const lines = object('agent-trace 6.1 range', {
  required: { start_line: integer(1), end_line: integer(1) },
  optional: { content_hash: string, contributor },
});

/** The schema cannot say that a range has a first line before its last; section 6.3 means it. */
const range: Shape = shapeOf(
  (value) => lines.fits?.(value) === true && !isBackward(value),
  (value, at) => {
    lines(value, at);
    if (isBackward(value))
      fault({ ...at, rule: 'agent-trace 6.3', field: 'range' }, 'value', 'must not start after its end');
  },
);

function isBackward(value: unknown): boolean {
  const { start_line: start, end_line: end } = isObject(value) ? value : {};
  return typeof start === 'number' && typeof end === 'number' && start > end;
}

const conversation = object('agent-trace 6.1 conversation', {
  required: { ranges: listOf(range) },
  optional: {
    url: uri,
    contributor,
    related: listOf(object('agent-trace 6.1 related', { required: { type: string, url: uri } })),
  },
});

const file = object('agent-trace 6.1 file', { required: { path: string, conversations: listOf(conversation) } });

const record = object('agent-trace 6.1', {
  required: { version, id: uuid, timestamp: dateTime, files: listOf(file) },
  optional: {
    vcs: object('agent-trace 6.1 vcs', {
      required: { type: oneOf(['git', 'jj', 'hg', 'svn']), revision: string },
    }),
    tool: object('agent-trace 6.1 tool', { optional: { name: string, version: string } }),
    metadata: anObject,
  },
});

/** Every rule of Agent Trace 0.1.0 that the value breaks; none for a conformant record. */
export function validateRecord(value: unknown): Problem[] {
  return check(record, value, 'agent-trace 6.1');
}
