import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { decodeBlob, jwkOf, keyFromJwk, type PublicKey } from './keys.ts';
import { fixedWidth, type WireReader, wireReader } from './ssh-wire.ts';

/** What a file with a private key has to say. */
export type PrivateKeyFile =
  | { readonly kind: 'key'; readonly key: PublicKey; sign(bytes: Uint8Array): Uint8Array }
  /** The public half stands in the open: enough to ask an agent. */
  | { readonly kind: 'locked'; readonly key?: PublicKey }
  | { readonly kind: 'unfit'; readonly problem: string };

const OPENSSH = /^-----BEGIN OPENSSH PRIVATE KEY-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END OPENSSH PRIVATE KEY-----/;
const MAGIC = 'openssh-key-v1\0';

export function isPrivateKey(text: string): boolean {
  return /^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text);
}

export function decodePrivateKey(text: string): PrivateKeyFile {
  const [, body] = OPENSSH.exec(text) ?? [];
  return body === undefined ? decodePem(text) : decodeOpenssh(Buffer.from(body, 'base64'));
}

const unfit = (problem: string): PrivateKeyFile => ({ kind: 'unfit', problem });
const BROKEN = unfit('it is damaged');
const OTHER_KIND = unfit('it is neither Ed25519 nor ECDSA P-256');

/** `PROTOCOL.key` of OpenSSH. */
function decodeOpenssh(bytes: Buffer): PrivateKeyFile {
  if (bytes.subarray(0, MAGIC.length).toString('latin1') !== MAGIC) return BROKEN;
  const reader = wireReader(bytes.subarray(MAGIC.length));
  const [cipher, kdf] = [reader.readText(), reader.readText()];
  reader.readBytes();
  const count = reader.readUint32();
  const [blob, secret] = [reader.readBytes(), reader.readBytes()];
  if (cipher === undefined || !blob || !secret) return BROKEN;
  if (count !== 1) return unfit('it holds several keys');
  const key = decodeBlob(blob);
  if (cipher !== 'none' || kdf !== 'none') return { kind: 'locked', ...(key && { key }) };
  if (!key) return OTHER_KIND;
  const secretKey = decodeSecret(wireReader(secret), key);
  return secretKey ? ready(key, secretKey) : BROKEN;
}

function decodeSecret(reader: WireReader, key: PublicKey): KeyObject | undefined {
  const [check, again] = [reader.readUint32(), reader.readUint32()];
  if (check === undefined || check !== again || reader.readText() !== key.type) return undefined;
  if (key.type === 'ssh-ed25519') {
    reader.readBytes();
    // the seed, and the public key once more
    const pair = reader.readBytes();
    return pair?.length === 64 ? privateKeyObject(key, pair.subarray(0, 32)) : undefined;
  }
  reader.readBytes();
  reader.readBytes();
  const scalar = fixedWidth(reader.readBytes() ?? new Uint8Array(), 32);
  return scalar && privateKeyObject(key, scalar);
}

/** Undefined where the two halves do not belong together. */
function privateKeyObject(key: PublicKey, d: Uint8Array): KeyObject | undefined {
  try {
    const jwk: JsonWebKey = { ...jwkOf(key), d: Buffer.from(d).toString('base64url') };
    const object = createPrivateKey({ key: jwk, format: 'jwk' });
    const belonging = keyFromJwk(createPublicKey(object).export({ format: 'jwk' }));
    return belonging && Buffer.compare(belonging.blob, key.blob) === 0 ? object : undefined;
  } catch {
    return undefined;
  }
}

/** PKCS #8 and SEC 1, which ssh-keygen writes with -m. */
function decodePem(text: string): PrivateKeyFile {
  if (/ENCRYPTED/.test(text.slice(0, 200))) return { kind: 'locked' };
  try {
    const object = createPrivateKey(text);
    const key = keyFromJwk(createPublicKey(object).export({ format: 'jwk' }));
    return key ? ready(key, object) : OTHER_KIND;
  } catch {
    return BROKEN;
  }
}

function ready(key: PublicKey, object: KeyObject): PrivateKeyFile {
  const signBytes = (bytes: Uint8Array) =>
    key.type === 'ssh-ed25519'
      ? sign(null, bytes, object)
      : sign('sha256', bytes, { key: object, dsaEncoding: 'ieee-p1363' });
  return { kind: 'key', key, sign: signBytes };
}
