import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
  shop.prompt('what was asked for');
  shop.ai('a.ts', 'x\n');
  shop.commit();
  await shop.work();
});
afterAll(() => shop.remove());

const exported = async () => JSON.parse((await shop.agent('export', 's1')).stdout);

test('our own stream of a session that is here counts nothing twice', async () => {
  const own = await exported();
  const file = path.join(shop.home, 'own.jsonl');
  await shop.agent('export', 's1', '--format', 'agent_activity', '-o', file);
  expect((await shop.agent('import', file)).stderr).toContain('agent_activity.v1: 1 known already');
  expect(await exported()).toEqual(own);
});

test('a document of somebody else changes nothing that is recorded, and can only add', async () => {
  const own = await exported();
  const [first, ...rest] = own.events;
  expect(first).toMatchObject({ type: 'message', content: 'what was asked for' });
  const more = { ...first, id: 'added', content: 'one more' };
  const forged = { ...own, events: [{ ...first, content: 'something else, and much longer' }, ...rest, more] };
  const file = path.join(shop.home, 'forged.json');
  fs.writeFileSync(file, JSON.stringify(forged));
  const { stderr } = await shop.agent('import', file);
  expect(stderr).toContain('1 session\n  1 event says something else than what is recorded here under the same id');
  const { events } = await exported();
  expect(events).toEqual(expect.arrayContaining([...own.events, more]));
  expect(events).toHaveLength(own.events.length + 1);
  expect((await shop.agent('import', file)).stderr).toContain('1 known already');
});
