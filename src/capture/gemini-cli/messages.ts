import type { JsonObject } from '../../json.ts';
import { listOf, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { partsOf } from '../gemini-family.ts';
import { type Skipped, skip } from '../json-lines.ts';

/** A session's file as it is read record by record. */
export interface Draft {
  session: string | undefined;
  hash: string | undefined;
  kind: string | undefined;
  startedAt: number | undefined;
  readonly directories: string[];
  /** By id, in order of first sight. */
  readonly messages: Map<string, Message>;
  readonly skipped: Skipped;
}

/** The best that was told of one message. */
export interface Message {
  readonly id: string;
  readonly at: number;
  readonly type: 'user' | 'gemini';
  content: unknown;
  displayContent: unknown;
  model: string | undefined;
  tokens: JsonObject | undefined;
  thoughts: readonly unknown[];
  readonly calls: Map<string, JsonObject>;
}

export function emptyDraft(): Draft {
  return {
    session: undefined,
    hash: undefined,
    kind: undefined,
    startedAt: undefined,
    directories: [],
    messages: new Map(),
    skipped: {},
  };
}

/**
 * One record: what the file is, a message, or a change of either. A message is written anew under its id when its calls have ended; when a
 * session is resumed all are, without their calls, models and tokens. So nothing is ever taken away; nor by `$rewindTo`: what was done
 * to files before it was done all the same.
 */
export function readRecord(draft: Draft, record: JsonObject): void {
  const change = objectOf(record.$set);
  if (change) readWhole(draft, change);
  else if ('$rewindTo' in record) return;
  else if ('id' in record) readMessage(draft, record);
  else if ('sessionId' in record || 'messages' in record) readWhole(draft, record);
  else skip(draft.skipped, 'record');
}

/** The whole of an old file, the first line of a newer one, or what is set later. */
function readWhole(draft: Draft, fields: JsonObject): void {
  draft.session ??= plainId(fields.sessionId);
  draft.hash ??= textOf(fields.projectHash);
  draft.kind ??= textOf(fields.kind);
  draft.startedAt ??= timeOf(fields.startTime);
  draft.directories.push(...listOf(fields.directories).flatMap((folder) => textOf(folder) ?? []));
  for (const message of listOf(fields.messages)) readMessage(draft, objectOf(message) ?? {});
}

/** Words of the user interface. */
const IGNORED = new Set(['info', 'error', 'warning']);

function readMessage({ messages, skipped }: Draft, fields: JsonObject): void {
  const [id, at, type] = [plainId(fields.id), timeOf(fields.timestamp), textOf(fields.type)];
  if (id === undefined || at === undefined || type === undefined) skip(skipped, 'message without id, time or type');
  else if (type === 'user' || type === 'gemini') addTo(messageOf(messages, { id, at, type }), fields, skipped);
  else if (!IGNORED.has(type)) skip(skipped, `message of ${type}`);
}

/** The first sight of it says when it was: a resumed session stamps all of them anew. */
function messageOf(messages: Map<string, Message>, first: Pick<Message, 'id' | 'at' | 'type'>): Message {
  const had = messages.get(first.id);
  const message = had ?? {
    ...first,
    content: undefined,
    displayContent: undefined,
    model: undefined,
    tokens: undefined,
    thoughts: [],
    calls: new Map(),
  };
  messages.set(first.id, message);
  return message;
}

function addTo(message: Message, fields: JsonObject, skipped: Skipped): void {
  if (!hasText(message.content)) message.content = fields.content ?? message.content;
  message.displayContent ??= fields.displayContent;
  message.model = textOf(fields.model) ?? message.model;
  message.tokens = objectOf(fields.tokens) ?? message.tokens;
  const thoughts = listOf(fields.thoughts);
  if (thoughts.length > 0) message.thoughts = thoughts;
  for (const value of listOf(fields.toolCalls)) {
    const call = objectOf(value);
    const id = textOf(call?.id);
    if (!call || id === undefined) skip(skipped, 'call without id');
    else if (!isOver(message.calls.get(id)) || isOver(call)) message.calls.set(id, call);
  }
}

function hasText(content: unknown): boolean {
  return partsOf(content).some((part) => textOf(part.text));
}

function isOver(call: JsonObject | undefined): boolean {
  return call?.status === 'success' || call?.status === 'error' || call?.status === 'cancelled';
}
