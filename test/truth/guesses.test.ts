import { expect, test } from 'vitest';
import { Guesses, handsOf, type Line } from '../../bench/truth/line.ts';

const [a, brace, b, c, other]: Line[] = [
  { text: 'a', by: 's1' },
  { text: '}', by: 's1' },
  { text: 'b', by: 's2' },
  { text: 'c', by: 'me' },
  { text: '}', by: 's2' },
];
const before = [a, brace] as Line[];
const put = [a, brace, b, other] as Line[];
const parted = [a, brace, b, c, other] as Line[];

function handsAfter(...texts: Line[][]): string[][] {
  const guesses = new Guesses();
  for (const lines of texts) guesses.see(lines);
  return parted.map((line, i) => [...new Set([...handsOf(parted, i), ...guesses.handsOf(line)])].sort());
}

test('which of two equal lines was put in is remembered to be a guess when a line of another hand has come between', () => {
  expect(handsAfter(before, put, parted)).toEqual([['s1'], ['s1', 's2'], ['s2'], ['me'], ['s1', 's2']]);
});

test('it is none where the other line was there before', () => {
  const apart = [a, brace, b, c] as Line[];
  expect(handsAfter(apart, parted)).toEqual([['s1'], ['s1'], ['s2'], ['me'], ['s2']]);
});
