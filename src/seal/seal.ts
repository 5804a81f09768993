import { createHash } from 'node:crypto';
import { Fault } from '../fault.ts';
import { encodeCbor } from './cbor.ts';
import { encodeSign1, LABEL, sigStructure } from './cose.ts';
import { OWN_LABEL, SHA_256 } from './header.ts';
import { algorithmOf, isSignedBy, keyId, type PublicKey } from './keys.ts';

/** What signs: an agent or a key from a file. */
export interface Signer {
  readonly key: PublicKey;
  readonly from: 'agent' | 'file';
  /** 64 bytes; ECDSA as r and s. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

export interface SealOptions {
  /** Whoever signs, as a line of the allowed signers names them: nearly always an address of mail. */
  readonly principal: string;
  /** What is sealed: the id of a record or of a session. */
  readonly subject: string;
  /** In milliseconds; seals know seconds. */
  readonly at: number;
  readonly contentType: string;
  /** Whether the seal carries the bytes. Beyond `maxSigned` it carries their hash instead. */
  readonly form: 'attached' | 'detached';
  /** The commit whose record it is: a record of another tool may not say, and a seal must not be moved to another. */
  readonly commit?: string;
  /** Trace metadata, label 100; the content hash is added. */
  readonly metadata?: Readonly<Record<string, string | number>>;
}

export interface SealDraft {
  readonly key: PublicKey;
  readonly toBeSigned: Uint8Array;
  readonly protectedBytes: Uint8Array;
  readonly unprotected: ReadonlyMap<number, unknown>;
  readonly payload: Uint8Array | null;
  /** Only the hash of the bytes is signed: whoever verifies needs the bytes themselves. */
  readonly hashed: boolean;
}

export interface Sealed {
  readonly cose: Uint8Array;
  readonly hashed: boolean;
}

/** OpenSSH's agent takes messages of 256 KiB: type, key, data and flags, with three lengths between them. */
const AGENT_MESSAGE = 256 * 1024;

/** The most that is signed as it is, also by keys from files: where a key lies changes no seal. 262,080 bytes for Ed25519. */
export function maxSigned({ blob }: PublicKey): number {
  return AGENT_MESSAGE - (1 + 4 + blob.length + 4 + 4);
}

export function sealBytes(signer: Signer, bytes: Uint8Array, options: SealOptions): Promise<Sealed> {
  const draft = draftSeal(signer.key, bytes, options);
  return signer
    .sign(draft.toBeSigned)
    .then((signature) => ({ cose: completeSeal(draft, signature), hashed: draft.hashed }));
}

/** Everything but the signature. */
export function draftSeal(key: PublicKey, bytes: Uint8Array, options: SealOptions): SealDraft {
  const whole = draftAs(key, bytes, { ...options, hashed: false });
  return whole.toBeSigned.length > maxSigned(key) ? draftAs(key, bytes, { ...options, hashed: true }) : whole;
}

/** A signature that does not fit is found here, and not by those who get the seal. */
export function completeSeal({ key, ...draft }: SealDraft, signature: Uint8Array): Uint8Array {
  if (!isSignedBy(key, { bytes: draft.toBeSigned, signature })) {
    throw new Fault(
      'surroundings',
      'The signature that came back is not one by the chosen key: try again, or choose another key.',
    );
  }
  return encodeSign1({ ...draft, signature });
}

function draftAs(key: PublicKey, bytes: Uint8Array, options: SealOptions & { readonly hashed: boolean }): SealDraft {
  const { form, hashed } = options;
  const metadata = options.metadata && encodeMetadata(bytes, options.metadata);
  const protectedBytes = encodeCbor(
    new Map<number | string, unknown>([
      [LABEL.alg, algorithmOf(key.type).id],
      [LABEL.kid, keyId(key.blob)],
      [LABEL.claims, claimsOf(options)],
      ...typeOf(options),
      ...ownOf(options, metadata),
    ]),
  );
  const signed = hashed ? sha256(bytes) : bytes;
  return {
    key,
    toBeSigned: sigStructure(protectedBytes, signed),
    protectedBytes,
    unprotected: new Map(metadata ? [[LABEL.traceMetadata, metadata]] : []),
    payload: form === 'attached' ? signed : null,
    hashed,
  };
}

function ownOf({ commit }: SealOptions, metadata: Map<string, unknown> | undefined): (readonly [string, unknown])[] {
  const own = new Map<string, unknown>([
    ...(commit === undefined ? [] : [['commit', commit] as const]),
    // what a seal says outside its signature can be changed by anybody: in ours it is noticed
    ...(metadata ? [['trace-metadata', sha256(encodeCbor(metadata))] as const] : []),
  ]);
  return own.size > 0 ? [[OWN_LABEL, own]] : [];
}

function typeOf({ hashed, contentType }: SealOptions & { readonly hashed: boolean }): (readonly [number, unknown])[] {
  if (!hashed) return [[LABEL.contentType, contentType]];
  return [
    [LABEL.hashAlg, SHA_256],
    [LABEL.preimageType, contentType],
  ];
}

function claimsOf({ principal, subject, at }: SealOptions): Map<number, unknown> {
  return new Map<number, unknown>([
    [1, principal.includes('@') ? `mailto:${principal}` : principal],
    [2, subject],
    [6, Math.floor(at / 1000)],
  ]);
}

function encodeMetadata(bytes: Uint8Array, metadata: NonNullable<SealOptions['metadata']>): Map<string, unknown> {
  const hash = Buffer.from(sha256(bytes)).toString('hex');
  return new Map<string, unknown>([
    ...Object.entries(metadata),
    ['content-hash', hash],
    ['content-hash-alg', 'sha-256'],
  ]);
}

export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
