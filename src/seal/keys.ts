import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { wireReader, wireString } from './ssh-wire.ts';

export type KeyType = 'ssh-ed25519' | 'ecdsa-sha2-nistp256';

/** A public key that can seal. */
export interface PublicKey {
  readonly type: KeyType;
  /** As SSH writes it: agents and fingerprints go by these bytes. */
  readonly blob: Uint8Array;
  /** Ed25519: 32 bytes. P-256: x and y, 32 bytes each. */
  readonly point: Uint8Array;
}

/** Algorithms of COSE. The general ones are written, as every reader knows them; RFC 9864 has the exact ones, which are read. */
export interface Algorithm {
  readonly id: number;
  readonly name: 'EdDSA' | 'Ed25519' | 'ES256' | 'ESP256';
  readonly type: KeyType;
}

const ALGORITHMS: readonly Algorithm[] = [
  { id: -8, name: 'EdDSA', type: 'ssh-ed25519' },
  { id: -7, name: 'ES256', type: 'ecdsa-sha2-nistp256' },
  { id: -19, name: 'Ed25519', type: 'ssh-ed25519' },
  { id: -9, name: 'ESP256', type: 'ecdsa-sha2-nistp256' },
];

const SIGNATURE_LENGTH = 64;

export function findAlgorithm(id: unknown): Algorithm | undefined {
  return ALGORITHMS.find((one) => one.id === id);
}

/** The one that we write for a key. */
export function algorithmOf(type: KeyType): Algorithm {
  const [eddsa, es256] = ALGORITHMS as readonly [Algorithm, Algorithm];
  return type === 'ssh-ed25519' ? eddsa : es256;
}

const MAX_LINE = 64 * 1024;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Type and blob of any key line of OpenSSH, `ssh-ed25519 AAAA... comment`, whether or not it can seal. */
export function findKeyLine(text: string): { readonly type: string; readonly blob: Uint8Array } | undefined {
  if (text.length > MAX_LINE) return undefined;
  const [type = '', base64 = ''] = text.trim().split(/[ \t]+/, 2);
  if (!BASE64.test(base64)) return undefined;
  const blob = Buffer.from(base64, 'base64');
  return wireReader(blob).readText() === type && type !== '' ? { type, blob } : undefined;
}

export function findKey(text: string): PublicKey | undefined {
  const line = findKeyLine(text);
  return line && decodeBlob(line.blob);
}

/** Undefined for keys of other kinds (RSA, FIDO, certificates, other curves) and for broken ones. */
export function decodeBlob(blob: Uint8Array): PublicKey | undefined {
  const reader = wireReader(blob);
  const type = reader.readText();
  if (type === 'ssh-ed25519') {
    const point = reader.readBytes();
    return point?.length === 32 && reader.rest().length === 0 ? { type, blob, point } : undefined;
  }
  if (type !== 'ecdsa-sha2-nistp256' || reader.readText() !== 'nistp256') return undefined;
  const point = reader.readBytes();
  // 4: both coordinates follow
  if (point?.length !== 65 || point[0] !== 4 || reader.rest().length > 0) return undefined;
  return { type, blob, point: point.subarray(1) };
}

export function keyOf(type: KeyType, point: Uint8Array): PublicKey {
  const parts = type === 'ssh-ed25519' ? [type, point] : [type, 'nistp256', Buffer.concat([Uint8Array.of(4), point])];
  return { type, blob: Buffer.concat(parts.map(wireString)), point };
}

export function printKey({ type, blob }: Pick<PublicKey, 'type' | 'blob'>): string {
  return `${type} ${Buffer.from(blob).toString('base64')}`;
}

/** The key id of a seal: the SHA-256 that `ssh-keygen -l` prints. */
export function keyId(blob: Uint8Array): Uint8Array {
  return createHash('sha256').update(blob).digest();
}

export function printKeyId(id: Uint8Array): string {
  return `SHA256:${Buffer.from(id).toString('base64').replace(/=+$/, '')}`;
}

export function jwkOf({ type, point }: PublicKey): JsonWebKey {
  const text = (from: number) => Buffer.from(point.subarray(from, from + 32)).toString('base64url');
  if (type === 'ssh-ed25519') return { kty: 'OKP', crv: 'Ed25519', x: text(0) };
  return { kty: 'EC', crv: 'P-256', x: text(0), y: text(32) };
}

export function keyFromJwk({ kty, crv, x = '', y = '' }: JsonWebKey): PublicKey | undefined {
  const [first, second] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  if (kty === 'OKP' && crv === 'Ed25519' && first.length === 32) return keyOf('ssh-ed25519', first);
  if (kty !== 'EC' || crv !== 'P-256' || first.length !== 32 || second.length !== 32) return undefined;
  return keyOf('ecdsa-sha2-nistp256', Buffer.concat([first, second]));
}

/** A COSE_Key (RFC 9053 section 7): 1 kty, -1 crv, -2 x, -3 y. */
export function coseKeyOf({ type, point }: PublicKey): Map<number, number | Uint8Array> {
  const x = point.subarray(0, 32);
  const pairs: [number, number | Uint8Array][] =
    type === 'ssh-ed25519'
      ? [
          [1, 1],
          [-1, 6],
          [-2, x],
        ]
      : [
          [1, 2],
          [-1, 1],
          [-2, x],
          [-3, point.subarray(32)],
        ];
  return new Map(pairs);
}

export function keyFromCose(map: ReadonlyMap<unknown, unknown>): PublicKey | undefined {
  const [kty, crv, x, y] = [1, -1, -2, -3].map((label) => map.get(label));
  if (!(x instanceof Uint8Array) || x.length !== 32) return undefined;
  if (kty === 1 && crv === 6) return keyOf('ssh-ed25519', x);
  if (kty !== 2 || crv !== 1 || !(y instanceof Uint8Array) || y.length !== 32) return undefined;
  return keyOf('ecdsa-sha2-nistp256', Buffer.concat([x, y]));
}

/** Undefined where the point is not on its curve. */
function keyObject(key: PublicKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwkOf(key), format: 'jwk' });
  } catch {
    return undefined;
  }
}

export interface Signed {
  readonly bytes: Uint8Array;
  readonly signature: Uint8Array;
}

/** ECDSA signatures are r and s, 32 bytes each, as COSE has them. */
export function isSignedBy(key: PublicKey, { bytes, signature }: Signed): boolean {
  const object = signature.length === SIGNATURE_LENGTH ? keyObject(key) : undefined;
  if (!object) return false;
  return key.type === 'ssh-ed25519'
    ? verify(null, bytes, object, signature)
    : verify('sha256', bytes, { key: object, dsaEncoding: 'ieee-p1363' }, signature);
}
