import type { AgentLogDocument, AgentLogEvent } from '../agentlog/document.ts';
import { EVENTS } from '../agentlog/schema.ts';
import type { Glob } from '../report/glob.ts';
import { timeOf } from '../shape.ts';
import { type Entry, entryOf, pathsOf, toolOf, typeOf, wordsIn } from './entry.ts';
import type { Roots } from './place.ts';

/** What is looked for: an entry has to be all of it. */
export interface Query {
  /** In milliseconds, both included. */
  readonly since?: number;
  readonly until?: number;
  /** One of these. */
  readonly events?: readonly EventKind[];
  /** The agent's name, or that of the tool it called. */
  readonly tool?: Glob;
  readonly path?: Glob;
  /** In lower case; all of them, anywhere in the entry. */
  readonly words?: readonly string[];
}

/** A type of AgentLog, or one side of a conversation. */
export interface EventKind {
  readonly type: string;
  readonly role?: string;
}

const ROLES: ReadonlyMap<string, EventKind> = new Map([
  ['prompt', { type: 'message', role: 'user' }],
  ['user', { type: 'message', role: 'user' }],
  ['assistant', { type: 'message', role: 'assistant' }],
]);

/** The names that can be asked for. */
export const EVENT_NAMES: readonly string[] = [...Object.keys(EVENTS), 'prompt', 'user', 'assistant'];

/** `toolCall`, `tool-call` and `toolcall` are the same. */
export function findEventKind(name: string): EventKind | undefined {
  const plain = name.toLowerCase().replace(/[-_]/g, '');
  const type = Object.keys(EVENTS).find((one) => one.toLowerCase() === plain);
  return type === undefined ? ROLES.get(plain) : { type };
}

/** The entries of a session that are looked for, in its order. */
export function findEntries(document: AgentLogDocument, query: Query, roots: Roots): Entry[] {
  const { tool } = query;
  // an agent that is asked for by name did all of it
  const byAgent = tool?.matches(document.agent.name) === true;
  return document.events
    .filter((event) => {
      if (!isThen(event, query) || !isKind(event, query)) return false;
      if (tool && !byAgent && !tool.matches(toolOf(event) ?? '')) return false;
      if (query.path && !pathsOf(document, event, roots).some((path) => query.path?.matches(path))) return false;
      return hasWords(event, query.words ?? []);
    })
    .map((event) => entryOf(document, event));
}

/** A time that nobody can read is in no span of time. */
function isThen({ timestamp }: AgentLogEvent, { since, until }: Query): boolean {
  if (since === undefined && until === undefined) return true;
  const at = timeOf(timestamp);
  return at !== undefined && at >= (since ?? -Infinity) && at <= (until ?? Infinity);
}

function isKind(event: AgentLogEvent, { events }: Query): boolean {
  if (events === undefined) return true;
  const role = event.type === 'message' ? event.role : undefined;
  return events.some((kind) => kind.type === typeOf(event) && (kind.role === undefined || kind.role === role));
}

function hasWords(event: AgentLogEvent, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const missing = new Set(words);
  for (const text of wordsIn(event.type === 'opaque' ? event.raw : event)) {
    const low = text.toLowerCase();
    for (const word of missing) if (low.includes(word)) missing.delete(word);
    if (missing.size === 0) return true;
  }
  return false;
}

/** By time; entries without one come first, equal ones in the order of their sessions. */
export function byTime(a: Entry, b: Entry): number {
  return (a.at ?? 0) - (b.at ?? 0) || (a.session < b.session ? -1 : a.session > b.session ? 1 : 0);
}
