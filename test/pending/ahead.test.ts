import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const silently = ['-c', 'core.hooksPath=/dev/null'];

test('a commit is found though the line that a hook wrote of it is torn', async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n').commit('start');
  await shop.work();
  shop.human('mine.txt', 'typed by a person\n');
  shop.git('add', '-A');
  shop.git(...silently, 'commit', '-qm', 'mine');
  const id = shop.git('rev-parse', 'HEAD').trim();
  fs.appendFileSync(path.join(shop.common, 'agent', 'journal'), `{"fact":"commit","at":1,"commit":"${id}","work\n`);
  await shop.work();
  expect(shop.git('notes', '--ref=agent/trace', 'show', id)).toContain(id);
});

test('commits that no hook told of are found below one that was told', async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n').commit('start');
  await shop.work();
  shop.human('a.txt', 'typed by a person\n');
  shop.git('add', '-A');
  shop.git(...silently, 'commit', '-qm', 'nobody told');
  const silent = shop.git('rev-parse', 'HEAD').trim();
  shop.human('b.txt', 'typed by a person too\n').commit('told');
  await shop.work();
  for (const id of [silent, shop.git('rev-parse', 'HEAD').trim()])
    expect(shop.git('notes', '--ref=agent/trace', 'show', id)).toContain(id);
});

test('a commit that was told of and taken back before the work gets its note', async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n').commit('start');
  await shop.work();
  shop.human('a.txt', 'typed by a person\n').commit('first');
  const first = shop.git('rev-parse', 'HEAD').trim();
  shop.git('reset', '-q', '--soft', 'HEAD^');
  shop.human('a.txt', 'typed by a person\nand more of it\n').commit('second');
  await shop.work();
  for (const id of [first, shop.git('rev-parse', 'HEAD').trim()])
    expect(shop.git('notes', '--ref=agent/trace', 'show', id)).toContain(id);
});
