import { isObject, type JsonObject } from '../json.ts';
import { VAC_TRACE_FORMAT } from './record.ts';

/**
 * The draft's summary of a record for the header of its seal, label 100. Absent where the record does not say what the draft asks for:
 * nothing is made up.
 */
export function traceMetadataOf({ session }: JsonObject): { readonly metadata?: Record<string, string | number> } {
  if (!isObject(session)) return {};
  const { 'session-id': id, 'agent-meta': agent, 'session-start': start, 'session-end': end } = session;
  const vendor = isObject(agent) ? agent['model-provider'] : undefined;
  if (typeof id !== 'string' || typeof vendor !== 'string' || !isTime(start)) return {};
  return {
    metadata: {
      'session-id': id,
      'agent-vendor': vendor,
      'trace-format': VAC_TRACE_FORMAT,
      'timestamp-start': start,
      ...(isTime(end) && { 'timestamp-end': end }),
    },
  };
}

function isTime(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}
