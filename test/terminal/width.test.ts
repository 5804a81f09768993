import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, widthOf, wrap } from '../../src/terminal/width.ts';

const FAMILY = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
const units = ['a', '山', 'é', 'e\u0301', FAMILY, '\u{1f1e9}\u{1f1ea}', '\r\n', '한', '\u0301'];

test('the place of a character changes nothing of its width', () => {
  const texts = fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 380, max: 420 }), (text, length) => {
      expect(widthOf(`${'x'.repeat(length)}a${text}`)).toBe(length + widthOf(`a${text}`));
    }),
  );
});

test('a character longer than anybody’s', () => {
  expect(widthOf(`山${'\u0301'.repeat(5000)}`)).toBe(2);
});

test('a word of half a million letters is measured, wrapped and cut in no time', () => {
  const word = `山${'x'.repeat(500_000)}`;
  const start = performance.now();
  expect(widthOf(word)).toBe(500_002);
  expect(wrap(`${word} and more`, 80)).toHaveLength(2);
  expect(cut(word, 5)).toBe('山xx…');
  // with the whole of it in one segmenter it takes minutes
  expect(performance.now() - start).toBeLessThan(10_000);
});
