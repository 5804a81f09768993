import { describe, expect, test } from 'vitest';
import type { Kind } from '../../bench/truth/line.ts';
import { shortly } from '../../bench/truth/random.ts';
import { type Score, sum } from '../../bench/truth/score.ts';
import { play } from '../../bench/truth/stage.ts';

const SEEDS = Array.from({ length: 50 }, (_, i) => i + 1);

/** Fifty walks through git: short ones, since a test machine has two cores; `node bench/truth/run.mjs` takes longer ones, and as many as one likes. */
export function wanders(kind: Kind): void {
  describe(`sequences of operations, ${kind} lines`, () => {
    const scores: Score[] = [];

    test.each(SEEDS)('seed %i: nothing is wrong', async (seed) => {
      const score = await play(shortly, kind, seed, true);
      scores.push(score);
      expect(score.wrong === 0 ? [] : score.notes).toEqual([]);
      expect(score.right).toBeGreaterThan(0);
    });

    test('less than one line in a hundred is lost', () => {
      const { right, lost, notes } = sum(scores);
      expect(lost / (right + lost), notes.join('\n')).toBeLessThan(0.01);
    });
  });
}
