import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

test('several are set up at once by one user: each stands on the list that hooks look at', async () => {
  shop = await openWorkshop();
  const others = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => {
    const dir = path.join(shop.home, name);
    fs.mkdirSync(dir);
    shop.git('-C', dir, 'init', '-q');
    return shop.in(dir);
  });
  await Promise.all(others.map((other) => other.init()));
  const list = fs.readFileSync(path.join(shop.home, '.local/share/git-agent-blame/repositories'), 'utf8');
  expect(list.split('\n').sort()).toEqual(['', shop.common, ...others.map(({ common }) => common)].sort());
});
