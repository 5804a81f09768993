import { describe, expect, test } from 'vitest';
import { randomly } from '../../bench/truth/random.ts';
import { play } from '../../bench/truth/stage.ts';

const seeds = Array.from({ length: 10 }, (_, i) => i + 1);

describe('sequences of operations', () => {
  test.each(seeds)('unique lines, seed %i', async (seed) => {
    const { right, notes } = await play(randomly, 'unique', seed, true);
    expect(notes).toEqual([]);
    expect(right).toBeGreaterThan(0);
  });

  test.each(seeds)('repeated lines, seed %i', async (seed) => {
    const { right, wrong, notes } = await play(randomly, 'repeated', seed, true);
    expect(wrong === 0 ? [] : notes).toEqual([]);
    expect(right).toBeGreaterThan(0);
  });
});
