import { isObject } from '../json.ts';
import { check, fault, inside, listOf, object, type Problem, type Shape, string, stringThat } from '../shape.ts';

/** OTLP/JSON of traces, by trace.proto and common.proto of opentelemetry-proto 1.x and what its specification says of JSON. */
const id = (digits: number) =>
  stringThat(
    (text) => text.length === digits && /^[0-9a-f]*[1-9a-f][0-9a-f]*$/i.test(text),
    `must be ${digits} hex digits, not all zero`,
  );

/** 64-bit numbers are decimal strings; numbers are read too. */
const fixed64: Shape = (value, at) => {
  const sound = typeof value === 'number' ? Number.isInteger(value) && value >= 0 : /^\d{1,20}$/.test(String(value));
  if (!sound || (typeof value !== 'number' && typeof value !== 'string'))
    fault(at, 'shape', 'must be a decimal string of a 64-bit number');
};

/** Names of enums are not allowed in OTLP/JSON. */
const enumUpTo =
  (most: number): Shape =>
  (value, at) => {
    if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > most)
      fault(at, 'shape', `must be a number from 0 to ${most}`);
  };

const KINDS = [
  ...['stringValue', 'boolValue', 'intValue', 'doubleValue'],
  ...['arrayValue', 'kvlistValue', 'bytesValue'],
];

const anyValue: Shape = (value, at) => {
  if (!isObject(value)) return fault(at, 'shape', 'must be an object');
  const kinds = KINDS.filter((kind) => value[kind] !== undefined);
  if (kinds.length > 1) fault(at, 'value', 'must have one kind of value');
  if (value.stringValue !== undefined)
    string(value.stringValue, inside(at, 'otlp common.proto AnyValue', 'stringValue'));
};

const attributes = listOf(object('otlp common.proto KeyValue', { required: { key: string, value: anyValue } }));

const event = object('otlp trace.proto Span.Event', {
  required: { name: string },
  optional: { timeUnixNano: fixed64, attributes },
});

const link = object('otlp trace.proto Span.Link', {
  required: { traceId: id(32), spanId: id(16) },
  optional: { attributes },
});

const fields = object('otlp trace.proto Span', {
  required: {
    traceId: id(32),
    spanId: id(16),
    name: string,
    startTimeUnixNano: fixed64,
    endTimeUnixNano: fixed64,
  },
  optional: {
    parentSpanId: stringThat((text) => text === '' || /^[0-9a-f]{16}$/i.test(text), 'must be 16 hex digits'),
    kind: enumUpTo(5),
    attributes,
    events: listOf(event),
    links: listOf(link),
    status: object('otlp trace.proto Status', { optional: { code: enumUpTo(2), message: string } }),
  },
});

const span: Shape = (value, at) => {
  fields(value, at);
  const { startTimeUnixNano: start, endTimeUnixNano: end } = isObject(value) ? value : {};
  const sound = [start, end].every((time) => /^\d{1,20}$/.test(String(time)));
  if (sound && BigInt(String(end)) < BigInt(String(start)))
    fault(inside(at, 'otlp trace.proto Span', 'endTimeUnixNano'), 'value', 'must not be before the start');
};

const resource = object('otlp resource.proto Resource', { optional: { attributes } });
const scope = object('otlp common.proto InstrumentationScope', {
  optional: { name: string, version: string, attributes },
});

const traces = object('otlp trace.proto TracesData', {
  required: {
    resourceSpans: listOf(
      object('otlp trace.proto ResourceSpans', {
        required: {
          scopeSpans: listOf(
            object('otlp trace.proto ScopeSpans', { required: { spans: listOf(span) }, optional: { scope } }),
          ),
        },
        optional: { resource },
      }),
    ),
  },
});

/** Every rule that the value breaks. Fields that are not known are nobody's business, as OTLP wants it. */
export function validateTraces(value: unknown): Problem[] {
  return check(traces, value, 'otlp trace.proto TracesData');
}
