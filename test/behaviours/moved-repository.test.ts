import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

/** The repository is elsewhere when the work looks: it was moved, copied, or is seen from outside of the container that the agent was in. */
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('first.ts', 'first\n').commit('first');
});
afterEach(() => shop.remove());

const moves: [string, (from: string, to: string) => void][] = [
  ['moved', (from, to) => fs.renameSync(from, to)],
  ['copied', (from, to) => fs.cpSync(from, to, { recursive: true })],
];

describe.each(moves)('%s before its commit', (_, move) => {
  test.each(['elsewhere', 'geändert "und" fort'])('the agent’s lines stay the agent’s (%s)', async (name) => {
    shop.human('mine.ts', 'typed before\n');
    shop.ai('deep/a.ts', 'agent alpha\nagent beta\n');
    shop.shell("echo 'agent gamma' > b.ts");
    const to = path.join(shop.home, name);
    move(shop.dir, to);
    const there = shop.in(to);
    there.human('mine.ts', 'typed before\ntyped after\n').commit('there');
    expect(await told(there, 'deep/a.ts', 'b.ts', 'mine.ts')).toEqual(['aa', 'a', 'hh']);
  });
});

test('from a place whose name cannot be told', async () => {
  const odd = path.join(shop.home, 'a "quoted" place');
  fs.renameSync(shop.dir, odd);
  const there = shop.in(odd);
  there.ai('a.ts', 'agent alpha\n');
  const to = path.join(shop.home, 'plain');
  fs.renameSync(odd, to);
  const now = shop.in(to);
  now.human('mine.ts', 'typed after\n').commit('there');
  // nobody knows any more which file it was
  expect(await told(now, 'a.ts')).toEqual(['u']);
});

test('a linked work tree that git has moved', async () => {
  const [at, to] = [path.join(shop.home, 'wt'), path.join(shop.home, 'moved')];
  shop.git('worktree', 'add', '-q', '-b', 'wt', at);
  shop.in(at).ai('a.ts', 'agent alpha\n');
  shop.git('worktree', 'move', at, to);
  const there = shop.in(to);
  there.human('mine.ts', 'typed after\n').commit('there');
  expect(await told(there, 'a.ts', 'mine.ts')).toEqual(['a', 'h']);
});
