import { isObject, type JsonObject } from '../json.ts';
import { timeOf } from '../shape.ts';
import { type ActivityEvent, AS_IT_CAME } from './event.ts';

/** Readers for what an event says. The page does not name the fields of most types, so several places are looked at. */

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const PLACES: Readonly<Record<string, readonly string[]>> = {
  tool_call_id: ['tool_call_id', 'call_id', 'tool_use_id'],
  tool_name: ['tool_name', 'tool', 'capability', 'capability_id'],
  model: ['model', 'model_id', 'model_name'],
  path: ['path', 'file_path', 'file'],
  operation: ['operation', 'change_type', 'action'],
  status: ['status', 'outcome', 'result'],
  revision: ['revision', 'commit', 'commit_sha', 'sha'],
};

function fieldOf(event: ActivityEvent, key: string): unknown {
  const names = PLACES[key] ?? [key];
  for (const place of [event.attributes, event, (event as unknown as JsonObject)[AS_IT_CAME]]) {
    if (!isObject(place)) continue;
    for (const name of names) {
      const value = Object.hasOwn(place, name) ? place[name] : undefined;
      if (value !== undefined && !isObject(value)) return value;
      // {"tool": {"name": "Edit"}}
      if (isObject(value) && typeof value.name === 'string' && /^(?:tool_name|model)$/.test(key)) return value.name;
    }
  }
  return undefined;
}

export function saidOf(event: ActivityEvent, key: string): string | undefined {
  return textOf(fieldOf(event, key));
}

export function countOf(event: ActivityEvent, key: string): number | undefined {
  const value = fieldOf(event, key);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

export function numberOf(event: ActivityEvent, key: string): number | undefined {
  const value = fieldOf(event, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** When the event happened, in milliseconds since 1970: its own time, else that of the last segment of its chain. */
export function momentOf(event: ActivityEvent): number | undefined {
  for (const key of ['occurred_at', 'timestamp', 'created_at', 'time']) {
    const value = fieldOf(event, key);
    const at = typeof value === 'number' ? millisecondsOf(value) : timeOf(textOf(value) ?? '');
    if (at !== undefined) return at;
  }
  return timeOf(textOf(event.actor_chain?.at(-1)?.occurred_at) ?? '');
}

/** Seconds of our time have ten digits, milliseconds thirteen. */
function millisecondsOf(value: number): number | undefined {
  const at = Math.abs(value) < 1e11 ? value * 1000 : value;
  return at >= 0 && at < MAX_TIME ? Math.trunc(at) : undefined;
}

/** The last millisecond of the year 9999, the last that RFC 3339 can say. */
const MAX_TIME = 253_402_300_799_999;

export function isoOf(at: number): string {
  return new Date(Math.min(Math.max(Math.trunc(at) || 0, 0), MAX_TIME)).toISOString();
}
