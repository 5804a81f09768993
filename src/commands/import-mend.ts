import { type AgentLogDocument, type AgentLogEvent, SPEC_VERSION } from '../agentlog/document.ts';
import { parseDocument } from '../agentlog/parse.ts';
import { validateDocument } from '../agentlog/validate.ts';
import { isObject, type JsonObject } from '../json.ts';
import { timeOf } from '../shape.ts';
import { objectIn } from './import-parts.ts';

/** Where a document keeps what of its envelope breaks the rules (AgentLog 6.2). */
export const KEPT_PROPERTY = 'git-agent-blame:as-it-came';

export type Mended = { readonly document: AgentLogDocument; readonly odd: number } | { readonly problem: string };

/**
 * A stranger's document so that it may be stored: it must be one of AgentLog 0.2.0. Events that are not stay as they came, as events of an
 * unknown kind do; parts of the envelope that are not go into the properties, and so do events that are not even objects. `fallback`: when
 * nothing tells a time.
 */
export function mendDocument(raw: string, fallback: number): Mended {
  const parsed = parseDocument(raw);
  if (parsed.kind === 'foreign') return { problem: parsed.problem };
  const { document, skipped } = parsed;
  const came = objectIn(raw) ?? {};
  const kept: Record<string, unknown> = {};
  for (const part of skipped.parts) kept[part] = came[part];
  if (skipped.events > 0 && Array.isArray(came.events)) kept.events = came.events.filter((event) => !isObject(event));
  const whole = withSoundEnvelope(document, kept, fallback);
  const events = soundEvents(whole);
  const properties = { ...whole.properties, ...(Object.keys(kept).length > 0 && { [KEPT_PROPERTY]: kept }) };
  const mended = { ...whole, events, ...(Object.keys(properties).length > 0 && { properties }) };
  return { document: mended, odd: skipped.events };
}

function withSoundEnvelope(
  document: AgentLogDocument,
  kept: Record<string, unknown>,
  fallback: number,
): AgentLogDocument {
  const start = timeOf(document.startTime) === undefined ? firstTime(document.events, fallback) : document.startTime;
  if (start !== document.startTime) kept.startTime = document.startTime;
  if (document.specVersion !== SPEC_VERSION) kept.specVersion = document.specVersion;
  const agent = document.agent.name === '' ? { ...document.agent, name: 'unknown' } : document.agent;
  const sound = { ...document, specVersion: SPEC_VERSION, startTime: start, agent };
  const broken = new Set(
    validateDocument({ ...sound, events: [] })
      .filter(({ kind }) => kind !== 'note')
      .map(({ path }) => path.split('/')[1] ?? ''),
  );
  const parts = Object.entries(sound).filter(([key]) => {
    if (!broken.has(key)) return true;
    kept[key] = (sound as unknown as JsonObject)[key];
    return false;
  });
  return Object.fromEntries(parts) as unknown as AgentLogDocument;
}

function firstTime(events: readonly AgentLogEvent[], fallback: number): string {
  return events.map(({ timestamp }) => timestamp).find((time) => timeOf(time) !== undefined) ?? isoOf(fallback);
}

/** Each by itself: a list of broken rules may be cut short. */
function soundEvents({ specVersion, id, startTime, status, agent, events }: AgentLogDocument): AgentLogEvent[] {
  const envelope = { specVersion, id, startTime, status, agent };
  const isSound = (event: AgentLogEvent) =>
    validateDocument({ ...envelope, events: [event] }).every(({ kind }) => kind === 'note');
  return events.map((event) => {
    if (event.type === 'opaque' || isSound(event)) return event;
    return { type: 'opaque', id: event.id, timestamp: event.timestamp, raw: event as unknown as JsonObject };
  });
}

/** A document as text, whatever rules it breaks: events that are not known are written as they came. */
export function rawOf(document: AgentLogDocument): string {
  const events = document.events.map((event) => (event.type === 'opaque' ? event.raw : event));
  return JSON.stringify({ ...document, events });
}

/** RFC 3339 ends with the year 9999. */
export function isoOf(time: number): string {
  return new Date(Math.min(Math.max(Math.trunc(time) || 0, 0), 253_402_300_799_999)).toISOString();
}
