import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentHash, lineHashes, printHash } from '../../src/lines/hash.ts';
import { hashLines } from '../../src/lines/hashed.ts';
import { startMachine } from '../../src/lines/machine.ts';
import { splitPatch } from '../../src/lines/text.ts';
import { int } from '../../src/lines/wasm.ts';

const machine = startMachine();

/** By node's own hash and the package, which have nothing in common with the machine. */
function expected(lines: readonly string[]) {
  const each = lines.map((line) => createHash('sha256').update(line, 'latin1').digest('base64url').slice(0, 8));
  return { content: contentHash(lines), each: each.join('') };
}

function found(lines: readonly string[]) {
  const hashed = machine?.hash(lines);
  return hashed && { content: printHash(hashed.murmur), each: hashed.each };
}

const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some.filter((byte) => byte !== 10)));
const line = bytes.map((some) => some.toString('latin1'));

describe('the machine', () => {
  it('hashes lines of every length about the ends of blocks', () => {
    for (let length = 0; length <= 260; length++) {
      const lines = ['\xe9'.repeat(length), 'x'.repeat(260 - length)];
      expect(found(lines)).toEqual(expected(lines));
    }
  });

  it('hashes any lines as node and the package do', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        expect(found(lines)).toEqual(expected(lines));
      }),
      { numRuns: 1000 },
    );
  });

  it('hashes lines of a patch without the marks before them', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        const split = splitPatch(lines.join('\n+'));
        expect(split).toEqual(lines);
        expect(found(split)).toEqual(expected(lines));
      }),
    );
  });

  it('takes more memory for a long text, and hashes a short one after it', () => {
    const long = Array.from({ length: 40_000 }, (_, i) => `const value${i} = ${'x'.repeat(i % 90)};`);
    for (const lines of [long, ['short'], ['x'.repeat(1_000_000)], ['']]) expect(found(lines)).toEqual(expected(lines));
  });

  it('leaves alone what is too much for it, and what is no line', () => {
    expect(found(['x'.repeat(9 << 20)])).toBeUndefined();
    expect(found([])).toBeUndefined();
    expect(found(['two\nlines'])).toBeUndefined();
    expect(found(['one'])).toEqual(expected(['one']));
  });
});

describe('hashLines', () => {
  it('gives the same with the machine and without', () => {
    const some = (n: number) => Array.from({ length: 300 }, (_, i) => `line ${n} ${i}`);
    // it is started on the way
    for (let n = 0; n < 10; n++) {
      const lines = some(n);
      expect(hashLines(lines)).toEqual({ content: contentHash(lines), each: lineHashes(lines) });
    }
    for (const lines of [[], ['two\nlines'], ['\xc3\xa9']])
      expect(hashLines(lines)).toEqual({ content: contentHash(lines), each: lineHashes(lines) });
  });
});

describe('int', () => {
  it('is a signed number, seven bits a byte', () => {
    const bytesOf = (n: number) => int(n).flat(2);
    expect(bytesOf(63)).toEqual([0x41, 0x3f]);
    expect(bytesOf(64)).toEqual([0x41, 0xc0, 0]);
    expect(bytesOf(-64)).toEqual([0x41, 0x40]);
    expect(bytesOf(0xffffffff)).toEqual([0x41, 0x7f]);
    expect(bytesOf(-65)).toEqual([0x41, 0xbf, 0x7f]);
  });
});
