import { expect, test } from 'vitest';
import type { Line } from '../../bench/truth/line.ts';
import { clearCut, loosens } from '../../bench/truth/random.ts';

const line = (text: string, by = 'me'): Line => ({ text, by });
const [above, brace, below, end] = [line('above'), line('}'), line('below'), line('end')] as const;
const base = [above, brace, below, end];
const fresh = [line('x', 's1'), line('}', 's1'), line('y', 's1')];
const lines = [...fresh, brace, below, end];

test('what holds an old brace apart from a new one is not taken out: git could keep either', () => {
  expect(clearCut(lines, lines.indexOf(below), { count: 1, base })).toBe(0);
});

test('nor is anything put between the two', () => {
  expect(loosens(lines, lines.indexOf(below), { count: 0, base })).toBe(true);
  expect(loosens(lines, lines.indexOf(end), { count: 0, base })).toBe(false);
});

test('it is taken out where the brace is held from the other side, or none like it is new', () => {
  const held = [above, brace, below, ...fresh, end];
  expect(clearCut(held, held.indexOf(below), { count: 1, base })).toBe(1);
  const alone = [line('x', 's1'), brace, below, end];
  expect(clearCut(alone, alone.indexOf(below), { count: 1, base })).toBe(1);
});
