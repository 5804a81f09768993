import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

/** A linked work tree is made, committed in and removed before anybody has looked at what happened there. */
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('first.ts', 'first\n').commit('first');
});
afterEach(() => shop.remove());

const folder = () => path.join(shop.home, 'wt');

function add(branch: string, at = folder()): Workshop {
  shop.git('worktree', 'add', '-q', '-b', branch, at);
  return shop.in(at);
}

function removeAndMerge(branch: string): void {
  shop.git('worktree', 'remove', '--force', folder());
  shop.git('merge', '-q', branch);
}

function type(tree: Workshop, file: string, line: string): void {
  tree.human(file, `${tree.read(file)}${line}\n`);
}

describe('a work tree is removed right after its commit', () => {
  test('what an agent wrote there is its own, and a person’s line the person’s', async () => {
    const tree = add('wt');
    tree.ai('a.ts', 'agent alpha\nagent beta\n');
    type(tree, 'a.ts', 'person gamma');
    tree.commit('there');
    removeAndMerge('wt');
    expect(await told(shop, 'a.ts')).toEqual(['aah']);
    expect((await shop.json('a.ts')).lines[0]).toMatchObject({ session: 's1', evidence: 'observed' });
  });

  test('with a shell command', async () => {
    const tree = add('wt');
    tree.ai('a.ts', 'agent alpha\n');
    tree.shell("echo 'agent beta' >> a.ts");
    type(tree, 'a.ts', 'person gamma');
    tree.human('h.ts', 'person delta\n').commit('there');
    removeAndMerge('wt');
    expect(await told(shop, 'a.ts', 'h.ts')).toEqual(['aah', 'h']);
  });

  test('the agent sat in the main one', async () => {
    const tree = add('wt');
    shop.ai(path.relative(shop.dir, path.join(tree.dir, 'a.ts')), 'agent alpha\n');
    type(tree, 'a.ts', 'person gamma');
    tree.commit('there');
    removeAndMerge('wt');
    expect(await told(shop, 'a.ts')).toEqual(['ah']);
  });

  test('by hand, and git told later', async () => {
    const tree = add('wt');
    tree.ai('a.ts', 'agent alpha\n');
    type(tree, 'a.ts', 'person gamma');
    tree.commit('there');
    fs.rmSync(folder(), { recursive: true });
    shop.git('worktree', 'prune');
    shop.git('merge', '-q', 'wt');
    expect(await told(shop, 'a.ts')).toEqual(['ah']);
  });

  test('another one takes its name and place, and goes as well', async () => {
    for (const name of ['one', 'two']) {
      const tree = add(name);
      tree.ai(`${name}.ts`, 'agent alpha\n');
      type(tree, `${name}.ts`, 'person gamma');
      tree.commit('there');
      removeAndMerge(name);
    }
    expect(await told(shop, 'one.ts', 'two.ts')).toEqual(['ah', 'ah']);
  });

  test('another one takes its name and place, and stays', async () => {
    const tree = add('one');
    tree.ai('one.ts', 'agent alpha\n');
    type(tree, 'one.ts', 'person gamma');
    tree.commit('there');
    removeAndMerge('one');
    const next = add('two');
    next.human('h.ts', 'person delta\n');
    expect(await shop.blame('one.ts')).toBe('ah');
    next.commit('again');
    expect(await told(next, 'one.ts', 'h.ts')).toEqual(['ah', 'h']);
  });

  test('git gc has written the reflog anew in between', async () => {
    const tree = add('wt');
    tree.human('h.ts', 'person delta\n').commit('there');
    tree.git('reflog', 'expire', '--all', '--expire=never');
    tree.ai('a.ts', 'agent alpha\n');
    type(tree, 'a.ts', 'person gamma');
    tree.commit('and more');
    removeAndMerge('wt');
    expect(await told(shop, 'a.ts', 'h.ts')).toEqual(['ah', 'h']);
  });

  test('the commits are joined again later: nothing is less certain than it was', async () => {
    const tree = add('wt');
    tree.ai('a.ts', 'agent alpha\n');
    type(tree, 'a.ts', 'person gamma');
    tree.commit('there');
    await shop.work();
    removeAndMerge('wt');
    await shop.agent('join', 'HEAD~1..HEAD');
    expect(await told(shop, 'a.ts')).toEqual(['ah']);
  });
});

test('a commit that another work tree has merged before anybody looked is the one that was typed', async () => {
  const tree = add('wt');
  tree.ai('a.ts', 'agent alpha\n');
  type(tree, 'a.ts', 'person gamma');
  tree.commit('there');
  shop.git('merge', '-q', 'wt');
  expect(await told(shop, 'a.ts')).toEqual(['ah']);
});

test('a work tree that was there before capture began tells no more for being gone', async () => {
  const late = await openWorkshop({ agents: false });
  try {
    late.human('first.ts', 'first\n').commit('first');
    const at = path.join(late.home, 'wt');
    late.git('worktree', 'add', '-q', '-b', 'wt', at);
    const tree = late.in(at);
    tree.human('early.ts', 'who knows\n');
    await late.init();
    tree.commit('there');
    late.git('worktree', 'remove', '--force', at);
    late.git('merge', '-q', 'wt');
    expect(await told(late, 'early.ts')).toEqual(['u']);
  } finally {
    late.remove();
  }
});

test('gc forgets the work trees that are gone for long, and no other', async () => {
  const kept = path.join(shop.common, 'agent/worktrees');
  const tree = add('wt');
  tree.human('h.ts', 'person delta\n').commit('there');
  const long = new Date('2020-01-01');
  fs.utimesSync(path.join(kept, 'wt/HEAD'), long, long);
  expect((await shop.agent('gc')).status).toBe(0);
  expect(fs.readdirSync(kept)).toEqual(['wt']);
  removeAndMerge('wt');
  expect((await shop.agent('gc')).status).toBe(0);
  expect(fs.readdirSync(kept)).toEqual([]);
});
