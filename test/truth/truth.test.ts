import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../bench/truth/operations/index.ts';
import { play } from '../../bench/truth/stage.ts';

/** A hundred commits take their time. */
const PATIENCE = 300_000;

/** Minutes of work: on demand. */
describe.skipIf(!process.env.TRUTH)(
  'on histories with unique lines nothing is wrong and nothing is lost (TRUTH=1 runs it)',
  () => {
    test.each(Object.keys(OPERATIONS))(
      '%s',
      async (name) => {
        const { right, notes } = await play(OPERATIONS[name] ?? (() => {}), 'unique', 1, true);
        expect(notes).toEqual([]);
        expect(right).toBeGreaterThan(0);
      },
      PATIENCE,
    );
  },
);
