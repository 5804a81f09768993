import { Fault } from '../fault.ts';
import { isObject, type JsonObject } from '../json.ts';
import { timeOf } from '../shape.ts';
import type { AgentLogDocument, AgentLogEvent, Metrics, Relationships, SessionStatus } from './document.ts';
import { measure } from './measure.ts';
import { isOpen } from './open-call.ts';
import { withStated } from './stated.ts';

/**
 * One session seen from two sides (its hooks, its transcript). Every part is the greater of the two in some fixed order, or a union, so
 * that it does not matter who comes first, how they are grouped, or whether one comes twice.
 */
export function mergeDocuments(a: AgentLogDocument, b: AgentLogDocument): AgentLogDocument {
  if (a.id !== b.id) throw new Fault('bug', `sessions ${a.id} and ${b.id} are not one`);
  const events = mergeEvents([...a.events, ...b.events]);
  const relationships = mergeRelationships(a.relationships, b.relationships);
  const both = join({ ...a, events: null }, { ...b, events: null }) as AgentLogDocument;
  const { endTime, ...rest } = both;
  const end = endOf(a, b);
  return {
    ...rest,
    startTime: earlier(a.startTime, b.startTime),
    ...(end === undefined ? {} : { endTime: end }),
    status: laterStatus(a.status, b.status),
    events,
    metrics: withStated(mergeMetrics(join(a.metrics, b.metrics) as Metrics | null, measure(events)), both),
    ...(relationships ? { relationships } : {}),
  };
}

/** A total of tokens may count answers that left no event; it is never less than what the events give. */
function mergeMetrics(told: Metrics | null, measured: Metrics): Metrics {
  const tokens = join(told?.tokenUsage, measured.tokenUsage) as Metrics['tokenUsage'];
  return { ...told, ...measured, ...(tokens === undefined ? {} : { tokenUsage: tokens }) };
}

/** Same id, same event: the one that says more stays. Ordered by time, then id. */
function mergeEvents(events: readonly AgentLogEvent[]): AgentLogEvent[] {
  const byKey = new Map<string, AgentLogEvent>();
  for (const event of events) {
    // without an id, an event is only the same as its double
    const key = event.id === '' ? `=${JSON.stringify(event)}` : `#${event.id}`;
    const other = byKey.get(key);
    byKey.set(key, other ? richer(event, other) : event);
  }
  return withoutDoubles([...byKey.values()]).sort(compareEvents);
}

/** What a prompt is called by a hook that is told of no id: by its time. */
const BY_TIME = /^prompt-\d{12,}$/;
const MINUTE = 60_000;

/** A prompt whose id only the transcript knows: said once more by the hook at about that time, it is the same one. */
function withoutDoubles(events: readonly AgentLogEvent[]): AgentLogEvent[] {
  const byTime = events.filter(({ id }) => BY_TIME.test(id));
  const wanted = new Set(byTime.map(promptOf));
  const others = events.filter((event) => !BY_TIME.test(event.id) && wanted.has(promptOf(event)));
  const isNear = (a: AgentLogEvent, b: AgentLogEvent) =>
    promptOf(a) === promptOf(b) && Math.abs((timeOf(a.timestamp) ?? 0) - (timeOf(b.timestamp) ?? 0)) <= MINUTE;
  const doubles = new Set(byTime.filter((one) => promptOf(one) && others.some((other) => isNear(one, other))));
  return events.filter((event) => !doubles.has(event));
}

function promptOf(event: AgentLogEvent): string | undefined {
  if (event.type !== 'message' || event.role !== 'user' || typeof event.content !== 'string') return undefined;
  return event.content.trim();
}

/** Tokens and cost are joined apart from the rest: their sum over a session must not depend on which side said more otherwise. */
function richer(a: AgentLogEvent, b: AgentLogEvent): AgentLogEvent {
  if (a.type === 'opaque' || b.type === 'opaque') {
    if (a.type === b.type) return compareJson(a, b) >= 0 ? a : b;
    return a.type === 'opaque' ? b : a;
  }
  // what became of a call says more than what it was given, however long that is
  const order = Number(isOpen(b)) - Number(isOpen(a));
  const [
    { tokenUsage: tokensA, estimatedCostUsd: costA, ...restA },
    { tokenUsage: tokensB, estimatedCostUsd: costB, ...restB },
  ] = [a, b];
  const tokens = join(tokensA, tokensB);
  const cost = join(costA, costB);
  return {
    ...(a === b || (order || compareJson(restA, restB)) >= 0 ? restA : restB),
    ...(tokens === undefined ? {} : { tokenUsage: tokens }),
    ...(cost === undefined ? {} : { estimatedCostUsd: cost }),
  } as AgentLogEvent;
}

function compareEvents(a: AgentLogEvent, b: AgentLogEvent): number {
  return compareTimes(a.timestamp, b.timestamp) || compareText(a.id, b.id) || compareJson(a, b);
}

type Maybe<T> = T | null | undefined;

/** References by union, whoever comes first. */
export function mergeRelationships(a: Maybe<Relationships>, b: Maybe<Relationships>): Relationships | undefined {
  if (!a && !b) return undefined;
  const merged: Record<string, unknown> = { ...(join(a, b) as JsonObject) };
  for (const key of LISTS) {
    const items: readonly unknown[] = [...(a?.[key] ?? []), ...(b?.[key] ?? [])];
    if (a?.[key] || b?.[key]) merged[key] = unite(items);
  }
  return merged;
}

const LISTS = [
  ...(['commits', 'pullRequests', 'issues', 'errors', 'deployments'] as const),
  ...(['reviews', 'testRuns', 'branches', 'childSessions'] as const),
];

/** References to one thing become one; the rest stand side by side. */
function unite(items: readonly unknown[]): unknown[] {
  const byKey = new Map<string, unknown>();
  for (const item of items) {
    const key = nameOf(item);
    byKey.set(key, byKey.has(key) ? join(byKey.get(key), item) : item);
  }
  return [...byKey].sort(([a], [b]) => compareText(a, b)).map(([, item]) => item);
}

function nameOf(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item);
  const { sha, number, id, repository, source, tracker } = item;
  if (sha !== undefined) return JSON.stringify([sha]);
  if (number !== undefined) return JSON.stringify([number, repository ?? null]);
  // joined with itself an object has its keys in order
  return JSON.stringify(id === undefined ? join(item, item) : [id, source ?? tracker ?? null]);
}

/** Objects field by field; of two other values the one with more to say. Objects stand above all else, null and absence below. */
function join(a: unknown, b: unknown): unknown {
  if (!isObject(a) || !isObject(b)) return compareValues(a, b) >= 0 ? a : b;
  const out: Record<string, unknown> = Object.create(null);
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)].sort())) {
    out[key] = join(Object.hasOwn(a, key) ? a[key] : undefined, Object.hasOwn(b, key) ? b[key] : undefined);
  }
  return { ...out };
}

function compareValues(a: unknown, b: unknown): number {
  const rank = (value: unknown) => (isObject(value) ? 3 : value == null ? (value === null ? 1 : 0) : 2);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareJson(a, b);
}

function compareJson(a: unknown, b: unknown): number {
  const [textA, textB] = [JSON.stringify(a) ?? '', JSON.stringify(b) ?? ''];
  return textA.length - textB.length || compareText(textA, textB);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By the moment; times that are none come first, as texts. */
function compareTimes(a: string, b: string): number {
  const [timeA, timeB] = [timeOf(a) ?? Number.NEGATIVE_INFINITY, timeOf(b) ?? Number.NEGATIVE_INFINITY];
  return timeA === timeB ? compareText(a, b) : timeA - timeB;
}

/** A time that is none does not count against one that is. */
function earlier(a: string, b: string): string {
  if ((timeOf(a) === undefined) !== (timeOf(b) === undefined)) return timeOf(a) === undefined ? b : a;
  return compareTimes(a, b) <= 0 ? a : b;
}

function endOf(a: AgentLogDocument, b: AgentLogDocument): string | null | undefined {
  if (a.endTime == null || b.endTime == null)
    return a.endTime ?? b.endTime ?? (join(a.endTime, b.endTime) as null | undefined);
  return compareTimes(a.endTime, b.endTime) >= 0 ? a.endTime : b.endTime;
}

/** Whoever saw the session end knows more than who did not. */
function laterStatus(a: SessionStatus, b: SessionStatus): SessionStatus {
  const order: readonly SessionStatus[] = [
    'queued',
    'active',
    'paused',
    'interrupted',
    'timeout',
    'cancelled',
    'failed',
    'completed',
  ];
  return order.indexOf(a) >= order.indexOf(b) ? a : b;
}
