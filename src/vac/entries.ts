import { isEventType } from '../agentlog/schema.ts';
import { isObject, type JsonObject, sameJson } from '../json.ts';
import { printCanonical } from './as-json.ts';
import { difference, patched, pick, textOf, without } from './patch.ts';
import {
  AGENTLOG_FIELD,
  type Context,
  SHARED_FIELDS,
  sharedOfEntry,
  sharedOfEvent,
  VAC_PROPERTY,
} from './shared-fields.ts';
import { resultOf, TOOL_FORMS, toolEntry, toolEvent } from './tools.ts';
import { validateVac } from './validate.ts';

/**
 * The entry of an AgentLog event, as it is in JSON. The draft's fields are filled from the event; then the event is made of them again,
 * and where that is not what it was, the difference goes along. So nothing can get lost, whatever an event holds.
 */
export function entryOf(event: JsonObject, context: Context): JsonObject {
  const kept = isObject(event.properties) ? event.properties[VAC_PROPERTY] : undefined;
  if (isObject(kept)) {
    const original = patched(described(withoutKept(event), context), kept);
    // unless it was not valid, or the event was changed since it was read
    if (validateVac(original, 'entry').length === 0 && sameJson(eventOf(original, context), event)) return original;
  }
  return described(event, context);
}

/** The event of an entry, by the same rule: what the event cannot say is kept in its properties. */
export function eventOf(entry: JsonObject, context: Context): JsonObject {
  const event = patched(likelyEvent(entry, context), entry[AGENTLOG_FIELD]);
  const kept = difference(entryOf(event, context), entry);
  if (!kept) return event;
  return { ...event, properties: { ...(isObject(event.properties) ? event.properties : {}), [VAC_PROPERTY]: kept } };
}

function withoutKept(event: JsonObject): JsonObject {
  const properties = without(event.properties as JsonObject, [VAC_PROPERTY]);
  const rest = without(event, ['properties']);
  return Object.keys(properties).length > 0 ? { ...rest, properties } : rest;
}

function described(event: JsonObject, context: Context): JsonObject {
  const entry = likelyEntry(event, context);
  const patch = difference(likelyEvent(entry, context), event);
  if (!patch) return entry;
  const hint = entry[AGENTLOG_FIELD];
  return { ...entry, [AGENTLOG_FIELD]: { ...(isObject(hint) ? hint : {}), ...patch } };
}

function likelyEntry(event: JsonObject, context: Context): JsonObject {
  const { type, role } = event;
  const shared = sharedOfEvent(event, context);
  if (type === 'message' && (role === 'user' || role === 'assistant')) {
    return { type: role, ...pick(event, ['content']), ...shared };
  }
  if (type === 'reasoning') return reasoningEntry(event, shared);
  const isTool = typeof type === 'string' && (type === 'toolCall' || Object.hasOwn(TOOL_FORMS, type));
  return (isTool && toolEntry(event, type, shared)) || systemEntry(event, shared);
}

/** AgentLog's `content` is the reasoning itself; where it is not told, the rationale stands for it. */
function reasoningEntry(event: JsonObject, shared: JsonObject): JsonObject {
  const content = textOf(event.content);
  return {
    type: 'reasoning',
    content: content ?? textOf(event.rationale) ?? '',
    ...(typeof event.intent === 'string' && { subject: event.intent }),
    ...shared,
    ...(content !== undefined && { [AGENTLOG_FIELD]: { type: 'reasoning' } }),
  };
}

/** Everything that the draft has no entry for. An event of a stranger stays as it came. */
function systemEntry(event: JsonObject, shared: JsonObject): JsonObject {
  const { type } = event;
  if (!isEventType(type)) {
    const name = typeof type === 'string' && type !== '' ? type : 'unknown';
    return { type: 'system-event', 'event-type': name, data: event, ...shared, [AGENTLOG_FIELD]: { type: 'opaque' } };
  }
  const data = without(event, ['type', ...SHARED_FIELDS]);
  const name = type.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { type: 'system-event', 'event-type': name, data, ...shared, [AGENTLOG_FIELD]: { type } };
}

function likelyEvent(entry: JsonObject, context: Context): JsonObject {
  const shared = sharedOfEntry(entry, context);
  const hint = textOf(pick(entry[AGENTLOG_FIELD], ['type']).type);
  switch (entry.type) {
    case 'user':
    case 'assistant':
      return { type: 'message', role: entry.type, content: spoken(entry.content), ...shared };
    case 'reasoning':
      return reasoningEvent(entry, shared, hint);
    case 'tool-call':
      return toolEvent(entry, hint, shared);
    case 'tool-result':
      // the call is not in the record
      return { type: 'toolCall', name: 'unknown', input: {}, ...resultOf(entry), ...shared };
    default:
      return systemEvent(entry, shared, hint);
  }
}

function reasoningEvent(entry: JsonObject, shared: JsonObject, hint: string | undefined): JsonObject {
  const content = spoken(entry.content);
  const intent = textOf(entry.subject) ?? content.trimStart().split('\n', 1)[0]?.slice(0, 200) ?? '';
  return { type: 'reasoning', intent, ...(hint === 'reasoning' ? { content } : { rationale: content }), ...shared };
}

function systemEvent(entry: JsonObject, shared: JsonObject, hint: string | undefined): JsonObject {
  const data = isObject(entry.data) ? entry.data : {};
  if (hint === 'opaque') return data;
  if (isEventType(hint)) return { type: hint, ...data, ...shared };
  const label = textOf(entry['event-type']) ?? 'unknown';
  return { type: 'checkpoint', checkpointType: 'custom', label, restorable: false, ...shared };
}

/** A message's words: its content, or the text parts of a list of parts. What else there is stays with the entry. */
function spoken(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  const parts = (Array.isArray(content) ? content : []).flatMap((part: unknown) => {
    return typeof part === 'string' ? [part] : (textOf(pick(part, ['text']).text) ?? []);
  });
  return parts.length > 0 ? parts.join('\n') : printCanonical(content);
}
