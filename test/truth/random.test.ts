import { describe, expect, test } from 'vitest';
import type { Kind } from '../../bench/truth/line.ts';
import { randomly } from '../../bench/truth/random.ts';
import { type Score, sum } from '../../bench/truth/score.ts';
import { play } from '../../bench/truth/stage.ts';

const KINDS: readonly Kind[] = ['unique', 'repeated'];
const walks = KINDS.flatMap((kind) => Array.from({ length: 10 }, (_, i) => [kind, i + 1] as const));

/** Minutes of work: on demand. */
describe.skipIf(!process.env.TRUTH)('sequences of operations (TRUTH=1 runs it)', () => {
  const scores: Score[] = [];

  test.each(walks)('%s lines, seed %i: nothing is wrong', async (kind, seed) => {
    const score = await play(randomly, kind, seed, true);
    scores.push(score);
    expect(score.wrong === 0 ? [] : score.notes).toEqual([]);
    expect(score.right).toBeGreaterThan(0);
  });

  test('less than one line in a hundred is lost', () => {
    const { right, lost, notes } = sum(scores);
    expect(lost / (right + lost), notes.join('\n')).toBeLessThan(0.01);
  });
});
