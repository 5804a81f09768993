import fs from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LISTENERS } from '../../src/capture/index.ts';
import { lookAhead } from '../../src/pending/settle.ts';
import { surroundingsAt } from '../../src/pending/world.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** What happens while the work is looking. */
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('f.ts', 'person one\n').commit('start');
  await shop.work();
});
afterEach(() => shop.remove());

test('a commit that is made after the journal was read is not due yet, though another one is', async () => {
  const settings = { shellSeconds: 10, transcripts: true, conversationUrl: '', filters: [] };
  const door = { home: shop.home, env: {}, agents: LISTENERS, settings, version: '1', now: Date.now };
  shop.human('g.ts', 'person two\n');
  const first = shop.commit('before');
  let second = '';
  const world = {
    ...(await surroundingsAt(shop.dir, door)),
    // asked for once the journal has been read
    get agents() {
      if (second === '') {
        shop.ai('f.ts', 'person one\nagent two\n');
        second = shop.commit('meanwhile');
      }
      return LISTENERS;
    },
  };
  const { due } = await lookAhead(world);
  expect(second).toMatch(/^[0-9a-f]{40}$/);
  expect(due.map(({ id }) => id)).toEqual([first]);
});

test('a transcript that is written twice within one tick of the disk’s clock, and keeps its size, is read again', async () => {
  const file = shop.transcript('s1');
  const tick = new Date(Date.now() + 60_000);
  const tell = (id: string, name: string) => {
    const [full, content] = [`${shop.dir}/${name}`, `agent writes ${name}\n`];
    fs.rmSync(file, { force: true });
    shop.tell('s1', id, 'Write', { file_path: full, content });
    shop.tellResult('s1', id, { type: 'create', filePath: full, content, structuredPatch: [] });
    fs.utimesSync(file, tick, tick);
  };
  shop.human('g.ts', 'agent writes g.ts\n');
  tell('t1', 'a.ts');
  await shop.work();
  tell('t2', 'g.ts');
  shop.commit('theirs');
  expect(await shop.blame('g.ts')).toBe('a');
});
