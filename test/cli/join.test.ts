import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

test('join says why nothing was written: the notes say it all already', async () => {
  shop = await openWorkshop();
  for (const n of [1, 2]) {
    shop.ai(`${n}.ts`, `agent line ${n}\n`);
    shop.commit(`step ${n}`);
  }
  await shop.work();
  const said = async (...args: string[]) => (await shop.agent('join', ...args)).stderr;
  expect(await said()).toBe('0 commits joined\n');
  expect(await said('HEAD')).toBe('0 commits joined; the note of 1 says it all already\n');
  expect(await said('HEAD~1..HEAD')).toBe('0 commits joined; the note of 1 says it all already\n');
  shop.git('update-ref', '-d', 'refs/notes/agent/trace');
  expect(await said('HEAD')).toBe('1 commit joined\n');
});
