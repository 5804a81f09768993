import { isObject, type JsonObject } from '../json.ts';
import { without } from './patch.ts';
import { resultIn } from './tools.ts';

/** Where an entry stood before all were put into one list. */
export interface Spot {
  /** Its number in the list. */
  readonly at: number;
  /** Fields that were added to it. */
  readonly made?: readonly string[];
  /** It is the result that is now in the call of that number. */
  readonly result?: true;
  /** Its result stood elsewhere. */
  readonly apart?: true;
  /** Those that stood in it, without a result that still does. */
  readonly children?: readonly Spot[];
}

export interface FlatEntries {
  readonly entries: readonly JsonObject[];
  readonly spots: readonly Spot[];
  /** What was no entry at all. */
  readonly skipped: number;
}

/**
 * The entries of a session one after the other, as AgentLog has events: children follow their parents, which they name, and a tool's
 * result is found in its call, wherever it stood.
 */
export function flatEntries(entries: readonly unknown[]): FlatEntries {
  const flat: JsonObject[] = [];
  const { spots, skipped } = spread(entries, undefined, flat);
  const { joined, calls } = withResults(flat);
  return { entries: joined, spots: placed(spots, flat.length, calls), skipped };
}

/** The entries as they stand. */
export function plainEntries(entries: readonly unknown[]): FlatEntries {
  const plain = entries.filter(isObject);
  return { entries: plain, spots: plain.map((_, at) => ({ at })), skipped: entries.length - plain.length };
}

function spread(
  entries: readonly unknown[],
  parent: string | undefined,
  flat: JsonObject[],
): Pick<FlatEntries, 'spots' | 'skipped'> {
  const spots: Spot[] = [];
  let skipped = 0;
  for (const entry of entries) {
    if (!isObject(entry)) {
      skipped++;
      continue;
    }
    const inside: readonly unknown[] | undefined = Array.isArray(entry.children) ? entry.children : undefined;
    const bare = inside ? without(entry, ['children']) : entry;
    const result = entry.type === 'tool-call' && resultIn(entry) ? (inside ?? []).slice(0, 1) : [];
    const named = withNames(bare, parent, flat.length + 1);
    const made = ['id', 'parent-id'].filter((key) => named[key] !== undefined && entry[key] === undefined);
    const at = flat.push(result.length > 0 ? { ...named, children: result } : named) - 1;
    const id = typeof named.id === 'string' ? named.id : undefined;
    const below = inside && spread(inside.slice(result.length), id, flat);
    spots.push({ at, ...(made.length > 0 && { made }), ...(below && { children: below.spots }) });
    skipped += below?.skipped ?? 0;
  }
  return { spots, skipped };
}

/** An id where there is none, and the parent's. */
function withNames(entry: JsonObject, parent: string | undefined, number: number): JsonObject {
  const callId = entry.type === 'tool-call' ? entry['call-id'] : undefined;
  const id = entry.id ?? callId ?? `entry-${number}`;
  return { ...entry, id, ...(parent !== undefined && entry['parent-id'] === undefined && { 'parent-id': parent }) };
}

/** `calls`: the call that a result was put into, by its number before. */
function withResults(flat: readonly JsonObject[]): { joined: JsonObject[]; calls: ReadonlyMap<number, number> } {
  const waiting = new Map<unknown, number>();
  const calls = new Map<number, number>();
  const joined = [...flat];
  flat.forEach((entry, i) => {
    const call = entry['call-id'];
    if (typeof call !== 'string') return;
    if (entry.type === 'tool-call' && !entry.children) waiting.set(call, i);
    const at = entry.type === 'tool-result' ? waiting.get(call) : undefined;
    if (at === undefined) return;
    joined[at] = { ...flat[at], children: [entry] };
    waiting.delete(call);
    calls.set(i, at);
  });
  return { joined: joined.filter((_, i) => !calls.has(i)), calls };
}

/** The spots with the numbers that entries have once results are in their calls. */
function placed(spots: readonly Spot[], length: number, calls: ReadonlyMap<number, number>): Spot[] {
  const numbers: number[] = [];
  for (let i = 0, next = 0; i < length; i++) numbers.push(calls.has(i) ? next : next++);
  const withResult = new Set(calls.values());
  const place = (spot: Spot): Spot => {
    const call = calls.get(spot.at);
    return {
      ...spot,
      at: numbers[call ?? spot.at] ?? 0,
      ...(call !== undefined && { result: true as const }),
      ...(withResult.has(spot.at) && { apart: true as const }),
      ...(spot.children && { children: spot.children.map(place) }),
    };
  };
  return spots.map(place);
}

/** The entries where they stood. The spots may come from anywhere: undefined where they are none of these entries. */
export function treeOf(entries: readonly JsonObject[], spots: unknown): JsonObject[] | undefined {
  if (!Array.isArray(spots)) return undefined;
  const all = spots.map((spot: unknown) => (isObject(spot) ? entryAt(entries, spot) : undefined));
  return all.every((entry) => entry !== undefined) ? all : undefined;
}

function entryAt(entries: readonly JsonObject[], spot: JsonObject): JsonObject | undefined {
  const whole = entries[Number(spot.at)];
  if (!whole) return undefined;
  const inside: readonly unknown[] = Array.isArray(whole.children) ? whole.children : [];
  const one = spot.result === true ? inside[0] : without(whole, ['children']);
  const children = spot.children === undefined ? undefined : treeOf(entries, spot.children);
  if (!isObject(one) || (spot.children !== undefined && !children)) return undefined;
  const own = spot.result === true || spot.apart === true ? [] : inside;
  const made = Array.isArray(spot.made) ? spot.made : [];
  return { ...without(one, made), ...(children && { children: [...own, ...children] }) };
}
