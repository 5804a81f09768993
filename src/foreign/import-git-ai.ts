import type { AgentLogDocument, KnownEvent } from '../agentlog/document.ts';
import { linkDocument } from '../agentlog/link.ts';
import { isObject, type JsonObject } from '../json.ts';
import { type Origin, unknown } from '../lines/origin.ts';
import { timeOf } from '../shape.ts';
import { ownPart } from '../trace/own.ts';
import { OWN_KEY, type TraceRecord } from '../trace/record.ts';
import { type Claim, type ImportContext, type Imported, recordsOf } from './claim.ts';
import { type GitAiNote, type GitAiSession, isAgentKey } from './git-ai.ts';
import { modelIdOf, toolNameOf } from './tool-names.ts';

/**
 * The note's lines as records of ours. Its notes do not tell lines it saw from lines it inferred (it extends ranges to neighbours, and
 * reads trailers): all of it is its word.
 */
export function importGitAi(note: GitAiNote, context: ImportContext): Imported {
  const origins = new Map<string, Origin>();
  const originFor = (key: string): Origin => {
    const origin = origins.get(key) ?? originOf(key, note, context);
    origins.set(key, origin);
    return origin;
  };
  const claims = note.files.flatMap(({ path, entries }) =>
    entries.flatMap(({ key, ranges }) => ranges.map((range): Claim => ({ ...range, path, origin: originFor(key) }))),
  );
  const { records, skipped } = recordsOf(claims, context, nameOf(note));
  const humans = Object.fromEntries([...note.humans].filter(([, name]) => name !== undefined));
  const named = records.map((record) => withNames(record, { humans, models: modelsOf(note, record.tool?.name) }));
  return { records: named, skipped: skipped + note.broken.length };
}

/** Agent Trace has no place for the name of a person, nor for one of a model that models.dev does not have. */
function withNames(record: TraceRecord, names: Readonly<Record<string, JsonObject>>): TraceRecord {
  const told = Object.entries(names).filter(([, some]) => Object.keys(some).length > 0);
  if (told.length === 0) return record;
  const own = ownPart(record.metadata);
  return { ...record, metadata: { ...record.metadata, [OWN_KEY]: { ...own, git_ai: Object.fromEntries(told) } } };
}

/** What the note calls the models of one agent, as it came: by the conversation, where it has an id, else by the note's key. */
function modelsOf({ sessions }: GitAiNote, tool: string | undefined): JsonObject {
  const named = [...sessions].filter(([, { tool: name, model }]) => model !== undefined && toolNameOf(name) === tool);
  return Object.fromEntries(named.map(([key, { id, model }]) => [id ?? key, model?.slice(0, MAX_MODEL)]));
}

/** Longer names are no model's. */
const MAX_MODEL = 250;

function nameOf({ version }: GitAiNote): string {
  return `git-ai${version ? ` ${version.slice(0, 50)}` : ''}`;
}

function originOf(key: string, note: GitAiNote, context: ImportContext): Origin {
  const reason = `imported from ${nameOf(note)}`;
  const name = key.split('::', 1)[0] ?? '';
  if (note.humans.has(name) || name.startsWith('h_')) return { type: 'human', evidence: 'declared', reason };
  const session = note.sessions.get(name);
  // an agent's key that its note does not describe is an agent's all the same; which one is not known
  if (!session && !isAgentKey(key)) return unknown(`imported from ${nameOf(note)}, which does not say who it was`);
  const tool = toolNameOf(session?.tool);
  const model = modelIdOf(tool, session?.model, context.modelOf);
  return {
    type: 'ai',
    evidence: 'declared',
    agent: { session: session?.id ?? '', event: '', tool: { name: tool }, ...(model ? { model } : {}) },
    reason,
  };
}

/** The sessions that the note names, tied to the commit; with what was said in them, where the note holds it. */
export function sessionsOfGitAi(note: GitAiNote, context: ImportContext): AgentLogDocument[] {
  return [...note.sessions.values()].flatMap((session) => {
    if (!session.id) return [];
    const events = session.messages.slice(0, MAX_MESSAGES).flatMap((one, i) => messageOf(one, i, context.time));
    const times = events.map((event) => event.timestamp).sort();
    const tool = toolNameOf(session.tool);
    const link = linkDocument({
      session: session.id,
      agent: { name: tool, ...modelField(tool, session, context) },
      startTime: times[0] ?? isoOf(context.time),
      endTime: times.at(-1) ?? isoOf(context.time),
      status: 'completed',
      commits: [{ sha: context.commit }],
    });
    const more = Object.entries(session.more).map(([key, value]) => [`git-ai:${key}`, value]);
    return [{ ...link, events, ...(more.length > 0 && { properties: Object.fromEntries(more) }) }];
  });
}

const MAX_MESSAGES = 100_000;

/** AgentLog takes any name of a model: one that has no id stays as it came. */
function modelField(tool: string, { model }: GitAiSession, { modelOf }: ImportContext): { model?: string } {
  const name = modelIdOf(tool, model, modelOf) ?? model?.slice(0, MAX_MODEL);
  return name ? { model: name } : {};
}

function messageOf(value: unknown, i: number, time: number): KnownEvent[] {
  if (!isObject(value)) return [];
  const { type, text, name, input, timestamp } = value;
  const known = typeof timestamp === 'string' ? timeOf(timestamp) : undefined;
  const base = { id: `git-ai/${i}`, timestamp: isoOf(known ?? time) };
  if ((type === 'user' || type === 'assistant') && typeof text === 'string')
    return [{ ...base, type: 'message', role: type, content: text }];
  if (type !== 'tool_use' || typeof name !== 'string') return [];
  const given: JsonObject = isObject(input) ? input : {};
  // what became of the call is not in the note
  return [{ ...base, type: 'toolCall', name, input: given, status: 'success' }];
}

/** RFC 3339 ends with the year 9999. */
function isoOf(time: number): string {
  return new Date(Math.min(Math.max(Math.trunc(time) || 0, 0), 253_402_300_799_999)).toISOString();
}
