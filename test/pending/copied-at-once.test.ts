import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const TEXT = [1, 2, 3, 4, 5, 6].map((n) => `const value${n} = agentCall(${n * 7}, "which ${n}");\n`).join('');

// git's clock knows seconds: in the same one, an edit may seem to come after the commit
test.each([
  ['at once', 0],
  ['a second later', 1100],
])('a committed file that a person copies as it is keeps its owners; committed %s', async (_, pause) => {
  shop = await openWorkshop();
  shop.human('start.ts', 'start\n').commit('start');
  shop.ai('a.ts', TEXT);
  await sleep(pause);
  shop.human('a.ts', `${TEXT}const typed = "by a person, at the end";\n`);
  shop.commit('made');
  shop.human('copy.ts', shop.read('a.ts'));
  shop.commit('copied');
  expect(await shop.blame('copy.ts')).toBe('aaaaaah');
  await shop.work();
  expect(await shop.blame('copy.ts')).toBe('aaaaaah');
});

test('a small file that is like another is typed', async () => {
  shop = await openWorkshop();
  shop.human('start.ts', 'start\n').commit('start');
  shop.ai('a.ts', "export * from './b.ts';\n");
  await sleep(1100);
  shop.commit('made');
  shop.human('copy.ts', shop.read('a.ts'));
  shop.commit('copied');
  expect(await shop.blame('copy.ts')).not.toContain('a');
});
