import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

// Who had a part in a line is told since the last commit, not since the line began.
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', 'base\n').commit('base');
});
afterEach(() => shop.remove());

const FILE = (value: string, last = '') => `import x\n\nfunction a() {\n  return ${value};\n}\n${last}`;

test('a line of both hands that only a person changes after the commit is that person’s', async () => {
  shop.ai('a.ts', FILE('null'));
  shop.human('a.ts', FILE('undefined')).commit('both');
  expect(await told(shop, 'a.ts')).toEqual(['aaama']);
  shop.human('a.ts', FILE('0')).commit('person');
  expect(await told(shop, 'a.ts')).toEqual(['aaaha']);
});

test('of a file that was there too', async () => {
  shop.human('a.ts', 'one\ntwo\nthree\n').commit('start');
  shop.ai('a.ts', 'one\nconst agents = compute(1);\nthree\n');
  shop.human('a.ts', 'one\nconst agents = compute(2);\nthree\n').commit('both');
  shop.human('a.ts', 'one\nconst agents = compute(3);\nthree\n').commit('person');
  expect(await told(shop, 'a.ts')).toEqual(['hhh']);
});

test('what was only not staged is still of both hands when a person changes it', async () => {
  const [old, theirs, both] = ['const low = 1;', 'const agents = compute(low);', 'const agents = compute(low, 2);'];
  const text = (high: string, low: string) => `${high}\nin between, one\nin between, two\n${low}\n`;
  shop.human('a.ts', text('const high = 1;', old)).commit('start');
  shop.ai('a.ts', text('const higher = compute();', theirs));
  shop.human('a.ts', text('const higher = compute();', old));
  shop.git('add', 'a.ts');
  shop.human('a.ts', text('const higher = compute();', theirs));
  shop.git('commit', '-q', '-m', 'the first half');
  shop.human('a.ts', text('const higher = compute();', both)).commit('the second half, changed');
  expect(await told(shop, 'a.ts')).toEqual(['ahhm']);
});
