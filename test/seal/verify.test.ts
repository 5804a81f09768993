import { describe, expect, it } from 'vitest';
import { parseAllowedSigners } from '../../src/seal/allowed-signers.ts';
import { encodeCbor, Tagged } from '../../src/seal/cbor.ts';
import { addReceipt, decodeSign1, encodeSign1, LABEL, sigStructure } from '../../src/seal/cose.ts';
import { keyId, printKey, printKeyId } from '../../src/seal/keys.ts';
import { maxSigned } from '../../src/seal/seal.ts';
import { type SealQuestion, verifySeal } from '../../src/seal/verify.ts';
import { AT, allow, METADATA, newPair, OPTIONS, type Pair, RECORD, sealWith, TYPES } from './ada.ts';

const ada = newPair('ssh-ed25519');
const signers = allow(ada);
const question = { signers, now: AT + 1000 };
const codes = (asked: SealQuestion) => verifySeal(asked).reasons.map(({ code }) => code);

describe.each(TYPES)('a seal by %s', (type) => {
  const pair = newPair(type);
  const known = { signers: allow(pair), now: AT + 1000 };

  it('is believed attached and detached, and says who, what and when', () => {
    const attached = verifySeal({ ...known, cose: sealWith(pair, RECORD, { form: 'attached' }) });
    const detached = verifySeal({ ...known, cose: sealWith(pair, RECORD), payload: RECORD });
    expect(attached).toMatchObject({ ok: true, reasons: [] });
    expect(Buffer.from(attached.payload ?? [])).toEqual(RECORD);
    expect(detached).toMatchObject({
      ok: true,
      proven: {
        signer: printKeyId(keyId(pair.key.blob)),
        principal: 'ada@example.com',
        alg: type === 'ssh-ed25519' ? 'EdDSA' : 'ES256',
        subject: OPTIONS.subject,
        contentType: 'application/json',
        hashed: false,
      },
      at: AT,
    });
    // nobody but the signer knows when
    expect(detached.proven).not.toHaveProperty('at');
  });

  it('signs the bytes up to what an agent takes, beyond it their hash', () => {
    const overhead =
      sigStructure(decodeSign1(sealWith(pair, RECORD)).protectedBytes, Buffer.alloc(70_000)).length - 70_000;
    const most = Buffer.alloc(maxSigned(pair.key) - overhead, 'a');
    for (const form of ['attached', 'detached'] as const) {
      const whole = sealWith(pair, most, { form });
      const hashed = sealWith(pair, Buffer.concat([most, Buffer.from('a')]), { form });
      expect(decodeSign1(whole).header.has(LABEL.hashAlg)).toBe(false);
      expect(decodeSign1(hashed).header.get(LABEL.hashAlg)).toBe(-16);
      expect(hashed.length).toBeLessThan(400);
      const given = Buffer.alloc(most.length + 1, 'a');
      expect(verifySeal({ ...known, cose: hashed, payload: given })).toMatchObject({
        ok: true,
        proven: { hashed: true },
      });
      expect(codes({ ...known, cose: hashed })).toEqual(['payload-missing']);
      given[5] = 0;
      expect(codes({ ...known, cose: hashed, payload: given })).toEqual([
        form === 'attached' ? 'payload-differs' : 'signature-wrong',
      ]);
    }
  });
});

describe('trace metadata', () => {
  const cose = sealWith(ada, RECORD, { metadata: METADATA });
  const withMetadata = (metadata: unknown) => {
    const sign1 = decodeSign1(cose);
    return encodeSign1({ ...sign1, unprotected: new Map([[LABEL.traceMetadata, metadata]]) });
  };

  it('is shown as a claim, with the hash of the content', () => {
    const verdict = verifySeal({ ...question, cose, payload: RECORD });
    expect(verdict.ok).toBe(true);
    expect(verdict.claimed?.get('agent-vendor')).toBe('anthropic');
    expect(verdict.claimed?.get('content-hash')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is shown, and nothing proven, where the signature is wrong', () => {
    const verdict = verifySeal({ ...question, cose, payload: Buffer.from('other') });
    expect(verdict).toMatchObject({ ok: false, reasons: [{ code: 'signature-wrong' }] });
    expect(verdict.claimed?.get('session-id')).toBe('s-1');
    expect([verdict.proven, verdict.payload]).toEqual([undefined, undefined]);
  });

  it('of ours that was changed, taken away or is no map is noticed', () => {
    const claimed = verifySeal({ ...question, cose, payload: RECORD }).claimed ?? new Map();
    for (const other of [new Map(claimed).set('session-id', 's-2'), 5]) {
      expect(codes({ ...question, cose: withMetadata(other), payload: RECORD })).toContain('metadata-differs');
    }
    const bare = encodeSign1({ ...decodeSign1(cose), unprotected: new Map() });
    expect(codes({ ...question, cose: bare, payload: RECORD })).toEqual(['metadata-differs']);
  });

  it('of others is held against the content where it has a hash', () => {
    const plain = decodeSign1(sealWith(ada, RECORD));
    const say = (hash: string) =>
      encodeSign1({ ...plain, unprotected: new Map([[LABEL.traceMetadata, new Map([['content-hash', hash]])]]) });
    expect(codes({ ...question, cose: say('00'), payload: RECORD })).toEqual(['metadata-differs']);
  });
});

describe('trust', () => {
  const cose = sealWith(ada, RECORD);
  const ask = (options: string, principals?: string) =>
    codes({ cose, payload: RECORD, signers: allow(ada, options, principals), now: AT + 1000 });

  it.each<[string, string, readonly string[]]>([
    ['', 'ada@example.com', []],
    ['', '*@example.com', []],
    ['', '*,!ada@example.com', ['principal']],
    ['', 'bob@example.com', ['principal']],
    ['namespaces="agent-blame"', '*', []],
    ['namespaces="git,agent-*"', '*', []],
    ['namespaces="git"', '*', ['namespace']],
    ['namespaces="*,!agent-blame"', '*', ['namespace']],
    ['cert-authority', '*', ['authority']],
    ['valid-after="20261001120000Z"', '*', []],
    ['valid-after="20261001120001Z"', '*', ['key-early']],
    ['valid-before="20261001120000Z"', '*', []],
    ['valid-before="20261001115959Z"', '*', ['key-expired']],
    ['namespaces="file",valid-before="20260101Z"', 'bob', ['namespace', 'key-expired', 'principal']],
  ])('%s for %s', (options, principals, wanted) => expect(ask(options, principals)).toEqual(wanted));

  it('one line that allows is enough, whatever the others say', () => {
    const lines = [...allow(ada, 'cert-authority'), ...allow(ada, '', 'bob'), ...allow(ada)];
    expect(codes({ cose, payload: RECORD, signers: lines, now: AT })).toEqual([]);
  });

  it('a key that nobody allows is unknown, and is named', () => {
    const verdict = verifySeal({ cose, payload: RECORD, signers: allow(newPair('ssh-ed25519')), now: AT });
    expect(verdict.reasons.map(({ code }) => code)).toEqual(['signer-unknown']);
    expect(verdict.reasons[0]?.message).toContain(printKeyId(keyId(ada.key.blob)));
    expect(codes({ cose, payload: RECORD, signers: [], now: AT })).toEqual(['signer-unknown']);
  });

  it('a seal from the future is refused, one from a clock a little ahead is not', () => {
    expect(codes({ cose, payload: RECORD, signers, now: AT - 299_000 })).toEqual([]);
    expect(codes({ cose, payload: RECORD, signers, now: AT - 301_000 })).toEqual(['issued-ahead']);
  });

  it('a seal of something else is refused where it is known what it should be of', () => {
    expect(codes({ ...question, cose, payload: RECORD, subject: OPTIONS.subject })).toEqual([]);
    expect(codes({ ...question, cose, payload: RECORD, subject: 'x' })).toEqual(['subject-differs']);
  });

  it('what strangers wrote reaches no terminal as it is', () => {
    const evil = sealWith(ada, RECORD, { principal: 'a\x1b]0;b\x07\u202e' });
    const [first] = verifySeal({ ...question, cose: evil, payload: RECORD }).reasons;
    expect(first?.message).toMatch(/^[\x20-\x7e]+$/);
  });
});

/** A seal with any header, signed as it should be. */
function craft(
  pair: Pair,
  header: ReadonlyMap<unknown, unknown> | Uint8Array,
  unprotected = new Map<unknown, unknown>(),
) {
  const protectedBytes = header instanceof Uint8Array ? header : encodeCbor(header);
  const signature = pair.sign(sigStructure(protectedBytes, RECORD));
  return encodeSign1({ protectedBytes, unprotected, payload: RECORD, signature });
}

describe('headers', () => {
  const claims = new Map<unknown, unknown>([
    [1, 'mailto:ada@example.com'],
    [2, 'x'],
  ]);
  const good = new Map<unknown, unknown>([
    [1, -8],
    [15, claims],
  ]);
  const and = (...pairs: [unknown, unknown][]) => new Map([...good, ...pairs]);
  const without = (label: number) => new Map([...good].filter(([one]) => one !== label));
  const judge = (header: ReadonlyMap<unknown, unknown>, unprotected?: Map<unknown, unknown>) =>
    codes({ ...question, cose: craft(ada, header, unprotected) });

  it('need an algorithm and claims, and no more', () => {
    expect(judge(good)).toEqual([]);
    expect(judge(and([1, -19]))).toEqual([]);
    expect(judge(and([2, [15]]))).toEqual([]);
    expect(judge(and([33, [Buffer.from('a'), Buffer.from('b')]]))).toEqual([]);
  });

  it.each<[string, ReadonlyMap<unknown, unknown>, Map<unknown, unknown> | undefined, string]>([
    ['no algorithm', without(1), undefined, 'alg-missing'],
    ['an algorithm outside', without(1), new Map([[1, -8]]), 'alg-unprotected'],
    ['an algorithm in both', good, new Map([[1, -8]]), 'alg-unprotected'],
    ['an algorithm in words', and([1, 'EdDSA']), undefined, 'alg-unknown'],
    ['RS256', and([1, -257]), undefined, 'alg-unknown'],
    ['the algorithm of another kind of key', and([1, -7], [4, keyId(ada.key.blob)]), undefined, 'key-unfit'],
    ['the algorithm of another kind of key, no key id', and([1, -7]), undefined, 'signer-unknown'],
    ['no claims', without(15), undefined, 'claims-missing'],
    ['claims outside', without(15), new Map([[15, claims]]), 'bad-header'],
    ['no subject', and([15, new Map([[1, 'a']])]), undefined, 'claims-missing'],
    ['something unknown that is critical', and([2, [99]], [99, 1]), undefined, 'crit-unknown'],
    ['something critical that is not there', and([2, [3]]), undefined, 'bad-header'],
    ['an empty crit', and([2, []]), undefined, 'bad-header'],
    ['crit outside', good, new Map([[2, [1]]]), 'bad-header'],
    ['a label in both', and([33, Buffer.from('a')]), new Map([[33, Buffer.from('a')]]), 'duplicate-label'],
    ['a key id in words', and([4, 'ada']), undefined, 'bad-header'],
    ['a content type that is a list', and([3, []]), undefined, 'bad-header'],
    ['another hash', and([258, -44]), undefined, 'hash-unknown'],
    ['a hash and a content type', and([258, -16], [3, 'a/b']), undefined, 'bad-header'],
    ['a hash outside', good, new Map([[258, -16]]), 'bad-header'],
    ['a type of the hashed, and no hash', and([259, 'a/b']), undefined, 'bad-header'],
    ['a time in words', and([15, new Map([...claims, [6, 'now']])]), undefined, 'bad-header'],
    ['an end that has come', and([15, new Map([...claims, [4, AT / 1000]])]), undefined, 'seal-expired'],
    ['a beginning to come', and([15, new Map([...claims, [5, AT / 1000 + 999]])]), undefined, 'seal-early'],
    ['receipts that are none', good, new Map([[394, 5]]), 'bad-header'],
  ])('with %s are refused', (_, header, unprotected, wanted) => {
    expect(judge(header, unprotected)).toEqual([wanted]);
  });

  it('with a label that is there twice are refused, though well signed', () => {
    const bytes = Buffer.from(encodeCbor(good));
    // one pair more, the algorithm again
    const twice = Buffer.concat([Uint8Array.of((bytes[0] ?? 0) + 1), bytes.subarray(1, 3), bytes.subarray(1)]);
    expect(codes({ ...question, cose: craft(ada, twice) })).toEqual(['duplicate-label']);
  });

  it('without a key id find the key all the same, with a strange one too', () => {
    const many = [...allow(newPair('ssh-ed25519')), ...allow(newPair('ecdsa-sha2-nistp256')), ...signers];
    expect(codes({ now: AT, signers: many, cose: craft(ada, and([4, Buffer.from('ada')])) })).toEqual([]);
  });
});

describe('shape', () => {
  const attached = sealWith(ada, RECORD, { form: 'attached' });
  const { protectedBytes, unprotected, signature } = decodeSign1(attached);
  const tagged = (parts: unknown, tag = 18) => encodeCbor(new Tagged(tag, parts));

  it('bytes in the seal and bytes beside it are refused, even the same', () => {
    expect(codes({ ...question, cose: attached, payload: RECORD })).toEqual(['payload-twice']);
  });

  it.each<[string, Uint8Array, string]>([
    ['no bytes', new Uint8Array(), 'not-cbor'],
    ['no tag', encodeCbor([protectedBytes, unprotected, RECORD, signature]), 'not-sign1'],
    ['the tag of COSE_Sign', tagged([protectedBytes, unprotected, RECORD, signature], 98), 'not-sign1'],
    ['a tag too many', tagged(new Tagged(18, [protectedBytes, unprotected, RECORD, signature])), 'not-sign1'],
    ['three parts', tagged([protectedBytes, unprotected, RECORD]), 'not-sign1'],
    ['a map for a list', tagged(new Map()), 'not-sign1'],
    ['a protected header in the open', tagged([new Map(), unprotected, RECORD, signature]), 'not-sign1'],
    ['a header that is a list', tagged([encodeCbor([]), unprotected, RECORD, signature]), 'not-sign1'],
    ['an empty header', tagged([new Uint8Array(), unprotected, RECORD, signature]), 'alg-missing'],
    ['a payload in words', tagged([protectedBytes, unprotected, 'text', signature]), 'not-sign1'],
    ['a signature in words', tagged([protectedBytes, unprotected, RECORD, 'text']), 'not-sign1'],
    ['an empty signature', tagged([protectedBytes, unprotected, RECORD, new Uint8Array()]), 'signature-wrong'],
    ['a byte too many', Buffer.concat([attached, Uint8Array.of(0)]), 'trailing-bytes'],
    ['itself twice', Buffer.concat([attached, attached]), 'trailing-bytes'],
  ])('%s is refused', (_, cose, wanted) => expect(codes({ ...question, cose })).toEqual([wanted]));

  it('certificates, receipts and what nobody knows are kept', () => {
    const kept = new Map<unknown, unknown>([
      [LABEL.x5chain, [Buffer.from('a'), Buffer.from('b')]],
      ['x', new Tagged(1, 5)],
    ]);
    const first = encodeSign1({ protectedBytes, unprotected: kept, payload: RECORD, signature });
    const more = addReceipt(addReceipt(first, attached), attached);
    expect(verifySeal({ ...question, cose: more })).toMatchObject({
      ok: true,
      certificates: 2,
      receipts: [{ state: 'unknown-key' }, { state: 'unknown-key' }],
    });
    const again = decodeSign1(more).unprotected;
    expect(again.get('x')).toEqual(new Tagged(1, 5));
    expect(again.get(LABEL.receipts)).toHaveLength(2);
    expect(() => addReceipt(first, Buffer.from('junk'))).toThrow();
  });
});

describe('lines of the allowed signers that have the key', () => {
  const key = printKey(ada.key);
  it.each([
    [`ada@example.com valid-before="soon" ${key}`, 'line-unread', 'line 2: the time of valid-before'],
    [`ada@example.com no-touch-required ${key}`, 'line-unread', 'line 2: the option "no-touch-required" is not known'],
    [`ada@example.com valid-before="2030",valid-before="2031" ${key}`, 'line-unread', 'line 2: the time'],
    [`ada@example.com namespaces="a",namespaces="b" ${key}`, 'line-unread', 'namespaces is there twice'],
    [`"ada@example.com ${key}`, 'line-unread', 'line 2: a quotation mark is not closed'],
    [
      `ada@example.com namespaces="git" ${key}`,
      'namespace',
      'line 2 of the allowed signers has namespaces="git", and agent-blame',
    ],
    [`bob@example.com ${printKey(newPair('ssh-ed25519').key)}`, 'signer-unknown', 'SHA256:'],
  ])('%.50s is %s', (line, code, said) => {
    const cose = sealWith(ada, RECORD, { form: 'attached' });
    const { ok, reasons } = verifySeal({ cose, ...parseAllowedSigners(`# people\n${line}\n`), now: AT });
    expect({ ok, reasons }).toEqual({ ok: false, reasons: [{ code, message: expect.stringContaining(said) }] });
  });
});

it('the tag that only says that CBOR follows is looked through, once', () => {
  const cose = sealWith(ada, RECORD, { form: 'attached' });
  const tag = Buffer.from('d9d9f7', 'hex');
  expect(verifySeal({ ...question, cose: Buffer.concat([tag, cose]) }).ok).toBe(true);
  expect(codes({ ...question, cose: Buffer.concat([tag, tag, cose]) })).toEqual(['not-sign1']);
});
