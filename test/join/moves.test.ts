import { expect, test } from 'vitest';
import { findMoves } from '../../src/join/moves.ts';

const block = (start: number, ...lines: string[]) => ({ start, lines });

/** The lines of the second file that came from the first. */
function moved(removed: readonly ReturnType<typeof block>[], ...added: string[]): number[] {
  const from = { path: 'from.ts', added: [], removed };
  const to = { path: 'to.ts', added: [block(1, ...added)], removed: [] };
  return [...(findMoves([from, to]).get('to.ts')?.keys() ?? [])];
}

test('two lines in a row that went from one file to another were moved; one alone may be typed anew', () => {
  expect(
    moved([block(1, 'the first of the lines', 'the second of the lines')], 'the first of the lines', 'typed'),
  ).toEqual([]);
  const both = ['the first of the lines', 'the second of the lines'];
  expect(moved([block(1, ...both)], ...both, 'typed')).toEqual([1, 2]);
});

test('one that says much goes along with what left the same file and stands beside it now, though a line between them was left out', () => {
  const [one, two, three] = ['the first of the lines', 'the second of the lines', 'the third of the lines'];
  expect(moved([block(1, one, two, '}', three)], one, two, three)).toEqual([1, 2, 3]);
  expect(moved([block(1, one, two), block(9, 'break;')], one, two, 'break;')).toEqual([1, 2]);
});
