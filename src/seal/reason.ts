import { Fault } from '../fault.ts';

/** Closed list: why a seal is not believed. */
export const REASONS = {
  'too-large': 'The seal is larger than any honest one',
  'not-cbor': 'The seal is not well-formed CBOR',
  'trailing-bytes': 'Something follows the seal',
  'not-sign1': 'This is not a COSE_Sign1 message with tag 18',
  'duplicate-label': 'A label is there twice',
  'bad-header': 'A header is not as the standard says',
  'alg-missing': 'The protected header names no algorithm',
  'alg-unprotected': 'The algorithm stands outside the protected header',
  'alg-unknown': 'The algorithm is not one of EdDSA, Ed25519, ES256 and ESP256',
  'crit-unknown': 'The seal demands something that is not understood',
  'claims-missing': 'The protected header has no CWT claims with issuer and subject',
  'hash-unknown': 'The hash of the hash envelope is not SHA-256',
  'payload-missing': 'The sealed bytes are not in the seal and were not given',
  'payload-twice': 'The seal carries its bytes, and others were given',
  'payload-differs': 'The bytes are not those that were sealed',
  'signer-unknown': 'No line of the allowed signers has the key',
  'line-unread': 'The line of the allowed signers that has the key is not understood, and allows nobody',
  'key-unfit': 'The key is not of a kind that can seal',
  'signature-wrong': 'The signature is not that of these bytes by this key',
  'metadata-differs': 'The trace metadata is not that of the sealed bytes',
  'subject-differs': 'The seal is that of another record',
  'commit-differs': 'The seal is that of a record of another commit',
  'commit-unsaid': 'Neither the seal nor the record says of which commit it is',
  'issued-ahead': 'The seal says that it was made in the future',
  'issued-before': 'It was sealed before it was made, by the time that the seal says',
  'seal-expired': 'The seal has run out by its own claims',
  'seal-early': 'The seal is not valid yet by its own claims',
  authority: 'The key is allowed as a certificate authority, not as a signer',
  namespace: 'The key is not allowed for this namespace',
  'key-early': 'The key was not valid yet when the seal was made',
  'key-expired': 'The key was not valid any more when the seal was made',
  'key-revoked': 'The key is revoked',
  'revocation-unread': 'Whether the key is revoked cannot be told',
  principal: 'The key is not allowed for this issuer',
  'receipt-wrong': 'A receipt does not prove what it claims',
} as const satisfies Readonly<Record<string, string>>;

export type ReasonCode = keyof typeof REASONS;

export interface SealReason {
  readonly code: ReasonCode;
  /** One sentence. What strangers wrote is in it in letters that no terminal obeys. */
  readonly message: string;
}

export function reason(code: ReasonCode, detail = ''): SealReason {
  return { code, message: `${REASONS[code]}${detail && `: ${detail}`}.` };
}

/** For what is found deep inside a value: `reasonOf` takes it back at the door. */
export function refusal(code: ReasonCode, detail = ''): Fault {
  return new Fault('refused', reason(code, detail).message, { reason: code, detail });
}

export function reasonOf(error: unknown): SealReason | undefined {
  if (!(error instanceof Fault)) return undefined;
  const code = error.data.reason;
  return isReasonCode(code) ? { code, message: error.message } : undefined;
}

/** The same as a part of a sentence about `code`: what it says already is not said again. */
export function detailOf(error: unknown, code: ReasonCode): string | undefined {
  const found = reasonOf(error);
  if (!found) return undefined;
  const detail = error instanceof Fault ? error.data.detail : undefined;
  if (found.code === code && typeof detail === 'string' && detail !== '') return detail;
  return found.message.charAt(0).toLowerCase() + found.message.slice(1).replace(/\.$/, '');
}

function isReasonCode(code: unknown): code is ReasonCode {
  return typeof code === 'string' && Object.hasOwn(REASONS, code);
}

const MAX_QUOTED = 200;

/** A stranger's words in a message: short, in quotes, nothing but printable ASCII. */
export function quoted(text: string): string {
  return ascii(JSON.stringify(shortened(text)));
}

/** The same for other values, as JSON writes them. */
export function quotedJson(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : ascii(shortened(JSON.stringify(value)));
}

function shortened(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text;
}

function ascii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
