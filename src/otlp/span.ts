/**
 * OTLP/JSON of traces (opentelemetry-proto 1.x): protobuf's JSON with ids in hex instead of base64, 64-bit numbers as decimal strings and
 * enums as numbers.
 */
export interface TracesData {
  readonly resourceSpans: readonly ResourceSpans[];
}

export interface ResourceSpans {
  readonly resource: { readonly attributes: readonly KeyValue[] };
  readonly scopeSpans: readonly ScopeSpans[];
}

export interface ScopeSpans {
  readonly scope: { readonly name: string; readonly version: string };
  readonly spans: readonly Span[];
}

export interface Span {
  /** 32 and 16 lower-case hex digits, not all zero. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal. Agents and their tools run where they are recorded. */
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events?: readonly SpanEvent[];
  readonly links?: readonly SpanLink[];
  /** 2: error. Left out otherwise: only who ran the agent may call it a success. */
  readonly status?: { readonly code: 2; readonly message?: string };
}

export interface SpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly KeyValue[];
}

export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: readonly KeyValue[];
}

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export type AnyValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean };

/** Attributes of the values that are there. Whole numbers are 64-bit integers, and so decimal strings. */
export function attributesOf(
  fields: Readonly<Record<string, string | number | boolean | null | undefined>>,
): KeyValue[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    value === undefined || value === null || value === '' ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean): AnyValue {
  if (typeof value === 'string') return { stringValue: wellFormed(value) };
  if (typeof value === 'boolean') return { boolValue: value };
  if (Number.isSafeInteger(value)) return { intValue: value.toFixed(0) };
  // JSON has no NaN; protobuf's spelling of it is not understood everywhere
  return { doubleValue: Number.isFinite(value) ? value : 0 };
}

/** Protobuf strings are UTF-8: half a surrogate pair makes a collector refuse the whole request. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
