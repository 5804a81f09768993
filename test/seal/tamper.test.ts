import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCbor, encodeCbor } from '../../src/seal/cbor.ts';
import { reasonOf } from '../../src/seal/reason.ts';
import { type SealQuestion, verifySeal } from '../../src/seal/verify.ts';
import { CASES } from '../support/cases.ts';
import { anyCharacter } from '../support/laws.ts';
import { AT, allow, METADATA, newPair, RECORD, sealWith, TYPES } from './ada.ts';

const isBelieved = (question: SealQuestion) => {
  const { ok, reasons, payload } = verifySeal(question);
  // a refusal always has a reason, and hands nothing out
  if ((reasons.length === 0) !== ok || (payload !== undefined) !== ok)
    throw new Error('a verdict that contradicts itself');
  return ok;
};

describe.each(TYPES)('tampering with a seal by %s', (type) => {
  const pair = newPair(type);
  const known = { signers: allow(pair), now: AT };
  const large = Buffer.alloc(300_000, 'x');
  const cases: [string, Omit<SealQuestion, 'signers' | 'now'>][] = [
    ['attached', { cose: sealWith(pair, RECORD, { form: 'attached', metadata: METADATA }) }],
    ['detached', { cose: sealWith(pair, RECORD, { metadata: METADATA }), payload: RECORD }],
    ['hash envelope', { cose: sealWith(pair, large, { form: 'attached', metadata: METADATA }), payload: large }],
  ];

  it.each(cases)('%s: no byte can be changed, by one bit or by all', (_, question) => {
    expect(isBelieved({ ...known, ...question })).toBe(true);
    const believed: string[] = [];
    const cose = Buffer.from(question.cose);
    for (let at = 0; at < cose.length; at++) {
      const was = cose[at] ?? 0;
      for (const mask of [1 << (at % 8), 255]) {
        cose[at] = was ^ mask;
        if (isBelieved({ ...known, ...question, cose })) believed.push(`${at}: ${mask}`);
      }
      cose[at] = was;
    }
    expect(believed).toEqual([]);
  });

  it.each(cases)('%s: none of its beginnings, none of its ends', (_, question) => {
    const { cose } = question;
    const cuts = Array.from({ length: cose.length }, (_, length) => [
      cose.subarray(0, length),
      cose.subarray(length + 1),
      Buffer.concat([cose.subarray(0, length), cose.subarray(length + 1)]),
    ]).flat();
    const believed = cuts.filter((cut) => isBelieved({ ...known, ...question, cose: cut }));
    expect(believed).toEqual([]);
  });

  it('the sealed bytes: none can be changed, none cut off, none added', () => {
    const cose = sealWith(pair, RECORD);
    const payload = Buffer.from(RECORD);
    for (let at = 0; at < payload.length; at++) {
      const was = payload[at] ?? 0;
      payload[at] = was ^ (1 << (at % 8));
      expect(isBelieved({ ...known, cose, payload })).toBe(false);
      payload[at] = was;
      expect(isBelieved({ ...known, cose, payload: payload.subarray(0, at) })).toBe(false);
    }
    expect(isBelieved({ ...known, cose, payload: Buffer.concat([RECORD, Buffer.from('\n')]) })).toBe(false);
  });

  it('another key, under the same name', () => {
    const other = newPair(type);
    expect(isBelieved({ ...known, cose: sealWith(other, RECORD, { form: 'attached' }) })).toBe(false);
  });
});

describe('hostile CBOR', () => {
  const hex = (text: string) => Buffer.from(text, 'hex');
  const problem = (bytes: Uint8Array) => {
    try {
      decodeCbor(bytes);
      return undefined;
    } catch (error) {
      return reasonOf(error)?.code ?? error;
    }
  };

  it.each<[string, string, string]>([
    ['an indefinite list', '9fff', 'not-cbor'],
    ['an indefinite map', 'bfff', 'not-cbor'],
    ['indefinite bytes', '5f4101ff', 'not-cbor'],
    ['indefinite text', '7f6161ff', 'not-cbor'],
    ['a lone break', 'ff', 'not-cbor'],
    ['a number longer than needed', '1817', 'not-cbor'],
    ['a longer one', '190017', 'not-cbor'],
    ['a long one', '1a0000ffff', 'not-cbor'],
    ['the longest', '1b00000000ffffffff', 'not-cbor'],
    ['a length longer than needed', '580101', 'not-cbor'],
    ['a reserved length', '1c', 'not-cbor'],
    ['bytes without end', '5bffffffffffffffff', 'not-cbor'],
    ['a list without end', '9bffffffffffffffff', 'not-cbor'],
    ['a map without end', 'bbffffffffffffffff', 'not-cbor'],
    ['a tag without end', 'dbffffffffffffffff01', 'not-cbor'],
    ['undefined', 'f7', 'not-cbor'],
    ['an unassigned simple value', 'f820', 'not-cbor'],
    ['false in two bytes', 'f814', 'not-cbor'],
    ['not a number', 'f97e00', 'not-cbor'],
    ['infinity', 'f97c00', 'not-cbor'],
    ['text that is not UTF-8', '62c328', 'not-cbor'],
    ['half a surrogate', '63eda080', 'not-cbor'],
    ['a label twice', 'a201000101', 'duplicate-label'],
    ['a text label twice', 'a2616100616101', 'duplicate-label'],
    ['a label twice, deep inside', '81a100a201000101', 'duplicate-label'],
    ['a key of bytes', 'a1410100', 'not-cbor'],
    ['a key that is a list', 'a18000', 'not-cbor'],
    ['a key that is a float', 'a1f93c0000', 'not-cbor'],
    ['something behind it', '0000', 'trailing-bytes'],
  ])('%s is refused', (_, bytes, wanted) => expect(problem(hex(bytes))).toBe(wanted));

  it('a deep nest is refused, not a crash', () => {
    for (const byte of [0x81, 0xa1, 0xc1]) expect(problem(Buffer.alloc(1_000_000, byte))).toBe('not-cbor');
  });

  it('a key called __proto__ is a key', () => {
    const value = decodeCbor(encodeCbor(new Map([['__proto__', 1]])));
    expect(value).toEqual(new Map([['__proto__', 1]]));
  });

  it('what is encoded is decoded to the same', () => {
    const label = fc.oneof(fc.integer(), fc.string({ unit: anyCharacter }));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.string({ unit: anyCharacter }),
        fc.boolean(),
        fc.constant(null),
        fc.uint8Array({ maxLength: 40 }).map((bytes) => Uint8Array.from(bytes)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.tuple(label, tie('value')), { maxLength: 4 }).map((pairs) => new Map(pairs)),
      ),
    }));
    fc.assert(fc.property(value, (one) => isDeepStrictEqual(decodeCbor(encodeCbor(one)), one)));
  });

  it('no bytes at all make it crash', () => {
    const known = { signers: allow(newPair('ssh-ed25519')), now: AT, payload: RECORD };
    const junk = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      // nearly a seal
      fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.concat([hex('d284'), bytes])),
    );
    fc.assert(
      fc.property(junk, (cose) => !isBelieved({ ...known, cose })),
      { numRuns: CASES },
    );
  });
});
