import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1100));

/** A colleague's branch, made in another clone, whose notes are not here. */
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', 'base line of mine\n').commit('base');
  const folder = path.join(shop.home, 'colleague');
  shop.git('clone', '-q', shop.dir, folder);
  const colleague = shop.in(folder);
  colleague.git('config', 'core.hooksPath', '/nowhere');
  colleague.human('n.ts', 'whoever wrote this\nand this one too\n').commit('hers');
  await nextSecond();
  shop.git('fetch', '-q', folder, 'HEAD:hers');
  shop.git('checkout', '-q', 'hers');
});

async function told(file: string): Promise<string> {
  const before = await shop.blame(file);
  await shop.work();
  expect(await shop.blame(file)).toBe(before);
  return before;
}

test.each([
  ['reworded', [['commit', '-q', '--amend', '-m', 'other words']]],
  [
    'taken back, and committed again',
    [
      ['reset', '-q', '--soft', 'main'],
      ['commit', '-q', '-m', 'mine now'],
    ],
  ],
  [
    'stashed, and brought to another branch',
    [
      ['reset', '-q', '--mixed', 'main'],
      ['stash', '-q', '-u'],
      ['checkout', '-q', 'main'],
      ['stash', 'pop', '-q'],
      ['add', '-A'],
      ['commit', '-q', '-m', 'mine now'],
    ],
  ],
  [
    'squashed, and reworded',
    [
      ['checkout', '-q', 'main'],
      ['merge', '-q', '--squash', 'hers'],
      ['commit', '-q', '-m', 'squashed'],
      ['commit', '-q', '--amend', '-m', 'other words'],
    ],
  ],
])('a colleague’s commit, %s here, was typed by nobody here', async (_, commands) => {
  for (const command of commands) shop.git(...command);
  expect(await told('n.ts')).toBe('uu');
});

test('nor while it is taken back and not committed', async () => {
  shop.git('reset', '-q', '--soft', 'main');
  expect(await told('n.ts')).toBe('uu');
});

test('a squash of a branch that nobody checked out, and reworded', async () => {
  shop.git('checkout', '-q', 'main');
  fs.rmSync(path.join(shop.common, 'logs', 'HEAD'));
  shop.git('merge', '-q', '--squash', 'hers');
  shop.git('commit', '-q', '-m', 'squashed');
  shop.git('commit', '-q', '--amend', '-m', 'other words');
  expect(await told('n.ts')).toBe('uu');
});

test('and what a person adds to it is that person’s', async () => {
  shop.human('n.ts', 'whoever wrote this\ntyped by me in between\nand this one too\n').commit('hers', '--amend');
  expect(await told('n.ts')).toBe('uhu');
});
