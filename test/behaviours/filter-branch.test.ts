import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

const BASE = 'a person begins the file\n';
const [ONE, TWO] = ['the agent adds one line\n', 'a person adds one line\n'];
const THREE = 'the agent adds two lines\nand this is the second\n';
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('sub/f.ts', BASE).human('beside.ts', 'beside\n').commit('start');
  shop.ai('sub/f.ts', BASE + ONE);
  shop.commit('one');
  shop.human('sub/f.ts', BASE + ONE + TWO).commit('two');
  shop.ai('sub/f.ts', BASE + ONE + TWO + THREE, 's2');
  shop.commit('three');
});
afterEach(() => shop.remove());

const filter = (...words: string[]) =>
  shop.gitWith({ FILTER_BRANCH_SQUELCH_WARNING: '1' }, 'filter-branch', '-f', ...words);

test.each([
  ['before the work', false],
  ['after the work', true],
])('filter-branch that moves a file, %s: commits of a line or two keep their origins', async (_, worked) => {
  if (worked) await shop.work();
  filter('--subdirectory-filter', 'sub', 'HEAD');
  expect(await told(shop, 'f.ts')).toEqual(['hahaa']);
  filter('--tree-filter', 'mv f.ts g.ts', 'HEAD');
  expect(await told(shop, 'g.ts')).toEqual(['hahaa']);
});

test('also on a branch that HEAD does not stand at', async () => {
  shop.git('branch', 'other');
  shop.git('checkout', '-q', '--detach', 'HEAD~3');
  filter('--subdirectory-filter', 'sub', 'other');
  expect(await told(shop, 'other:f.ts')).toEqual(['hahaa']);
});

test('a line that a filter adds is nobody’s', async () => {
  filter('--tree-filter', 'mv sub/f.ts g.ts; echo added by the filter >>g.ts', 'HEAD');
  expect((await told(shop, 'g.ts'))[0]).toMatch(/^hahaau$/);
});
