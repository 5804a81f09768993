import { decodeCbor, encodeCbor, Tagged } from './cbor.ts';
import { refusal } from './reason.ts';

/** Labels of headers: RFC 9052, RFC 9360 (x5chain), RFC 9597 (CWT claims), RFC 9942 (receipts), RFC 9995 (hash envelope). */
export const LABEL = {
  alg: 1,
  crit: 2,
  contentType: 3,
  kid: 4,
  claims: 15,
  x5chain: 33,
  /** A placeholder of draft-birkholz-verifiable-agent-conversations; not authenticated. */
  traceMetadata: 100,
  hashAlg: 258,
  preimageType: 259,
  location: 260,
  receipts: 394,
  dataStructure: 395,
  proofs: 396,
} as const;

const SIGN1_TAG = 18;
/** Says only that CBOR follows (RFC 8949, section 3.4.6). */
const SELF_DESCRIBED = 55799;
/** Attached records that others have sealed may be large; ours stay below 256 KiB. */
export const MAX_SEAL = 64 * 1024 * 1024;

export type HeaderMap = ReadonlyMap<unknown, unknown>;

export interface Sign1 {
  /** As received: what is verified is never encoded anew. */
  readonly protectedBytes: Uint8Array;
  readonly header: HeaderMap;
  /** With everything that is not understood. */
  readonly unprotected: HeaderMap;
  readonly payload: Uint8Array | null;
  readonly signature: Uint8Array;
}

export function decodeSign1(bytes: Uint8Array): Sign1 {
  if (bytes.length > MAX_SEAL) throw refusal('too-large', `more than ${MAX_SEAL} bytes`);
  const value = decodeCbor(bytes);
  return parseSign1(value instanceof Tagged && value.tag === SELF_DESCRIBED ? value.value : value);
}

/** The same of a value that has been decoded already, as a receipt inside a header may be. */
export function parseSign1(value: unknown): Sign1 {
  if (!(value instanceof Tagged) || value.tag !== SIGN1_TAG) throw refusal('not-sign1');
  const parts: unknown = value.value;
  if (!Array.isArray(parts) || parts.length !== 4) throw refusal('not-sign1', 'it is not a list of four');
  const [protectedBytes, unprotected, payload, signature] = parts as unknown[];
  if (!(protectedBytes instanceof Uint8Array)) throw refusal('not-sign1', 'its protected header is not bytes');
  if (!(unprotected instanceof Map)) throw refusal('not-sign1', 'its unprotected header is not a map');
  if (payload !== null && !(payload instanceof Uint8Array)) throw refusal('not-sign1', 'its payload is not bytes');
  if (!(signature instanceof Uint8Array)) throw refusal('not-sign1', 'its signature is not bytes');
  const header = protectedBytes.length === 0 ? new Map() : decodeCbor(protectedBytes);
  if (!(header instanceof Map)) throw refusal('not-sign1', 'its protected header is not a map');
  return { protectedBytes, header, unprotected, payload, signature };
}

export function encodeSign1({ protectedBytes, unprotected, payload, signature }: Omit<Sign1, 'header'>): Uint8Array {
  return encodeCbor(new Tagged(SIGN1_TAG, [protectedBytes, unprotected, payload, signature]));
}

/** What is signed: RFC 9052 section 4.4, without external data. */
export function sigStructure(protectedBytes: Uint8Array, payload: Uint8Array): Uint8Array {
  return encodeCbor(['Signature1', protectedBytes, new Uint8Array(), payload]);
}

/** The seal with one more receipt; the signature does not cover them. */
export function addReceipt(seal: Uint8Array, receipt: Uint8Array): Uint8Array {
  const sign1 = decodeSign1(seal);
  decodeSign1(receipt);
  const there = sign1.unprotected.get(LABEL.receipts) ?? [];
  if (!Array.isArray(there)) throw refusal('bad-header', 'receipts are no list');
  const unprotected = new Map(sign1.unprotected).set(LABEL.receipts, [...there, receipt]);
  return encodeSign1({ ...sign1, unprotected });
}
