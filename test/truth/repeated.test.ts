import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../bench/truth/operations/index.ts';
import { play } from '../../bench/truth/stage.ts';

// a hundred commits are enough once
const names = Object.keys(OPERATIONS).filter((name) => !name.includes('100'));

/** Minutes of work: on demand. */
describe.skipIf(!process.env.TRUTH)('on histories with repeated lines nothing is wrong (TRUTH=1 runs it)', () => {
  test.each(names)('%s', async (name) => {
    const { right, wrong, notes } = await play(OPERATIONS[name] ?? (() => {}), 'repeated', 3, true);
    expect(wrong === 0 ? [] : notes).toEqual([]);
    expect(right).toBeGreaterThan(0);
  });
});
