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

test('one that says much goes along with what stood beside it then, though somebody has put a line between them', () => {
  const [one, two, three] = ['the first of the lines', 'the second of the lines', 'the third of the lines'];
  expect(moved([block(1, one, two, three)], one, two, 'typed', three)).toEqual([1, 2, 4]);
  expect(moved([block(1, one, two), block(9, three)], one, two, 'typed', three)).toEqual([1, 2]);
});

test('what was moved, and then copied with the file, has come from there in both; a line or two may be typed anew', () => {
  const lines = ['the first of the lines', 'the second of the lines', 'the third of the lines'];
  const to = (path: string, ...added: string[]) => ({ path, added: [block(1, ...added)], removed: [] });
  const from = { path: 'from.ts', added: [], removed: [block(1, ...lines)] };
  const moves = findMoves([from, to('one.ts', ...lines), to('two.ts', ...lines)]);
  expect([...(moves.get('two.ts') ?? [])].map(([line, { again }]) => [line, again])).toEqual(
    [1, 2, 3].map((n) => [n, true]),
  );
  const short = ['break;', 'return null;'];
  const few = { path: 'from.ts', added: [], removed: [block(1, ...short)] };
  expect([...findMoves([few, to('one.ts', ...short), to('two.ts', ...short)]).keys()]).toEqual(['one.ts']);
});

test('what was removed in two places may be from either', () => {
  const lines = ['the first of the lines', 'the second of the lines', 'the third of the lines'];
  const from = (path: string, ...gone: string[]) => ({ path, added: [], removed: [block(5, ...gone)] });
  const to = { path: 'to.ts', added: [block(1, 'typed', ...lines)], removed: [] };
  const places = findMoves([from('a.ts', ...lines), from('b.ts', ...lines), to]).get('to.ts');
  expect(places?.get(2)).toMatchObject({ movedFrom: { path: 'a.ts', line: 5 }, also: [{ path: 'b.ts', line: 5 }] });
  const short = lines.slice(0, 1);
  expect(findMoves([from('a.ts', ...short), from('b.ts', ...short), to]).size).toBe(0);
});
