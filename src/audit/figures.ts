import type { AgentLogDocument, AgentLogEvent } from '../agentlog/document.ts';
import { linesIn, type Run } from '../report/run.ts';
import { timeOf } from '../shape.ts';
import type { Material } from './material.ts';

/** So many of so many. */
export interface Part {
  readonly part: number;
  readonly whole: number;
}

export function partOf<T>(all: readonly T[], isPart: (one: T) => boolean): Part {
  return { part: all.filter(isPart).length, whole: all.length };
}

export function sumOf(...parts: readonly Part[]): Part {
  return parts.reduce((sum, one) => ({ part: sum.part + one.part, whole: sum.whole + one.whole }), {
    part: 0,
    whole: 0,
  });
}

export function eventsOf({ documents }: Material): AgentLogEvent[] {
  return documents.flatMap(({ events }) => events);
}

export const hasTime = ({ timestamp }: { readonly timestamp: string }) => timeOf(timestamp) !== undefined;

/** Sessions that records refer to: those whose document is here and is as asked. */
export function referredWith({ referred, documents }: Material, isSo: (document: AgentLogDocument) => boolean): Part {
  const fit = new Set(documents.filter(isSo).map(({ id }) => id));
  return partOf(referred, (id) => fit.has(id));
}

export function hasPrompt({ events }: AgentLogDocument): boolean {
  return events.some((event) => event.type === 'message' && event.role === 'user');
}

/** What came out: words, or what was done. */
export function hasOutput({ events }: AgentLogDocument): boolean {
  return events.some((event) => event.type !== 'message' || event.role === 'assistant');
}

/** What the draft has reviewers look at, the agent's reasoning; and what a person let pass or stopped. Prompts are neither. */
export function isOverseen({ events }: AgentLogDocument): boolean {
  return events.some((event) => event.type === 'reasoning' || (event.type === 'approval' && event.approver === 'user'));
}

/** Lines that agents had a hand in: all of them, those that name a step of a session, and those whose step can be read here. */
export function tracedLines({ report, documents }: Material) {
  const steps = new Map(documents.map(({ id, events }) => [id, new Set(events.map((event) => event.id))]));
  const runs = report.files.flatMap((file) => file.runs).filter(({ origin }) => origin.agent !== undefined);
  const count = (isSo: (run: Run) => boolean) => runs.filter(isSo).reduce((sum, run) => sum + linesIn(run), 0);
  return {
    all: count(() => true),
    named: count(({ origin }) => Boolean(origin.agent?.session && origin.agent.event)),
    readable: count(({ origin }) => steps.get(origin.agent?.session ?? '')?.has(origin.agent?.event ?? '') === true),
  };
}

/** The first day of any session that is here. */
export function oldestDay({ documents }: Material): string | undefined {
  const times = documents.flatMap(({ startTime }) => timeOf(startTime) ?? []);
  if (times.length === 0) return undefined;
  return new Date(times.reduce((a, b) => Math.min(a, b))).toISOString().slice(0, 10);
}
