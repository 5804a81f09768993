import { isObject, type JsonObject } from '../../json.ts';
import { countOf, listOf } from '../fields.ts';
import { parseJsonLines, type Skipped, skip } from '../json-lines.ts';

/** As VS Code's source names them. */
const KINDS = { initial: 0, set: 1, push: 2, delete: 3 } as const;
/** Longer lists are nobody's chat. */
const MAX_ITEMS = 1 << 20;

type Holder = Record<string | number, unknown>;

/**
 * The document that a journal of changes comes to: the first line is the whole, each later one sets, lengthens (`i`: after cutting at
 * that place) or deletes what stands at the path `k`.
 */
export function readJournal(lines: Iterable<string>, skipped: Skipped): JsonObject | undefined {
  let root: unknown;
  for (const entry of parseJsonLines(lines, skipped)) {
    if (entry.kind === KINDS.initial) root = entry.v;
    else if (!isObject(root) || !apply(root, entry)) skip(skipped, 'change of a chat that does not fit');
  }
  return isObject(root) ? root : undefined;
}

function apply(root: JsonObject, { kind, k, v, i }: JsonObject): boolean {
  const path = listOf(k);
  const last = path.at(-1);
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => childOf(at, key), root);
  if (!isHolder(holder) || !isKey(holder, last)) return false;
  switch (kind) {
    case KINDS.set:
      holder[last] = v;
      return true;
    case KINDS.delete:
      holder[last] = undefined;
      return true;
    case KINDS.push:
      return push(holder, last, { items: listOf(v), from: countOf(i) });
    default:
      return false;
  }
}

function push(
  holder: Holder,
  key: string | number,
  { items, from }: { items: readonly unknown[]; from: number | undefined },
): boolean {
  const had = holder[key] ?? [];
  if (!Array.isArray(had) || had.length + items.length > MAX_ITEMS) return false;
  holder[key] = [...(from === undefined ? had : had.slice(0, from)), ...items];
  return true;
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

function childOf(value: unknown, key: unknown): unknown {
  return isHolder(value) && isKey(value, key) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A place that may be written to: of a list one that it has, or the next. What leads out of the document is none. */
function isKey(holder: Holder, key: unknown): key is string | number {
  if (Array.isArray(holder)) return countOf(key) !== undefined && Number(key) <= holder.length;
  return typeof key === 'string' && key !== '__proto__';
}
