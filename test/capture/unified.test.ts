import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hunksBetween, printUnified } from '../../src/capture/hunks.ts';
import { parseUnified } from '../../src/capture/unified.ts';

const line = fc.constantFrom('a', '--- a', '+++ b', '@@ -1 +1 @@', '', '\\ x', 'é');
const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.map((one) => `${one}\n`).join(''));

test('law: what was printed is read again', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const hunks = hunksBetween(before, after);
      expect(parseUnified(printUnified('a', hunks, false)) ?? []).toEqual(hunks);
    }),
  );
});

test('texts around it, lengths of one, a missing final newline', () => {
  const diff =
    'Edited a\nIndex: a\n===\n--- a\n+++ a\n@@ -2 +2 @@ where\n-x\n\\ No newline at end of file\n+y\n\nDone.';
  expect(parseUnified(diff)).toEqual([
    { oldStart: 2, oldLines: 1, newStart: 2, newLines: 1, lines: ['-x', '\\ No newline at end of file', '+y'] },
  ]);
});

test.each(['', 'no diff', '@@ -1,2 +1 @@\n x', '@@ -1 +1 @@\n-x\n-y\n+z', '@@ -1 +1 @@\nx'])(
  '%j has no hunks',
  (diff) => {
    expect(parseUnified(diff)).toBeUndefined();
  },
);
