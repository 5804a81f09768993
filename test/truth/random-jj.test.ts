import { describe, expect, test } from 'vitest';
import { JJ_WALKS } from '../../bench/truth/operations/jj.ts';
import { play } from '../../bench/truth/stage.ts';
import { JJ } from '../jj/jj-workshop.ts';

/** A few; `node bench/truth/run.mjs --op 'random, jj apart'` takes as many as one likes. */
const WALKS = [
  ['random, jj colocated', 'unique', 1],
  ['random, jj colocated', 'repeated', 2],
  ['random, jj apart', 'unique', 3],
  ['random, jj apart', 'repeated', 4],
] as const;

describe.skipIf(JJ === undefined)('walks through jj (needs jj)', () => {
  test.each(WALKS)('%s, %s lines, seed %i: nothing is wrong, nothing lost', async (name, kind, seed) => {
    const walk = JJ_WALKS[name];
    if (!walk) throw new Error(`there is no ${name}`);
    const { right, notes } = await play(walk, kind, seed, true);
    expect(notes).toEqual([]);
    expect(right).toBeGreaterThan(0);
  });
});
