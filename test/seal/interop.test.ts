import { Sign1 } from '@auth0/cose';
import { describe, expect, it } from 'vitest';
import { encodeCbor, Tagged } from '../../src/seal/cbor.ts';
import { decodeSign1, encodeSign1, sigStructure } from '../../src/seal/cose.ts';
import { isSignedBy, keyFromJwk } from '../../src/seal/keys.ts';
import { verifySeal } from '../../src/seal/verify.ts';
import { AT, allow, METADATA, newPair, RECORD, sealWith, TYPES } from './ada.ts';

/** Its types know fewer headers than it takes. */
type Protected = Parameters<typeof Sign1.sign>[0];
type Unprotected = Parameters<typeof Sign1.sign>[1];

const CLAIMS = new Map([
  [1, 'mailto:ada@example.com'],
  [2, 'x'],
]);

describe.each(TYPES)('another implementation of COSE, %s', (type) => {
  const pair = newPair(type);
  const alg = type === 'ssh-ed25519' ? -8 : -7;
  const known = { signers: allow(pair), now: AT };
  const headers = (...more: [unknown, unknown][]) => new Map<unknown, unknown>([[1, alg], [15, CLAIMS], ...more]);
  const theirs = (header: Map<unknown, unknown>, unprotected = new Map<unknown, unknown>()) =>
    Sign1.sign(
      [...header] as unknown as Protected,
      [...unprotected] as unknown as Unprotected,
      RECORD,
      pair.privateKey,
    );
  /** Well signed by hand, whatever the header. */
  const crafted = (protectedBytes: Uint8Array, unprotected = new Map<unknown, unknown>()) => ({
    protectedBytes,
    unprotected,
    payload: RECORD,
    signature: pair.sign(sigStructure(protectedBytes, RECORD)),
  });
  const theyBelieve = async (cose: Uint8Array, detachedPayload?: Uint8Array) =>
    Sign1.decode(cose)
      .verify(pair.publicKey, detachedPayload && { detachedPayload })
      .then(
        () => true,
        () => false,
      );

  it('believes our seals', async () => {
    const large = Buffer.alloc(300_000, 'x');
    expect(await theyBelieve(sealWith(pair, RECORD, { form: 'attached', metadata: METADATA }))).toBe(true);
    expect(await theyBelieve(sealWith(pair, RECORD, { metadata: METADATA }), RECORD)).toBe(true);
    expect(await theyBelieve(sealWith(pair, large, { form: 'attached' }))).toBe(true);
    expect(await theyBelieve(sealWith(pair, RECORD), Buffer.from('other'))).toBe(false);
  });

  it('is believed by us, attached and detached', async () => {
    const made = await theirs(headers([3, 'application/json']), new Map([[100, new Map([['session-id', 's-1']])]]));
    const attached = made.encode();
    const detached = encodeSign1({ ...decodeSign1(attached), payload: null });
    expect(verifySeal({ ...known, cose: attached })).toMatchObject({
      ok: true,
      proven: { principal: 'ada@example.com', contentType: 'application/json' },
    });
    expect(verifySeal({ ...known, cose: detached, payload: RECORD }).ok).toBe(true);
    expect(verifySeal({ ...known, cose: attached }).claimed?.get('session-id')).toBe('s-1');
  });

  const good = crafted(encodeCbor(headers()));
  const one = Buffer.from(encodeCbor(headers()));
  const laxities: [string, string, Uint8Array, Uint8Array?][] = [
    ['a list without a tag', 'not-sign1', encodeCbor([good.protectedBytes, new Map(), RECORD, good.signature])],
    [
      'evil bytes inside, good ones beside',
      'payload-twice',
      encodeSign1({ ...good, payload: Buffer.from('evil') }),
      RECORD,
    ],
    [
      'an unprotected algorithm',
      'alg-unprotected',
      encodeSign1(crafted(encodeCbor(new Map([[15, CLAIMS]])), new Map([[1, alg]]))),
    ],
    [
      'a label twice',
      'duplicate-label',
      encodeSign1(crafted(Buffer.concat([Uint8Array.of((one[0] ?? 0) + 1), one.subarray(1, 3), one.subarray(1)]))),
    ],
    ['an unknown crit', 'crit-unknown', encodeSign1(crafted(encodeCbor(headers([2, [99]], [99, 1]))))],
  ];

  it.each(laxities)('believes %s; we do not', async (_, code, cose, payload) => {
    expect(await theyBelieve(cose, payload)).toBe(true);
    const verdict = verifySeal({ ...known, cose, ...(payload && { payload }) });
    expect(verdict.reasons.map((reason) => reason.code)).toEqual([code]);
  });
});

describe('published examples', () => {
  const key = keyFromJwk({
    kty: 'EC',
    crv: 'P-256',
    x: 'usWxHK2PmfnHKwXPS54m0kTcGJ90UiglWiGahtagnv8',
    y: 'IBOL-C3BttVivg-lSreASjpkttcsz-1rb7btKLv8EX4',
  });
  const hex = (text: string) => Buffer.from(text, 'hex');

  it('RFC 9052 C.2.1: a single signature, ES256', () => {
    const cose = hex(
      'd28443a10126a10442313154546869732069732074686520636f6e74656e742e58408eb33e4ca31d1c465ab05aac34cc6b23d58fef5c083106c4' +
        'd25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36',
    );
    const { protectedBytes, payload, signature, ...sign1 } = decodeSign1(cose);
    const bytes = sigStructure(protectedBytes, payload ?? new Uint8Array());
    expect(Buffer.from(payload ?? []).toString()).toBe('This is the content.');
    expect(key && isSignedBy(key, { bytes, signature })).toBe(true);
    expect(Buffer.from(encodeSign1({ ...sign1, protectedBytes, payload, signature }))).toEqual(cose);
    // no claims: a good signature is not yet a seal
    expect(verifySeal({ cose, signers: [], now: AT }).reasons[0]?.code).toBe('claims-missing');
  });

  it('cose-wg sign-pass-02: the bytes to be signed, ES256', () => {
    const bytes = hex(
      '846a5369676e61747572653143a101264c11aa22bb33cc44dd5500669954546869732069732074686520636f6e74656e742e',
    );
    const signature = hex(
      'eae868ecc176883766c5dc5ba5b8dca25dab3c2e56a551ce5705b793914348e155388b10c4f1b59a6733eab416870a945111a4b2fbdbef33a77234b1deff2f9b',
    );
    expect(key && isSignedBy(key, { bytes, signature })).toBe(true);
    bytes[20] = 0;
    expect(key && isSignedBy(key, { bytes, signature })).toBe(false);
  });

  it('RFC 8949 appendix A: what is encoded', () => {
    expect(Buffer.from(encodeCbor(new Tagged(1, 1363896240))).toString('hex')).toBe('c11a514b67b0');
    expect(
      Buffer.from(
        encodeCbor(
          new Map<unknown, unknown>([
            ['b', [2, 3]],
            ['a', 1],
          ]),
        ),
      ).toString('hex'),
    ).toBe('a26161016162820203');
    // bytewise order of RFC 8949, not the older one by length
    expect(
      Buffer.from(
        encodeCbor(
          new Map([
            [-1, 0],
            [100, 0],
            [24, 0],
          ]),
        ),
      ).toString('hex'),
    ).toBe('a31818001864002000');
  });
});
