import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyReplacements, undoReplacements } from '../../src/join/apply.ts';

const pair = (old: string, fresh: string, all = false) => ({ old, new: fresh, all });

test.each([
  ['one', ['a', 'B', 'c'], [pair('b', 'B')], ['a', 'b', 'c']],
  ['several, in order', ['a', 'C', 'c'], [pair('b', 'B'), pair('B', 'C')], ['a', 'b', 'c']],
  ['lines', ['a', 'x', 'y', 'c'], [pair('b\n', 'x\ny\n')], ['a', 'b', 'c']],
  ['a new text that stands there twice', ['B', 'B'], [pair('b', 'B')], undefined],
  ['a new text that is not there', ['a'], [pair('b', 'B')], undefined],
  ['nothing, which may have been anywhere', ['a'], [pair('b', '')], undefined],
  ['all of them, which may have been fewer', ['B'], [pair('b', 'B', true)], undefined],
  ['an old text that would have stood there twice', ['b', 'B'], [pair('b', 'B')], undefined],
])('undoing %s', (_, after, pairs, before) => {
  expect(undoReplacements(after, pairs)).toEqual(before);
});

test('law: what is undone leads to the text again', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 6 });
  const pairs = fc.array(fc.tuple(fc.constantFrom('a', 'b\n', 'c', 'a\nb'), fc.constantFrom('c', 'd\n', 'x', '')), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(letters, pairs, (after, some) => {
      const all = some.map(([old, fresh]) => pair(old, fresh));
      const before = undoReplacements(after, all);
      if (before) expect(applyReplacements(before, all)).toEqual(after);
    }),
  );
});
