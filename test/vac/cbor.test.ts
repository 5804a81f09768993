import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/fault.ts';
import { jsonOf, printCanonical } from '../../src/vac/as-json.ts';
import { decodeCbor, encodeCbor, Tagged, WholeFloat } from '../../src/vac/cbor.ts';
import { CASES } from '../support/cases.ts';

const hex = (value: unknown) => Buffer.from(encodeCbor(value)).toString('hex');
const decoded = (text: string) => decodeCbor(Buffer.from(text, 'hex'));
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '?');

/** Any JSON whose text is Unicode. */
const json = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.parse(wellFormed(JSON.stringify(value))) as unknown);

describe('encodeCbor and decodeCbor', () => {
  // the values of RFC 8949, appendix A, and what lies at the edges of JavaScript's numbers
  it.each([
    ['00', 0],
    ['1bffffffffffffffff', 2n ** 64n - 1n],
    ['3bffffffffffffffff', -(2n ** 64n)],
    ['c249010000000000000000', new Tagged(2, Uint8Array.from([1, 0, 0, 0, 0, 0, 0, 0, 0]))],
    ['1b0020000000000000', 2n ** 53n],
    ['f90000', new WholeFloat(0)],
    ['f98000', new WholeFloat(-0)],
    ['f93c00', new WholeFloat(1)],
    ['fb3ff199999999999a', 1.1],
    ['fa47c35000', new WholeFloat(100000)],
    ['fb7e37e43c8800759c', new WholeFloat(1e300)],
    ['f97c00', Number.POSITIVE_INFINITY],
    ['f97e00', Number.NaN],
    ['f4', false],
    ['f6', null],
    ['c074323031332d30332d32315432303a30343a30305a', new Tagged(0, '2013-03-21T20:04:00Z')],
    ['4401020304', Uint8Array.from([1, 2, 3, 4])],
    ['62c3bc', 'ü'],
    ['64f0908591', '\u{10151}'],
    ['63efbbbf', '\uFEFF'],
    ['63efbfbd', '\uFFFD'],
    ['8301820203820405', [1, [2, 3], [4, 5]]],
    ['a26161016162820203', { a: 1, b: [2, 3] }],
    [
      'a201020304',
      new Map([
        [1, 2],
        [3, 4],
      ]),
    ],
    ['a16161f7', new Map([['a', undefined]])],
  ] as [string, unknown][])('%s', (text, value) => {
    expect(decoded(text)).toEqual({ value });
    expect(hex(value)).toBe(text);
  });

  it('writes integers of JSON as integers, beyond 64 bits as floats, big ones as bignums', () => {
    expect(hex(2 ** 60)).toBe('1b1000000000000000');
    expect(hex(-(2 ** 63))).toBe('3b7fffffffffffffff');
    expect(hex(2 ** 64)).toBe('fa5f800000');
    expect(hex(2n ** 64n)).toBe('c249010000000000000000');
    expect(hex(-(2n ** 64n) - 1n)).toBe('c349010000000000000000');
  });

  it('sorts keys by their bytes, and leaves out what is undefined', () => {
    expect(hex({ aa: 1, b: 2, c: undefined, a: 3 })).toBe('a361610361620262616101');
    expect(
      hex(
        new Map<unknown, unknown>([
          ['a', 1],
          [-1, 2],
          [10, 3],
        ]),
      ),
    ).toBe('a30a032002616101');
  });

  it('reads what is not in the shortest form, and lists without a length', () => {
    expect(decoded('190001')).toEqual({ value: 1 });
    expect(decoded('9f01ff')).toEqual({ value: [1] });
    expect(decoded('bf616101ff')).toEqual({ value: { a: 1 } });
  });

  it.each([
    ['nothing', '', 'it ends too early'],
    ['a list without its items', '8201', 'it ends too early'],
    ['a list that claims the world', '9bffffffffffffffff', ''],
    ['two items', '0000', 'there is more after its end'],
    ['a key twice', 'a2616101616102', 'a key is there twice'],
    ['a key twice, once in a longer form', 'a2010119000102', 'a key is there twice'],
    ['a list for a key', 'a18001', 'a key is neither text nor an integer'],
    ['a float for a key', 'a1f93c0001', 'a key is neither text nor an integer'],
    ['what is no UTF-8', '61ff', ''],
    ['a break alone', 'ff', 'a break stands alone'],
    ['a break in a list with a length', '82ff01', 'a break where none may be'],
    ['a break for a value', 'bf6161ff', 'a break where none may be'],
    ['a break in a tag', 'c0ff', 'a break where none may be'],
    ['depth', `${'81'.repeat(201)}00`, 'nested deeper than 200'],
    ['depth without an end', '81'.repeat(100_000), 'nested deeper than 200'],
    ['tags without an end', 'c0'.repeat(100_000), 'nested deeper than 200'],
    ['a tag beyond 2^53', 'dbffffffffffffffff00', ''],
    ['text in pieces', '7f6161ff', ''],
    ['an unknown simple value', 'f0', ''],
  ])('refuses %s', (_, text, problem) => {
    const result = decoded(text);
    expect(result).toHaveProperty('problem');
    expect('problem' in result && result.problem).toContain(problem);
  });

  it('refuses to write what it would not read', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 201; i++) deep = [deep];
    expect(() => encodeCbor(deep)).toThrow(Fault);
    expect(() => encodeCbor({ '\ud800': 1, '\ud801': 2 })).toThrow(Fault);
    expect(decodeCbor(encodeCbor('a\ud800'))).toEqual({ value: 'a\uFFFD' });
  });

  it('keeps keys that are names of prototypes', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    const read = decodeCbor(encodeCbor(value));
    expect(JSON.stringify('value' in read && read.value)).toBe('{"__proto__":{"a":1},"constructor":2}');
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  it('law: JSON to CBOR to JSON is the same, and the same value gives the same bytes', () => {
    fc.assert(
      fc.property(json, (value) => {
        const encoded = encodeCbor(value);
        const read = decodeCbor(encoded);
        if ('problem' in read) throw new Error(read.problem);
        expect(printCanonical(jsonOf(read.value))).toBe(printCanonical(value));
        expect(encodeCbor(read.value)).toEqual(encoded);
      }),
      { numRuns: 300 },
    );
  });

  it('law: any bytes are read or refused, and what is read is written and read again the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const read = decodeCbor(bytes);
        if ('problem' in read) return;
        const again = decodeCbor(encodeCbor(read.value));
        expect(again).toEqual(read);
      }),
      { numRuns: CASES },
    );
  });

  it('law: every number keeps its value and its kind', () => {
    const numbers = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger(), fc.float().map(Math.fround));
    fc.assert(
      fc.property(numbers, (number) => {
        const read = decodeCbor(encodeCbor(number));
        expect(read).toEqual({
          value: Number.isInteger(number) && Math.abs(number) >= 2 ** 64 ? new WholeFloat(number) : exact(number),
        });
      }),
    );
  });
});

/** As it is read again: an integer that is not safe as a bigint. */
function exact(number: number): unknown {
  if (Object.is(number, -0)) return 0;
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? BigInt(number) : number;
}

describe('jsonOf', () => {
  it.each([
    [Uint8Array.from([255, 254]), '"__4"'],
    [new Tagged(22, Uint8Array.from([255, 254])), '"//4="'],
    [new Tagged(23, Uint8Array.from([255, 254])), '"FFFE"'],
    [new Tagged(2, Uint8Array.from([1, 0])), '"AQA"'],
    [new Tagged(3, Uint8Array.from([1, 0])), '"~AQA"'],
    [new Tagged(0, '2013-03-21T20:04:00Z'), '"2013-03-21T20:04:00Z"'],
    [2n ** 64n - 1n, '18446744073709551615'],
    [2n ** 60n, '1152921504606847000'],
    [[Number.NaN, Number.POSITIVE_INFINITY, undefined], '[null,null,null]'],
    [new WholeFloat(1), '1'],
    [
      new Map<unknown, unknown>([
        [1, 'a'],
        ['1', 'b'],
        ['x', undefined],
      ]),
      '{"1":"b","1_":"a","x":null}',
    ],
  ])('number %# as advised', (value, text) => expect(printCanonical(jsonOf(value))).toBe(text));
});

describe('printCanonical', () => {
  it('sorts keys by UTF-16, as RFC 8785 has it', () => {
    expect(printCanonical({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, ö: 6 })).toBe(
      '{"\\r":2,"1":4,"ö":6,"€":1,"\u{1f600}":5,"\ufb33":3}',
    );
  });
});
