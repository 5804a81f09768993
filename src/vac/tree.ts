import { isObject, type JsonObject } from '../json.ts';
import { without } from './patch.ts';
import { resultIn } from './tools.ts';

export interface FlatEntries {
  readonly entries: readonly JsonObject[];
  /** What was no entry at all. */
  readonly skipped: number;
}

/**
 * The entries of a session one after the other, as AgentLog has events: children follow their parents, which they name, and a tool's
 * result is found in its call, wherever it stood.
 */
export function flatEntries(entries: readonly unknown[]): FlatEntries {
  const flat: JsonObject[] = [];
  const skipped = spread(entries, undefined, flat);
  return { entries: withResults(flat), skipped };
}

/** The entries as they stand. */
export function plainEntries(entries: readonly unknown[]): FlatEntries {
  const plain = entries.filter(isObject);
  return { entries: plain, skipped: entries.length - plain.length };
}

function spread(entries: readonly unknown[], parent: string | undefined, flat: JsonObject[]): number {
  let skipped = 0;
  for (const entry of entries) {
    if (!isObject(entry)) {
      skipped++;
      continue;
    }
    const inside: readonly unknown[] = Array.isArray(entry.children) ? entry.children : [];
    const bare = Array.isArray(entry.children) ? without(entry, ['children']) : entry;
    const result = entry.type === 'tool-call' && resultIn(entry) ? inside.slice(0, 1) : [];
    const named = withNames(bare, parent, flat.length + 1);
    flat.push(result.length > 0 ? { ...named, children: result } : named);
    skipped += spread(inside.slice(result.length), typeof named.id === 'string' ? named.id : undefined, flat);
  }
  return skipped;
}

/** An id where there is none, and the parent's. */
function withNames(entry: JsonObject, parent: string | undefined, number: number): JsonObject {
  const callId = entry.type === 'tool-call' ? entry['call-id'] : undefined;
  const id = entry.id ?? callId ?? `entry-${number}`;
  return { ...entry, id, ...(parent !== undefined && entry['parent-id'] === undefined && { 'parent-id': parent }) };
}

function withResults(flat: readonly JsonObject[]): JsonObject[] {
  const waiting = new Map<unknown, number>();
  const taken = new Set<number>();
  const joined = [...flat];
  flat.forEach((entry, i) => {
    const call = entry['call-id'];
    if (typeof call !== 'string') return;
    if (entry.type === 'tool-call' && !entry.children) waiting.set(call, i);
    const at = entry.type === 'tool-result' ? waiting.get(call) : undefined;
    if (at === undefined) return;
    joined[at] = { ...flat[at], children: [entry] };
    waiting.delete(call);
    taken.add(i);
  });
  return joined.filter((_, i) => !taken.has(i));
}
