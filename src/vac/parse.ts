import { isObject, type JsonObject, parseJson } from '../json.ts';
import { jsonOf, withDigits } from './as-json.ts';
import { type CborValue, decodeCbor, Tagged } from './cbor.ts';
import { type Mark, marksOf } from './marks.ts';

/** What bytes or a text are. The record is read loosely: `validateVac(value)` says what breaks the draft's rules. */
export type ParsedVac = KnownVac | SignedVac | ForeignVac;

export interface KnownVac {
  readonly kind: 'record';
  readonly form: 'json' | 'cbor';
  /** As it was decoded: what is validated. */
  readonly value: CborValue;
  /** As JSON: an object with a session that has an id and entries. */
  readonly record: JsonObject;
  /** What CBOR says in it and JSON cannot. */
  readonly marks: readonly Mark[] | 'too many';
}

/** COSE_Sign1. Nothing in it is proven here. */
export interface SignedVac {
  readonly kind: 'signed';
  readonly value: CborValue;
  /** The record inside; absent where it is kept elsewhere. */
  readonly payload?: ParsedVac;
  /** A hash envelope: in place of the record it has the hash. */
  readonly hashed?: true;
}

export interface ForeignVac {
  readonly kind: 'foreign';
  readonly problem: string;
}

export const MAX_VAC_LENGTH = 256 * 1024 * 1024;
const COSE_SIGN1 = 18;
/** The label of the hash's algorithm, which makes it a hash envelope (RFC 9995). */
const HASH_ALG = 258;
/** Says only that CBOR follows (RFC 8949, section 3.4.6). */
const SELF_DESCRIBED = 55799;

export function parseVac(input: string | Uint8Array): ParsedVac {
  if (typeof input === 'string') return parseText(input);
  // of CBOR a record is a map, a signed one a tag: neither begins like JSON
  const first = input.subarray(0, 64).find((byte) => ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].includes(byte));
  return first === 0x7b ? parseBytes(input) : parseCbor(input);
}

function foreign(problem: string): ForeignVac {
  return { kind: 'foreign', problem };
}

function parseBytes(bytes: Uint8Array): ParsedVac {
  if (bytes.length > MAX_VAC_LENGTH) return foreign(`longer than ${MAX_VAC_LENGTH} bytes`);
  try {
    return parseText(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return foreign('not UTF-8');
  }
}

function parseText(text: string): ParsedVac {
  const json = parseJson(text, MAX_VAC_LENGTH);
  return 'problem' in json ? foreign(json.problem) : recordIn(json.value, 'json');
}

function parseCbor(bytes: Uint8Array): ParsedVac {
  const decoded = decodeCbor(bytes);
  if ('problem' in decoded) return foreign(decoded.problem);
  const value = unwrapped(decoded.value);
  return value instanceof Tagged && value.tag === COSE_SIGN1 ? signed(value) : recordIn(value, 'cbor');
}

/** Without the tag that says only that it is CBOR. */
export function unwrapped(value: CborValue): CborValue {
  return value instanceof Tagged && value.tag === SELF_DESCRIBED ? value.value : value;
}

function signed(value: Tagged): ParsedVac {
  const parts: unknown = value.value;
  if (!Array.isArray(parts) || parts.length !== 4) return foreign('tag 18, but no COSE_Sign1');
  const payload: unknown = parts[2];
  if (isHashEnvelope(parts[0])) return { kind: 'signed', value, hashed: true };
  if (!(payload instanceof Uint8Array)) return { kind: 'signed', value };
  const inner = parseVac(payload);
  // a signature of a signature is no record of the draft
  return { kind: 'signed', value, payload: inner.kind === 'signed' ? foreign('signed within a signature') : inner };
}

function isHashEnvelope(protectedBytes: unknown): boolean {
  const decoded = protectedBytes instanceof Uint8Array ? decodeCbor(protectedBytes) : undefined;
  return decoded !== undefined && 'value' in decoded && decoded.value instanceof Map && decoded.value.has(HASH_ALG);
}

function recordIn(value: CborValue, form: KnownVac['form']): ParsedVac {
  const record = form === 'cbor' ? withDigits(jsonOf(value)) : jsonOf(value);
  const session = isObject(record) ? record.session : undefined;
  if (!isObject(record) || !isObject(session)) return foreign('no session');
  if (typeof session['session-id'] !== 'string' || session['session-id'] === '') return foreign('no session id');
  if (!Array.isArray(session.entries)) return foreign('no entries');
  return { kind: 'record', form, value, record, marks: form === 'cbor' ? marksOf(value) : [] };
}
