import { describe, expect, test } from 'vitest';
import { withoutSkipped } from '../../src/pending/skipped.ts';
import { openWorkshop } from '../support/workshop.ts';

const [OLD, OTHER, NEW, BASE] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];
const entry = (id: string, action: string, time: number) => ({ old: BASE, new: id, action, time, message: '' });
const pair = (old: string, at = 9_000) => ({ old, new: NEW, at });

describe('withoutSkipped', () => {
  test.each([
    ['made before the rebase', [entry(NEW, 'commit', 1), entry(BASE, 'rebase (start)', 5)], [OLD], []],
    ['where the rebase starts', [entry(NEW, 'rebase (start)', 5)], [OLD], []],
    ['made while it stopped', [entry(BASE, 'rebase (start)', 5), entry(NEW, 'commit', 6)], [OLD], [OLD]],
    ['made before a later rebase', [entry(NEW, 'commit', 1), entry(BASE, 'rebase (start)', 10)], [OLD], [OLD]],
    ['amended', [entry(NEW, 'commit (amend)', 1), entry(BASE, 'rebase (start)', 5)], [OLD], [OLD]],
    ['picked, and another was skipped', [entry(NEW, 'rebase (pick)', 6)], [OLD, OTHER], [OLD]],
    ['squashed', [entry(NEW, 'rebase (squash)', 6)], [OLD, OTHER], [OLD, OTHER]],
    ['of another clone', [], [OLD, OTHER], [OLD, OTHER]],
  ])('what became a commit that was %s', (_, log, olds, left) => {
    const rewrites = olds.map((old) => pair(old));
    expect(withoutSkipped(rewrites, [[], log]).map(({ old }) => old)).toEqual(left);
  });
});

test('a commit that a rebase skips gives none of its lines to the one it stood at', async () => {
  const shop = await openWorkshop();
  try {
    const text = (...middle: string[]) => ['one of mine', 'two of mine', ...middle, 'three of mine', ''].join('\n');
    shop.human('a.ts', text('between')).commit('start');
    shop.git('checkout', '-q', '-b', 'topic');
    shop.ai('a.ts', text('written by the agent', '  }', ''));
    shop.commit('agent');
    shop.git('checkout', '-q', 'main');
    shop.human('a.ts', text('typed by the person', '  }')).commit('person');
    shop.git('checkout', '-q', 'topic');
    expect(() => shop.git('rebase', 'main')).toThrow();
    shop.git('rebase', '--skip');
    expect(await shop.blame('a.ts')).toBe('hhhhh');
    await shop.work();
    expect(await shop.blame('a.ts')).toBe('hhhhh');
  } finally {
    shop.remove();
  }
});
