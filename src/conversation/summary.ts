import type { AgentLogDocument, AgentLogEvent, MessageEvent, ToolCallEvent } from '../agentlog/document.ts';
import { isOpen } from '../agentlog/open-call.ts';

/** A session in one line. */
export interface SessionSummary {
  readonly id: string;
  readonly agent: string;
  readonly version: string | null;
  readonly model: string | null;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly status: string;
  readonly prompts: number;
  /** Files it changed, each once, in the order of their first change. */
  readonly files: readonly string[];
  readonly firstPrompt: string | null;
  /** It took place elsewhere: somebody has shared it. */
  readonly shared?: true;
}

export function summariseSession(document: AgentLogDocument, shared = false): SessionSummary {
  const prompts = document.events.filter(isPrompt);
  return {
    id: document.id,
    agent: document.agent.name,
    version: document.agent.version ?? null,
    model: document.agent.model ?? null,
    startTime: document.startTime,
    endTime: document.endTime ?? null,
    status: document.status,
    prompts: prompts.length,
    files: [...new Set(document.events.flatMap((event) => changedFile(event) ?? []))],
    firstPrompt: prompts[0]?.content ?? null,
    ...(shared && { shared }),
  };
}

export function isPrompt(event: AgentLogEvent): event is MessageEvent {
  return event.type === 'message' && event.role === 'user';
}

function changedFile(event: AgentLogEvent): string | undefined {
  return event.type === 'fileOperation' && event.operation !== 'read' ? event.path : undefined;
}

/** How a call ended, in a word; nothing where it did what it was to do. */
export function endingOf(call: ToolCallEvent): string {
  if (isOpen(call)) return 'no result';
  return call.status === 'success' ? '' : call.status;
}

/** Latest first; equal times by id, so that the list is the same every time. */
export function byStart(a: SessionSummary, b: SessionSummary): number {
  return (Date.parse(b.startTime) || 0) - (Date.parse(a.startTime) || 0) || (a.id < b.id ? -1 : 1);
}

/** `2026-03-02 14:05 UTC`: sessions come from machines of all zones, and a list needs one. What is no time stays as it is. */
export function inUtc(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
