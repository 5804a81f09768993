import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agree, hunksBetween, parseHunks, printUnified, undo } from '../../src/capture/hunks.ts';

const shown = (line: string) => line;
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '}', '', 'é', '  x'), { maxLength: 30 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''));

test('law: hunks between two texts lead from one to the other, and back', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const hunks = hunksBetween(before, after);
      expect(agree(before, after, { hunks, shown })).toBe(true);
      expect(undo(after, { hunks, shown })).toBe(before);
    }),
  );
});

test('law: hunks agree with no other text', () => {
  fc.assert(
    fc.property(text, text, fc.nat(), (before, after, place) => {
      const lines = after.split('\n');
      const at = place % lines.length;
      const other = [...lines.slice(0, at), 'another', ...lines.slice(at)].join('\n');
      expect(agree(before, other, { hunks: hunksBetween(before, after), shown })).toBe(false);
    }),
  );
});

test('an empty side is counted as unified diffs count it', () => {
  const hunks = parseHunks([{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+made'] }]);
  expect(hunks).toEqual([{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+made'] }]);
  expect(hunksBetween('', 'made\n')).toEqual(hunks);
  expect(printUnified('a\nb', hunks ?? [], true)).toBe('--- /dev/null\n+++ b/a?b\n@@ -0,0 +1,1 @@\n+made\n');
});

test.each([
  null,
  [],
  [{}],
  [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 1, lines: ['+x'] }],
  [{ oldStart: -1, oldLines: 0, newStart: 1, newLines: 0, lines: [] }],
])('%j are no hunks', (value) => {
  expect(parseHunks(value)).toBeUndefined();
});

test('a final newline that was not there is not made up', () => {
  const hunks = [
    { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '\\ No newline at end of file', '+b'] },
  ];
  expect(undo('b\n', { hunks, shown })).toBe('a');
});
