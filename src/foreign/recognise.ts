import { isObject, type JsonObject, parseJson } from '../json.ts';
import { isCoseSign1, mapKeys } from './cbor-outline.ts';
import { classify, type TextFormat } from './classify.ts';
import { parseGitAiNote } from './git-ai.ts';

export type Format = TextFormat | 'vac-cbor' | 'vac-signed' | 'git-ai-note';

/** What a file is. `none`: nothing of ours; it may be an agent's own transcript. */
export type Recognised = { readonly format: Format } | { readonly format: 'none'; readonly reason: string };

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_LINE = 16 * 1024 * 1024;
/** A stream of one kind shows it in its first lines. */
const MAX_LINES = 2000;

/** Says what the bytes are, by what is in them. The name is only used to say what was expected. */
export function recognise(bytes: Uint8Array, name: string): Recognised {
  if (bytes.length === 0) return { format: 'none', reason: 'the file is empty' };
  if (bytes.length > MAX_BYTES) return { format: 'none', reason: `the file has more than ${MAX_BYTES} bytes` };
  const found = recogniseCbor(bytes) ?? recogniseText(bytes);
  if (found.format !== 'none') return found;
  const expected = EXPECTED.find(([pattern]) => pattern.test(name.slice(-300)))?.[1];
  return expected ? { format: 'none', reason: `its name says ${expected}, but ${found.reason}` } : found;
}

const EXPECTED: readonly (readonly [RegExp, string])[] = [
  [/\.agentlog\.json$/i, 'AgentLog'],
  [/(?:^|[\\/])\.agent-trace[\\/][^\\/]*$/i, 'Agent Trace'],
  [/\.cbor$/i, 'CBOR'],
  [/\.cose$/i, 'COSE'],
];

function recogniseCbor(bytes: Uint8Array): Recognised | undefined {
  if (isCoseSign1(bytes)) return { format: 'vac-signed' };
  const keys = mapKeys(bytes);
  if (!keys) return undefined;
  if (['version', 'id', 'session'].every((key) => keys.has(key))) return { format: 'vac-cbor' };
  return { format: 'none', reason: 'it is CBOR, and no verifiable-agent-record' };
}

function recogniseText(bytes: Uint8Array): Recognised {
  const text = decode(bytes);
  if (text === undefined) return { format: 'none', reason: 'it is neither UTF-8 text nor CBOR that we know' };
  if (text.trim() === '') return { format: 'none', reason: 'the file is empty' };
  if (/^---\r?$/m.test(text) && parseGitAiNote(text).kind === 'note') return { format: 'git-ai-note' };
  const whole = parseJson(text, MAX_BYTES);
  if ('value' in whole) return recogniseValue(whole.value);
  return recogniseLines(text) ?? { format: 'none', reason: `it is ${whole.problem}` };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** One document, or a list of documents of one kind. */
function recogniseValue(value: unknown): Recognised {
  if (!Array.isArray(value)) return isObject(value) ? oneFormat([value]) : UNKNOWN;
  const objects = value.slice(0, MAX_LINES).filter(isObject);
  return objects.length > 0 && objects.length === Math.min(value.length, MAX_LINES) ? oneFormat(objects) : UNKNOWN;
}

const UNKNOWN: Recognised = { format: 'none', reason: 'it is JSON of no form that we know' };

/** JSON Lines: broken lines say nothing; those that are sound must be of one kind. */
function recogniseLines(text: string): Recognised | undefined {
  const objects: JsonObject[] = [];
  let start = 0;
  for (let seen = 0; seen < MAX_LINES && start < text.length; seen++) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const json = parseJson(text.slice(start, end), MAX_LINE);
    if ('value' in json && isObject(json.value)) objects.push(json.value);
    start = end + 1;
  }
  return objects.length > 0 ? oneFormat(objects) : undefined;
}

function oneFormat(objects: readonly JsonObject[]): Recognised {
  const formats = new Set(objects.map(classify));
  const known = [...formats].filter((format) => format !== undefined);
  const [format] = known;
  if (!format) return UNKNOWN;
  if (known.length > 1) return { format: 'none', reason: `it mixes ${known.join(' and ')}` };
  // a transcript may quote a record in a line of its own: most of the lines decide
  const share = objects.filter((object) => classify(object) === format).length / objects.length;
  return share > 0.5 ? { format } : { format: 'none', reason: `only some of it is ${format}` };
}
