import { isObject, type JsonObject } from '../json.ts';
import type { ActivityEvent } from './event.ts';
import { validateEvent } from './validate.ts';

/** What no event can be without. */
const REQUIRED = new Set(['schema_version', 'event_id', 'event_type']);
/** Of these one part may go and the rest stay; a chain without one of its segments would be another chain. */
const LOOSE = new Set(['source', 'agent', 'developer', 'session']);

/** A stranger's event without what the page does not allow; undefined where it does not allow the event. */
export function soundEvent(event: ActivityEvent): ActivityEvent | undefined {
  const broken = validateEvent(event).filter(({ kind }) => kind !== 'note');
  if (broken.length === 0) return event;
  const out: Record<string, unknown> = { ...event };
  for (const { path } of broken) {
    const [, field = '', part = ''] = path.split('/');
    if (REQUIRED.has(field)) return undefined;
    const value = out[field];
    if (LOOSE.has(field) && isObject(value) && part in value && part !== 'id') out[field] = without(value, part);
    else delete out[field];
  }
  const sound = out as unknown as ActivityEvent;
  return validateEvent(sound).every(({ kind }) => kind === 'note') ? sound : undefined;
}

function without(value: JsonObject, part: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== part));
}
