import { isObject, sameJson } from '../json.ts';
import { check } from '../shape.ts';
import type { AgentLogDocument, Metrics } from './document.ts';
import { measure } from './measure.ts';
import { TOLD_PARTS } from './schema.ts';

/** Where a session keeps the metrics that its producer states and its events do not give (AgentLog 6.2). */
export const STATED_PROPERTY = 'git-agent-blame:stated-metrics';

/**
 * The document so that it remembers, before it becomes one with another, which of its metrics are its own word: a producer may leave out
 * events that it has counted, and later nothing else tells such a number from one that was measured.
 */
export function rememberStated(document: AgentLogDocument): AgentLogDocument {
  const measured: Readonly<Record<string, unknown>> = { ...measure(document.events) };
  const stated = Object.entries(document.metrics ?? {}).filter(
    ([key, value]) => value !== null && !sameJson(value, measured[key]),
  );
  const { [STATED_PROPERTY]: before, ...others } = document.properties ?? {};
  if (stated.length === 0) return before === undefined ? document : { ...document, properties: others };
  return { ...document, properties: { ...others, [STATED_PROPERTY]: Object.fromEntries(stated) } };
}

/**
 * The metrics with those that the session's producer states. Of the others the cost follows from the events as soon as any event has one;
 * until then the documents' own totals count. What strangers put there may be anything.
 */
export function withStated(metrics: Metrics, { properties }: Pick<AgentLogDocument, 'properties'>): Metrics {
  const stated = properties?.[STATED_PROPERTY];
  if (!isObject(stated)) return metrics;
  const sound = Object.entries(stated).filter(([key, value]) => isSound({ ...metrics, [key]: value }));
  return { ...metrics, ...Object.fromEntries(sound) };
}

function isSound(metrics: unknown): boolean {
  return TOLD_PARTS.metrics !== undefined && check(TOLD_PARTS.metrics, metrics, '').length === 0;
}
