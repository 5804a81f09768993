import { hash } from 'node:crypto';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import { type ActivityEvent, AS_IT_CAME, isEventType, SCHEMA_VERSION } from './event.ts';
import { renamed } from './former.ts';

/** What one line of a stream is. `raw` is the line as it came: whoever passes it on passes that on. */
export type ParsedEvent = KnownEvent | ForeignLine;

export interface KnownEvent {
  readonly kind: 'event';
  readonly event: ActivityEvent;
  readonly raw: string;
}

export interface ForeignLine {
  readonly kind: 'foreign';
  readonly raw: string;
  readonly problem: string;
}

export const MAX_LINE_LENGTH = 16 * 1024 * 1024;
export const MAX_EVENTS = 1_000_000;

export interface StreamLine {
  /** Counted from 1. */
  readonly line: number;
  readonly raw: string;
}

/** The lines of a stream that say anything, without their endings; at most one more than `MAX_EVENTS`. */
export function* linesOf(text: string): Generator<StreamLine> {
  let count = 0;
  for (let line = 1, start = text.startsWith('\uFEFF') ? 1 : 0; start <= text.length && count <= MAX_EVENTS; line++) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const raw = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    start = end + 1;
    if (raw.trim() === '') continue;
    count++;
    yield { line, raw };
  }
}

export interface ParsedStream {
  readonly events: readonly ActivityEvent[];
  readonly foreign: readonly ForeignLine[];
  /** The stream goes on after the last event that is read. */
  readonly cut: boolean;
}

export function parseStream(text: string): ParsedStream {
  const parsed = [...linesOf(text)].map(({ raw }) => parseEvent(raw));
  return {
    events: parsed
      .slice(0, MAX_EVENTS)
      .filter((one) => one.kind === 'event')
      .map((one) => one.event),
    foreign: parsed.slice(0, MAX_EVENTS).filter((one) => one.kind === 'foreign'),
    cut: parsed.length > MAX_EVENTS,
  };
}

/**
 * Reads an event however sparely written: older ones have no chain, family or provenance, and some have `type`, `id` and `session_id`
 * where the page has other names. What came stays on the event beside what it is read as.
 */
export function parseEvent(raw: string): ParsedEvent {
  const foreign = (problem: string): ForeignLine => ({ kind: 'foreign', raw, problem });
  const json = parseJson(raw, MAX_LINE_LENGTH);
  if ('problem' in json) return foreign(json.problem);
  if (!isObject(json.value)) return foreign('not an object');
  const value = renamed(json.value).event;
  const type = textOf(value.event_type);
  if (!type) return foreign('no event type');
  const version = value.schema_version;
  if (version !== undefined && version !== SCHEMA_VERSION) return foreign(`not of the schema ${SCHEMA_VERSION}`);
  // nothing else tells an event without a version from any other line
  if (version === undefined && !isEventType(type)) return foreign('no schema version');
  return { kind: 'event', event: eventOf(value, type, raw), raw };
}

function eventOf(value: JsonObject, type: string, raw: string): ActivityEvent {
  return withoutUnreadable({
    ...value,
    schema_version: SCHEMA_VERSION,
    event_id: textOf(value.event_id) || `evt-${hash('sha256', raw, 'hex').slice(0, 16)}`,
    event_type: type,
  });
}

const OBJECTS = ['source', 'agent', 'developer', 'session', 'attributes'] as const;
const TEXTS = ['event_family', 'occurred_at', 'team_id'] as const;

/** Fields that are not of their kind would be read as what they are not: they stay beside the others. */
function withoutUnreadable(event: JsonObject): ActivityEvent {
  const unreadable = new Set<string>([
    ...OBJECTS.filter((key) => event[key] !== undefined && !isObject(event[key])),
    ...TEXTS.filter((key) => event[key] !== undefined && typeof event[key] !== 'string'),
    ...(event.actor_chain === undefined || isChain(event.actor_chain) ? [] : ['actor_chain']),
  ]);
  if (!isObject(event.session) || typeof event.session.id !== 'string') unreadable.add('session');
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(event).filter(([key]) => unreadable.has(key) === wanted));
  const [rest, kept] = [pick(false), pick(true)];
  if (Object.keys(kept).length === 0) return rest as unknown as ActivityEvent;
  const before = rest[AS_IT_CAME];
  return { ...rest, [AS_IT_CAME]: { ...(isObject(before) && before), ...kept } } as unknown as ActivityEvent;
}

function isChain(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
