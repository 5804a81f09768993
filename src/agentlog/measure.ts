import { timeOf } from '../shape.ts';
import { calledToolOf } from './call-name.ts';
import type { AgentLogEvent, Metrics, TokenUsage } from './document.ts';

/** The metrics that the events themselves give (section 4). */
export function measure(events: readonly AgentLogEvent[]): Metrics {
  const filesTouched = distinct(events.map((event) => (event.type === 'fileOperation' ? event.path : undefined)));
  const known = events.filter((event) => event.type !== 'opaque');
  const tokens = known.map((event) => event.tokenUsage).filter((usage) => usage != null);
  const usage = tokens.length > 0 ? tokens.reduce(addTokens) : undefined;
  const costs = known.map((event) => event.estimatedCostUsd).filter((cost) => cost != null);
  const cost = costs.reduce((a, b) => a + b, 0);
  const minutes = durationMinutes(events);
  return {
    messageCount: events.filter((event) => event.type === 'message').length,
    toolCallCount: countCalls(events),
    filesTouchedCount: filesTouched.length,
    ...(minutes === undefined ? {} : { durationMinutes: minutes }),
    // a stranger's numbers may add up to what no number is
    ...(usage && Object.values(usage).every(Number.isSafeInteger) ? { tokenUsage: usage } : {}),
    ...(costs.length > 0 && Number.isFinite(cost) ? { estimatedCostUsd: cost } : {}),
    filesTouched,
    toolsUsed: distinct(events.map(calledToolOf)),
    modelsUsed: distinct(known.map((event) => event.model)),
  };
}

/** The second file of a call is no second call: its id is the call's, and a number. */
function countCalls(events: readonly AgentLogEvent[]): number {
  const ids = new Set(events.map(({ id }) => id));
  return events.filter((event) => {
    if (calledToolOf(event) === undefined) return false;
    const stem = /^(.+)\/\d+$/s.exec(event.id)?.[1];
    return event.type === 'toolCall' || stem === undefined || !ids.has(stem);
  }).length;
}

export function addTokens(a: TokenUsage, b: TokenUsage): TokenUsage {
  const sum = (key: 'cacheReadTokens' | 'cacheWriteTokens' | 'reasoningTokens') =>
    a[key] == null && b[key] == null ? {} : { [key]: (a[key] ?? 0) + (b[key] ?? 0) };
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...sum('cacheReadTokens'),
    ...sum('cacheWriteTokens'),
    ...sum('reasoningTokens'),
  };
}

function durationMinutes(events: readonly AgentLogEvent[]): number | undefined {
  const times = events.map((event) => timeOf(event.timestamp)).filter((time) => time !== undefined);
  if (times.length === 0) return undefined;
  // not Math.min(...times): a session may have more events than a call may have arguments
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  return Math.round((last - first) / 60_000);
}

function distinct(values: readonly (string | null | undefined)[]): string[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))].sort();
}
