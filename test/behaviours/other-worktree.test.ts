import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

/** The agent sits in one work tree, and its shell writes into another one of the same repository. */
let shop: Workshop;
let tree: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('first.ts', 'first\n').commit('first');
  const at = path.join(shop.home, 'wt');
  shop.git('worktree', 'add', '-q', '-b', 'wt', at);
  tree = shop.in(at);
});
afterEach(() => shop.remove());

describe('a command names a linked work tree', () => {
  test.each([
    ['in full', () => `echo 'agent alpha' > ${tree.dir}/b.ts`],
    ['as the folder to go to', () => `cd ${tree.dir} && echo 'agent alpha' > b.ts`],
    ['by a way up', () => `cd ${path.relative(shop.dir, tree.dir)} && echo 'agent alpha' > b.ts`],
    ['with git -C', () => `echo 'agent alpha' > ${tree.dir}/b.ts; git -C ${tree.dir} add b.ts`],
  ])('%s: its lines are the agent’s there, and the person’s stay the person’s', async (_, command) => {
    tree.human('before.ts', 'typed before\n');
    shop.shell(command());
    tree.human('after.ts', 'typed after\n').commit('there');
    expect(await told(tree, 'b.ts', 'before.ts', 'after.ts')).toEqual(['a', 'h', 'h']);
    expect((await tree.json('b.ts')).lines[0]).toMatchObject({ session: 's1', evidence: 'observed' });
  });

  test('and commits there itself', async () => {
    tree.human('before.ts', 'typed before\n');
    shop.shell(`cd ${tree.dir} && echo 'agent alpha' > b.ts && git add -A && git commit -qm x`);
    tree.human('after.ts', 'typed after\n').commit('there');
    expect(await told(tree, 'b.ts', 'before.ts', 'after.ts')).toEqual(['a', 'h', 'h']);
  });

  test('which is removed right after its commit', async () => {
    shop.shell(`echo 'agent alpha' > ${tree.dir}/b.ts`);
    tree.human('after.ts', 'typed after\n').commit('there');
    shop.git('worktree', 'remove', '--force', tree.dir);
    shop.git('merge', '-q', 'wt');
    expect(await told(shop, 'b.ts', 'after.ts')).toEqual(['a', 'h']);
  });

  test('and its own: each has its lines', async () => {
    shop.shell(`echo 'agent alpha' > ${tree.dir}/b.ts; echo 'agent beta' > c.ts`);
    shop.human('h.ts', 'typed\n').commit('here');
    tree.human('after.ts', 'typed after\n').commit('there');
    expect(await told(tree, 'b.ts', 'after.ts')).toEqual(['a', 'h']);
    expect(await told(shop, 'c.ts', 'h.ts')).toEqual(['a', 'h']);
  });
});

test('a command in a linked work tree names the main one', async () => {
  shop.human('before.ts', 'typed before\n');
  tree.shell(`echo 'agent alpha' > ${shop.dir}/b.ts`);
  shop.human('after.ts', 'typed after\n').commit('here');
  expect(await told(shop, 'b.ts', 'before.ts', 'after.ts')).toEqual(['a', 'h', 'h']);
});

test('an agent in a work tree inside the main one names its own files: the main one is not named by that', async () => {
  fs.appendFileSync(path.join(shop.common, 'info/exclude'), '.trees\n');
  const at = path.join(shop.dir, '.trees/in');
  shop.git('worktree', 'add', '-q', '-b', 'in', at);
  const inner = shop.in(at);
  // what changes in the main one meanwhile would be the agent's, if it had been told
  const typed = spawn('sh', ['-c', 'sleep 0.3; echo typed > h.ts'], { cwd: shop.dir });
  inner.shell(`echo 'agent alpha' > ${inner.dir}/b.ts; sleep 1`);
  await new Promise((resolve) => typed.on('close', resolve));
  shop.commit('here');
  inner.commit('there');
  expect(await told(inner, 'b.ts')).toEqual(['a']);
  expect(await told(shop, 'h.ts')).toEqual(['h']);
});
