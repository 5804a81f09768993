import { isObject, type JsonObject } from '../json.ts';
import { timeOf } from '../shape.ts';
import { pick, textOf } from './patch.ts';

/** What a session or an entry cannot say of an AgentLog document or its event: `{type, set, drop}`, in a field of the open map. */
export const AGENTLOG_FIELD = 'agentlog';
/** What AgentLog cannot say of a record or an entry, in `properties`. */
export const VAC_PROPERTY = 'git-agent-blame:vac';

/** What the entries of a session have in common, and their events. */
export interface Context {
  /** In our own records, models are named without their provider, as the draft has them. */
  readonly provider?: string;
  /** For an event whose entry has no time. */
  readonly time: string;
}

export const EPOCH = '1970-01-01T00:00:00Z';

/** Fields of an AgentLog event that have their own place in every entry. */
export const SHARED_FIELDS = ['id', 'timestamp', 'parentId', 'model', 'tokenUsage', 'estimatedCostUsd'] as const;

/** Event to entry. What does not fit the draft is left out, and comes to be told by the difference. */
export function sharedOfEvent(event: JsonObject, { provider }: Context): JsonObject {
  const { id, parentId, model } = event;
  const timestamp = dateTimeOf(event.timestamp);
  const usage = usageOfEvent(event);
  return {
    ...(typeof id === 'string' && { id }),
    ...(timestamp !== undefined && { timestamp }),
    ...(typeof parentId === 'string' && { 'parent-id': parentId }),
    ...(typeof model === 'string' && { 'model-id': withoutProvider(model, provider) }),
    ...(usage && { 'token-usage': usage }),
  };
}

/** Entry to event. AgentLog wants an id and a time everywhere. */
export function sharedOfEntry(entry: JsonObject, { provider, time }: Context): JsonObject {
  const { 'parent-id': parentId, 'model-id': model, 'token-usage': usage } = entry;
  const cost = isObject(usage) ? usage.cost : undefined;
  return {
    id: textOf(entry.id) ?? textOf(entry['call-id']) ?? '',
    timestamp: timestampOf(entry.timestamp) ?? time,
    ...(typeof parentId === 'string' && { parentId }),
    ...(typeof model === 'string' && { model: withProvider(model, provider) }),
    ...usageOfEntry(usage),
    ...(typeof cost === 'number' && { estimatedCostUsd: cost }),
  };
}

export function withoutProvider(model: string, provider: string | undefined): string {
  return provider !== undefined && model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
}

export function withProvider(model: string, provider: string | undefined): string {
  return provider === undefined ? model : `${provider}/${model}`;
}

/** A time as the draft writes it, with capital T and Z; undefined where it is none. */
export function dateTimeOf(value: unknown): string | undefined {
  return typeof value === 'string' && timeOf(value) !== undefined ? value.toUpperCase() : undefined;
}

/** A timestamp of the draft as AgentLog writes it; undefined where it is none. */
export function timestampOf(value: unknown): string | undefined {
  if (typeof value === 'string') return timeOf(value) === undefined ? undefined : value;
  // years of four digits
  const isTime = typeof value === 'number' && value >= -62167219200000 && value <= 253402300799999;
  return isTime ? new Date(value).toISOString() : undefined;
}

/** AgentLog's names and the draft's. */
const USAGE: readonly (readonly [string, string])[] = [
  ['inputTokens', 'input'],
  ['outputTokens', 'output'],
  ['cacheReadTokens', 'cached'],
  ['reasoningTokens', 'reasoning'],
  // the draft has no such field; its map is open
  ['cacheWriteTokens', 'cache-write'],
];

function usageOfEvent(event: JsonObject): JsonObject | undefined {
  const tokens = USAGE.flatMap(([ours, theirs]) => {
    const count = pick(event.tokenUsage, [ours])[ours];
    return isCount(count) ? [[theirs, count] as const] : [];
  });
  const cost = event.estimatedCostUsd;
  if (tokens.length === 0 && typeof cost !== 'number') return undefined;
  return { ...Object.fromEntries(tokens), ...(typeof cost === 'number' && { cost }) };
}

function usageOfEntry(usage: unknown): JsonObject {
  const tokens = USAGE.flatMap(([ours, theirs]) => {
    const count = pick(usage, [theirs])[theirs];
    return isCount(count) ? [[ours, count] as const] : [];
  });
  if (tokens.length === 0) return {};
  return { tokenUsage: { inputTokens: 0, outputTokens: 0, ...Object.fromEntries(tokens) } };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
