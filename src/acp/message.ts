import { isObject, type JsonObject, parseJson } from '../json.ts';

export type Side = 'client' | 'agent';

/** One JSON-RPC message: both sides number their requests by themselves, so that an id means nothing without its side. */
export type Message =
  | { readonly kind: 'request'; readonly id: string; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'result'; readonly id: string; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: string };

/** Whatever is deeper or longer than a message can be is none. */
const MAX_LENGTH = 64 << 20;

/** The messages of a line: none where it is not JSON-RPC. Some drafts allow several in a list. */
export function parseMessages(line: Buffer): Message[] {
  const text = line.toString('utf8').trim();
  if (text === '') return [];
  const parsed = parseJson(text, MAX_LENGTH);
  if (!('value' in parsed)) return [];
  const values = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return values.flatMap((value) => (isObject(value) ? (messageOf(value) ?? []) : []));
}

function messageOf(value: JsonObject): Message | undefined {
  const id = typeof value.id === 'string' || typeof value.id === 'number' ? JSON.stringify(value.id) : undefined;
  const params = isObject(value.params) ? value.params : {};
  if (typeof value.method === 'string') {
    if (id === undefined) return { kind: 'notification', method: value.method, params };
    return { kind: 'request', id, method: value.method, params };
  }
  if (id === undefined) return undefined;
  if ('error' in value) return { kind: 'error', id };
  return 'result' in value ? { kind: 'result', id, result: value.result } : undefined;
}
