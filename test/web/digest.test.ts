import * as crypto from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHash, hash } from '../../src/web/digest.ts';

describe('what stands in for node:crypto', () => {
  it('gives the same bytes and the same words', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array({ maxLength: 300 })), (data) => {
        const hex = crypto.createHash('sha256').update(data).digest('hex');
        expect(hash('sha256', data)).toBe(hex);
        expect(hash('sha256', data, 'buffer').toString('hex')).toBe(hex);
        expect(createHash('sha256').update(data).digest().toString('hex')).toBe(hex);
        expect(hash('sha256', data, 'base64')).toBe(crypto.hash('sha256', data, 'base64'));
      }),
    );
  });
});
