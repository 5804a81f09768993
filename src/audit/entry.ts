import { calledToolOf, TOOL_PROPERTY } from '../agentlog/call-name.ts';
import type { AgentLogDocument, AgentLogEvent } from '../agentlog/document.ts';
import { isObject } from '../json.ts';
import { timeOf } from '../shape.ts';
import { placeOf, type Roots } from './place.ts';

/** One step of a recorded session, as somebody looks for it after an incident. */
export interface Entry {
  /** As it was told; `at` is the same in milliseconds, undefined where nobody can read it. */
  readonly time: string;
  readonly at: number | undefined;
  readonly session: string;
  readonly agent: string;
  readonly event: string;
  readonly type: string;
  /** The tool that was called, where the session names it. */
  readonly name: string | null;
  /** What it says, in short. */
  readonly text: string;
  /** Of a session that somebody has shared. */
  readonly shared?: true;
}

export function entryOf({ id, agent }: AgentLogDocument, event: AgentLogEvent): Entry {
  return {
    time: event.timestamp,
    at: timeOf(event.timestamp),
    session: id,
    agent: agent.name,
    event: event.id,
    type: typeOf(event),
    name: toolOf(event) ?? null,
    text: textOf(event),
  };
}

/** An event that the format does not know keeps the name that its writer gave it. */
export function typeOf(event: AgentLogEvent): string {
  if (event.type !== 'opaque') return event.type;
  return typeof event.raw.type === 'string' ? event.raw.type : 'unknown';
}

export function toolOf(event: AgentLogEvent): string | undefined {
  return event.type === 'approval' ? (event.toolName ?? undefined) : calledToolOf(event);
}

function textOf(event: AgentLogEvent): string {
  switch (event.type) {
    case 'message':
      return event.content;
    case 'toolCall':
      return `${event.name} ${event.summary ?? JSON.stringify(event.input)}`;
    case 'fileOperation':
      return `${event.operation} ${event.path}`;
    case 'terminalCommand':
      return event.command;
    case 'search':
      return `${event.tool} ${event.query}`;
    case 'reasoning':
      return event.content ?? event.rationale;
    case 'error':
      return event.message;
    case 'handoff':
      return `${event.fromAgent} to ${event.toAgent}: ${event.reason ?? event.status}`;
    case 'approval':
      return `${event.decision} by ${event.approver}: ${event.action}`;
    case 'plan':
      return event.title;
    case 'checkpoint':
      return event.label ?? event.reference ?? event.checkpointType;
    case 'contextLoad':
      return `${event.source} ${event.query ?? ''}`.trim();
    case 'opaque':
      return JSON.stringify(event.raw);
    default:
      return event satisfies never;
  }
}

/** Of a long command only so many words are looked at. */
const MAX_WORDS = 2000;
const PATH_KEY = /path|file|folder|director/i;

/** The paths that an event names, from the top of the work tree where they lie in one. */
export function pathsOf({ project }: AgentLogDocument, event: AgentLogEvent, roots: Roots): string[] {
  const folder =
    event.type === 'terminalCommand' ? (event.cwd ?? project?.workingDirectory) : project?.workingDirectory;
  return toldPaths(event).flatMap((told) => {
    const { inside, path } = placeOf(roots, folder, told);
    // recorded on another machine: as the session's own project has it
    const elsewhere =
      inside || !project?.workingDirectory ? undefined : placeOf([project.workingDirectory], folder, told);
    return [path.replace(/^\//, ''), ...(elsewhere?.inside ? [elsewhere.path] : [])];
  });
}

function toldPaths(event: AgentLogEvent): string[] {
  switch (event.type) {
    case 'fileOperation':
      return [event.path];
    case 'terminalCommand':
      return wordsOf(event.command);
    case 'approval':
      return wordsOf(event.action);
    case 'toolCall':
      return Object.entries(event.input).flatMap(([key, value]) =>
        PATH_KEY.test(key) ? [value].flat().filter((one): one is string => typeof one === 'string' && one !== '') : [],
      );
    default:
      return [];
  }
}

/** What may be a path in a shell command: its words, without quotes, and what follows a = or a >. */
function wordsOf(command: string): string[] {
  return command
    .slice(0, MAX_WORDS * 50)
    .split(/[\s'"`;&|()<>=]+/)
    .filter((word) => word !== '' && !word.startsWith('-'))
    .slice(0, MAX_WORDS);
}

/** Nobody looks for these by their words. */
const NO_WORDS = new Set(['id', 'type', 'timestamp', 'parentId', 'traceId', 'spanId', 'groupId', TOOL_PROPERTY]);

/** Every text in an event. */
export function* wordsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value) yield* wordsIn(one);
  else if (isObject(value)) {
    for (const [key, one] of Object.entries(value)) if (!NO_WORDS.has(key)) yield* wordsIn(one);
  }
}
