import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type AllowedSigner, parseAllowedSigners } from '../../src/seal/allowed-signers.ts';
import { type KeyType, keyFromJwk, type PublicKey, printKey } from '../../src/seal/keys.ts';
import { completeSeal, draftSeal, type SealOptions } from '../../src/seal/seal.ts';

export interface Pair {
  readonly key: PublicKey;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  sign(bytes: Uint8Array): Uint8Array;
}

export function newPair(type: KeyType): Pair {
  const { publicKey, privateKey } =
    type === 'ssh-ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = keyFromJwk(publicKey.export({ format: 'jwk' }));
  if (!key) throw new Error('no key');
  return {
    key,
    publicKey,
    privateKey,
    sign: (bytes) =>
      type === 'ssh-ed25519'
        ? sign(null, bytes, privateKey)
        : sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  };
}

export const TYPES = ['ssh-ed25519', 'ecdsa-sha2-nistp256'] as const;
export const AT = Date.UTC(2026, 9, 1, 12);
export const RECORD = Buffer.from('{"version":"0.1.0","id":"7d1f0d6c-1111-4222-8333-444455556666","files":[]}');

export const OPTIONS: SealOptions = {
  principal: 'ada@example.com',
  subject: '7d1f0d6c-1111-4222-8333-444455556666',
  at: AT,
  contentType: 'application/json',
  form: 'detached',
};

export const METADATA = {
  'session-id': 's-1',
  'agent-vendor': 'anthropic',
  'trace-format': 'ietf-vac-v3.0',
  'timestamp-start': '2026-10-01T11:00:00Z',
};

export function sealWith(pair: Pair, bytes: Uint8Array, options: Partial<SealOptions> = {}): Uint8Array {
  const draft = draftSeal(pair.key, bytes, { ...OPTIONS, ...options });
  return completeSeal(draft, pair.sign(draft.toBeSigned));
}

export function allow(pair: Pair, options = '', principals = 'ada@example.com'): readonly AllowedSigner[] {
  const { signers, problems } = parseAllowedSigners(`${principals} ${options} ${printKey(pair.key)} ada\n`);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return signers;
}
