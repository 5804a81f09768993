import { expect, test } from 'vitest';
import { moving } from '../../bench/truth/moving.ts';
import { play } from '../../bench/truth/stage.ts';

/** A few; `node bench/truth/run.mjs --op 'random, moves and copies'` takes as many as one likes. */
test.each([12, 44])('moves and copies by all means, seed %i: nothing is told wrong', async (seed) => {
  const { right, wrong, notes } = await play(moving, 'unique', seed, true);
  expect(wrong === 0 ? [] : notes).toEqual([]);
  expect(right).toBeGreaterThan(0);
});
