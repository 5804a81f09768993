import { isObject, type JsonObject, parseJson } from '../json.ts';
import { check, type Shape } from '../shape.ts';
import {
  type AgentInfo,
  type AgentLogDocument,
  type AgentLogEvent,
  type KnownEvent,
  type SessionStatus,
  SPEC_VERSION,
  STATUSES,
  TOLERATED_STATUSES,
} from './document.ts';
import { agent, EVENTS, isEventType, OPTIONAL_PARTS } from './schema.ts';

/** What a text is. `raw` is the text as it came. */
export type ParsedDocument = KnownDocument | ForeignDocument;

export interface KnownDocument {
  readonly kind: 'document';
  readonly document: AgentLogDocument;
  readonly raw: string;
  /** Events kept as they came because 0.2.0 does not know them or misses something in them. */
  readonly opaque: number;
  /** Names of parts of the envelope, and the number of events, that could not be read; they are in `raw` alone. */
  readonly skipped: { readonly parts: readonly string[]; readonly events: number };
}

export interface ForeignDocument {
  readonly kind: 'foreign';
  readonly raw: string;
  readonly problem: string;
}

export const MAX_DOCUMENT_LENGTH = 256 * 1024 * 1024;
export const MAX_EVENTS = 1_000_000;

/**
 * Reads any version's document that has a session id, an agent and a status. Unknown fields stay on their objects.
 */
export function parseDocument(raw: string): ParsedDocument {
  const foreign = (problem: string): ForeignDocument => ({ kind: 'foreign', raw, problem });
  const json = parseJson(raw, MAX_DOCUMENT_LENGTH);
  if ('problem' in json) return foreign(json.problem);
  const { value } = json;
  if (!isObject(value)) return foreign('not an object');
  if (typeof value.id !== 'string' || value.id === '') return foreign('no session id');
  const status = [...STATUSES, ...TOLERATED_STATUSES].find((one) => one === value.status);
  if (!status) return foreign('no status of a session');
  const agentInfo = parseAgent(value.agent);
  if (!agentInfo) return foreign('no agent');
  const events = value.events ?? [];
  if (!Array.isArray(events) || events.length > MAX_EVENTS) return foreign(`no list of at most ${MAX_EVENTS} events`);
  const kept = events.map(parseEvent).filter((one) => one !== undefined);
  const { readable, parts } = readableParts(value);
  return {
    kind: 'document',
    document: envelope(readable, { id: value.id, status, agent: agentInfo, events: kept }),
    raw,
    opaque: kept.filter((one) => one.type === 'opaque').length,
    skipped: { parts, events: events.length - kept.length },
  };
}

interface Core {
  readonly id: string;
  readonly status: SessionStatus;
  readonly agent: AgentInfo;
  readonly events: readonly AgentLogEvent[];
}

function envelope(value: JsonObject, core: Core): AgentLogDocument {
  const { specVersion, startTime } = value;
  return {
    ...value,
    ...core,
    specVersion: typeof specVersion === 'string' ? specVersion : SPEC_VERSION,
    startTime: typeof startTime === 'string' ? startTime : (core.events[0]?.timestamp ?? ''),
  };
}

/** The envelope without the optional parts that are not what they should be. */
function readableParts(value: JsonObject): { readonly readable: JsonObject; readonly parts: readonly string[] } {
  const unreadable = Object.entries(OPTIONAL_PARTS).filter(([key, shape]) => {
    return Object.hasOwn(value, key) && !isReadable(shape, value[key]);
  });
  const parts = unreadable.map(([key]) => key);
  return { readable: Object.fromEntries(Object.entries(value).filter(([key]) => !parts.includes(key))), parts };
}

function parseAgent(value: unknown): AgentInfo | undefined {
  if (typeof value === 'string' && value !== '') return { name: value };
  return isReadable(agent, value) ? (value as AgentInfo) : undefined;
}

/** An event that is not even an object says nothing. */
function parseEvent(value: unknown): AgentLogEvent | undefined {
  if (!isObject(value)) return undefined;
  if (isEventType(value.type) && isReadable(EVENTS[value.type], value)) return value as unknown as KnownEvent;
  const { id, timestamp } = value;
  return {
    type: 'opaque',
    id: typeof id === 'string' ? id : '',
    timestamp: typeof timestamp === 'string' ? timestamp : '',
    raw: value,
  };
}

/** Can be used as what its type says; whether every rule is kept is for `validateDocument`. */
function isReadable(shape: Shape, value: unknown): boolean {
  return check(shape, value, '').every((problem) => problem.kind !== 'shape');
}
