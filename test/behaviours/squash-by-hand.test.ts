import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

const BASE = 'base one\nbase two\n';
const AGENT = 'agent three writes this\nagent four writes that\n';
const LATE = 'a person adds this line late\n';
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', BASE).commit('start');
  shop.git('checkout', '-q', '-b', 'topic');
});
afterEach(() => shop.remove());

function squash(...branches: string[]): void {
  shop.git('checkout', '-q', 'main');
  shop.git('merge', '-q', '--squash', ...branches);
}

test('what a person adds to a squash before it is committed is theirs', async () => {
  shop.ai('base.ts', BASE + AGENT);
  shop.commit('one');
  shop.ai('a.ts', 'agent beside\n');
  shop.commit('two');
  squash('topic');
  shop.human('base.ts', BASE + AGENT + LATE).commit('squashed');
  expect(await told(shop, 'base.ts', 'a.ts')).toEqual(['hhaah', 'a']);
});

test('also when the work runs in between', async () => {
  shop.ai('base.ts', BASE + AGENT);
  shop.commit('one');
  squash('topic');
  await shop.work();
  shop.human('base.ts', BASE + AGENT + LATE).commit('squashed');
  expect(await told(shop, 'base.ts')).toEqual(['hhaah']);
});

test('what stood in the squashed commits, also in between, nobody typed here', async () => {
  shop.human('base.ts', `${BASE}of somebody else\n  and.gone(again);\n`);
  shop.git('add', '-A');
  const first = shop.git('commit-tree', '-p', 'HEAD', '-m', 'foreign', shop.git('write-tree'));
  shop.human('base.ts', `${BASE}of somebody else\n`);
  shop.git('add', '-A');
  const second = shop.git('commit-tree', '-p', first, '-m', 'foreign', shop.git('write-tree'));
  shop.git('reset', '-q', '--hard');
  shop.git('update-ref', 'refs/remotes/origin/topic', second);
  squash('origin/topic');
  shop.human('base.ts', `${BASE}of somebody else\nand.gone(again);\n${LATE}`).commit('squashed');
  expect(await told(shop, 'base.ts')).toEqual(['hhuuh']);
});

test('of several branches at once nothing tells what they brought', async () => {
  shop.human('t.ts', 'of the first branch\n').commit('one');
  shop.git('checkout', '-q', '-b', 'other', 'main');
  shop.human('o.ts', 'of the second branch\n').commit('two');
  squash('topic', 'other');
  shop.human('base.ts', BASE + LATE).commit('squashed');
  expect(await told(shop, 'base.ts')).toEqual(['hhu']);
});

test('what the agent adds to it is the agent’s', async () => {
  shop.human('base.ts', `${BASE}of a person on the topic\n`).commit('one');
  squash('topic');
  shop.ai('base.ts', `${BASE}of a person on the topic\n${AGENT}`);
  shop.commit('squashed');
  expect(await told(shop, 'base.ts')).toEqual(['hhhaa']);
});

test('a person\u2019s lines stay the person\u2019s where an agent\u2019s shell squashes them', async () => {
  shop.human('p.ts', 'typed by a person one\ntyped by a person two\n').commit('one');
  shop.ai('a.ts', 'agent beside\n');
  shop.human('base.ts', `${BASE}${LATE}`).commit('two');
  await shop.work();
  shop.git('checkout', '-q', 'main');
  shop.shell('git merge -q --squash topic');
  shop.commit('squashed');
  expect(await told(shop, 'base.ts', 'p.ts', 'a.ts')).toEqual(['hhh', 'hh', 'a']);
  await shop.work();
  expect(await told(shop, 'base.ts', 'p.ts', 'a.ts')).toEqual(['hhh', 'hh', 'a']);
});
