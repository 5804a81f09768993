import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentHash, lineHash, lineHashes } from '../../src/lines/hash.ts';
import { splitBytes } from '../../src/lines/text.ts';

interface Vector {
  readonly name: string;
  readonly text?: string;
  readonly base64?: string;
  readonly lines: number;
  readonly hash: string;
}

const { vectors } = JSON.parse(readFileSync(new URL('../../fixtures/content-hash.json', import.meta.url), 'utf8')) as {
  readonly vectors: readonly Vector[];
};

/** MurmurHash3_x86_32 after Austin Appleby's text, in BigInt: slow, and nothing in common with the package. */
function murmur(bytes: Uint8Array): string {
  const mask = 0xffffffffn;
  const rotate = (x: bigint, by: bigint) => ((x << by) | (x >> (32n - by))) & mask;
  const mix = (k: bigint) => (rotate((k * 0xcc9e2d51n) & mask, 15n) * 0x1b873593n) & mask;
  const little = (piece: Uint8Array) => piece.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let h = 0n;
  const whole = bytes.length - (bytes.length % 4);
  for (let i = 0; i < whole; i += 4) {
    h = (rotate(h ^ mix(little(bytes.subarray(i, i + 4))), 13n) * 5n + 0xe6546b64n) & mask;
  }
  if (whole < bytes.length) h ^= mix(little(bytes.subarray(whole)));
  h ^= BigInt(bytes.length);
  h = ((h ^ (h >> 16n)) * 0x85ebca6bn) & mask;
  h = ((h ^ (h >> 13n)) * 0xc2b2ae35n) & mask;
  return (h ^ (h >> 16n)).toString(16).padStart(8, '0');
}

describe('contentHash', () => {
  it.each(vectors)('gives the published hash: $name', ({ text, base64, lines, hash }) => {
    const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text, 'utf8');
    const split = splitBytes(bytes);
    expect(split).toHaveLength(lines);
    expect(contentHash(split)).toBe(hash);
    expect(`murmur3:${murmur(Buffer.from(split.join('\n'), 'latin1'))}`).toBe(hash);
  });

  it('gives the hashes that other implementations publish', () => {
    expect(contentHash([])).toBe('murmur3:00000000');
    expect(contentHash(['hello'])).toBe('murmur3:248bfa47');
    expect(contentHash(['The quick brown fox jumps over the lazy dog'])).toBe('murmur3:2e4ff723');
  });

  it('is MurmurHash3 for all bytes and all lengths', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 67 }), (bytes) => {
        expect(contentHash([Buffer.from(bytes).toString('latin1')])).toBe(`murmur3:${murmur(bytes)}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('does not see line endings', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ -~]*$/), { minLength: 1 }), (lines) => {
        const [lf, crlf] = ['\n', '\r\n'].map((end) => contentHash(splitBytes(Buffer.from(lines.join(end) + end))));
        expect(crlf).toBe(lf);
      }),
    );
  });
});

describe('lineHash', () => {
  it('is the start of the SHA-256 of the bytes, in 8 characters', () => {
    const whole = createHash('sha256').update('hello').digest('base64url');
    expect(lineHash('hello')).toBe(whole.slice(0, 8));
    expect(lineHash('')).toMatch(/^[\w-]{8}$/);
    // one character per byte: é as latin1 is not é as UTF-8
    expect(lineHash('\xe9')).not.toBe(lineHash('\xc3\xa9'));
  });

  it('of many lines is that of each, one behind the other', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1'))), (lines) => {
        const each = lines.map((line) => createHash('sha256').update(line, 'latin1').digest('base64url').slice(0, 8));
        expect(lineHashes(lines)).toBe(each.join(''));
      }),
    );
  });
});
