import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDistinct, isInformative } from '../../src/lines/text.ts';

/** Bytes as characters, with many that do not count. */
const line = fc.array(fc.constantFrom(...'aZ09_ \t;{}()-\x80\xff')).map((all) => all.join(''));

test('law: a line says something with three letters, and proves its place with twelve', () => {
  fc.assert(
    fc.property(line, (text) => {
      expect(isInformative(text)).toBe(text.replace(/[^0-9A-Za-z\x80-\xff]/g, '').length >= 3);
      expect(isDistinct(text)).toBe(text.replace(/[^\w\x80-\xff]/g, '').length >= 12);
    }),
  );
});
