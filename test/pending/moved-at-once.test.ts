import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

// Moved lines are whose they were in a commit, also before that has its note.
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

const of = (n: number) => `function f${n}() {\n  call${n}(arg${n});\n  return null;\n}\n\n`;

test('of a person: the same is told at once as later, and nothing as the agent’s', async () => {
  shop.human('a.ts', of(1) + of(2)).commit('start');
  shop.ai('a.ts', of(1) + of(2) + of(3));
  shop.human('a.ts', of(1) + of(4) + of(2));
  const atOnce = await shop.blame('a.ts');
  await shop.work();
  expect(await shop.blame('a.ts')).toBe(atOnce);
  expect(atOnce).not.toContain('a');
});

test('of an agent: the line that says much is told at once', async () => {
  const long = 'function computeTotalsOfOrders() {\n}\n\n';
  shop.ai('a.ts', of(1) + of(2) + long);
  shop.commit('start');
  shop.human('a.ts', long + of(1) + of(2));
  const atOnce = await shop.blame('a.ts');
  await shop.work();
  expect(await shop.blame('a.ts')).toBe(atOnce);
  expect(atOnce[0]).toBe('a');
});
