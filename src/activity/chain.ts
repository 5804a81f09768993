import { isObject, parseJson } from '../json.ts';
import { check, dateTime, object, string, stringThat } from '../shape.ts';
import { type ActorChain, type ActorSegment, SEGMENT_TYPES } from './event.ts';

export const name = stringThat((text) => text !== '', 'must not be empty');

export const segment = object('agent_activity.v1 actor chain', {
  required: {
    type: stringThat((text) => SEGMENT_TYPES.some((one) => one === text), `must be one of ${SEGMENT_TYPES.join(', ')}`),
    id: name,
  },
  optional: { display_name: string, session_id: string, attested_by: string, occurred_at: dateTime },
});

/** How a chain crosses from one process to the next: JSON, or JSON in base64. */
export const CHAIN_VARIABLE = 'AUTODEVOPS_ACTOR_CHAIN';

/** The kernel passes no longer variable on. */
const MAX_LENGTH = 1024 * 1024;
const MAX_SEGMENTS = 1000;

export type ParsedChain = { readonly chain: ActorChain } | { readonly problem: string };

/** The chain in the variable's value, segment for segment as it came. One that cannot be kept whole is not read at all. */
export function parseChain(text: string): ParsedChain {
  if (text.length > MAX_LENGTH) return { problem: `longer than ${MAX_LENGTH} characters` };
  const trimmed = text.trim();
  if (trimmed === '') return { chain: [] };
  const plain = /^[[{]/.test(trimmed) ? trimmed : decodeBase64(trimmed);
  if (plain === undefined) return { problem: 'neither JSON nor base64 of it' };
  const json = parseJson(plain, MAX_LENGTH);
  if ('problem' in json) return json;
  const { value } = json;
  if (!Array.isArray(value)) return { problem: 'not a list of segments' };
  if (value.length > MAX_SEGMENTS) return { problem: `more than ${MAX_SEGMENTS} segments` };
  for (const [i, one] of value.entries()) {
    const [problem] = isObject(one) ? check(segment, one, '') : [{ path: '', message: 'must be an object' }];
    // a chain with one more segment behind a broken one is broken, too
    if (problem) return { problem: `not sound: segment ${i + 1}${problem.path} ${problem.message}` };
  }
  return { chain: value as unknown as ActorChain };
}

/** Both alphabets, with or without padding. */
function decodeBase64(text: string): string | undefined {
  const compact = text.replace(/[\r\n]+/g, '');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(compact)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(compact, 'base64'));
  } catch {
    return undefined;
  }
}

export function printChain(chain: ActorChain, form: 'json' | 'base64' = 'json'): string {
  const text = JSON.stringify(chain);
  return form === 'json' ? text : Buffer.from(text, 'utf8').toString('base64');
}

/** The chain as it came in, with one segment more. Who is already last is not put behind himself. */
export function appendSegment(inbound: ActorChain, own: ActorSegment): ActorChain {
  const last = inbound.at(-1);
  const same = last?.type === own.type && last.id === own.id && last.session_id === own.session_id;
  return same ? inbound : [...inbound, own];
}

/** The variable for a process that we start: in the form that it came in, with our segment behind it. One that is not understood is not ours to change. */
export function handedOn(text: string, own: ActorSegment): string {
  const parsed = parseChain(text);
  if ('problem' in parsed || text.trim() === '') return text;
  return printChain(appendSegment(parsed.chain, own), /^\s*\[/.test(text) ? 'json' : 'base64');
}
