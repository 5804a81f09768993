import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const THREE = 'the agent writes this line\nand another one below it\nand a third to make it sure\n';

let shop: Workshop;
let side: Workshop;

/** Git's clock knows seconds. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1100));

/** A branch that this work tree never stood at, with a file of an agent's. */
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.txt', 'base\n').commit('base');
  const folder = path.join(shop.home, 'side');
  shop.git('worktree', 'add', '-q', '-b', 'side', folder);
  side = shop.in(folder);
});
afterEach(() => shop.remove());

test.each([
  [['cherry-pick', '-n', 'side']],
  [['checkout', 'side', '--', 'made.txt']],
  [['restore', '--source=side', '--staged', '--worktree', 'made.txt']],
])('what git %s brings from a branch of another work tree keeps its origin', async (words) => {
  side.ai('made.txt', THREE);
  side.human('made.txt', `${THREE}typed by a person below\n`).commit('made');
  await shop.work();
  shop.git(...words);
  shop.git('commit', '-qm', 'brought');
  expect(await shop.blame('made.txt')).toBe('aaah');
  // nobody saw it brought
  expect((await shop.json('made.txt')).lines[0]?.evidence).toBe('matched');
  await shop.work();
  expect(await shop.blame('made.txt')).toBe('aaah');
});

test('lines that many write may be typed twice, however many', async () => {
  const ignored = 'node_modules/\ndist/\ncoverage/\n*.log\n';
  side.ai('.gitignore', ignored);
  side.commit('made');
  await shop.work();
  shop.human('.gitignore', ignored).commit('typed');
  expect(await shop.blame('.gitignore')).toBe('hhhh');
});

test('two lines may be typed twice: they are the person’s who commits', async () => {
  side.ai('made.txt', 'import os from here\nimport path from there\n');
  side.commit('made');
  await shop.work();
  shop.human('made.txt', 'import os from here\nimport path from there\n').commit('typed');
  expect(await shop.blame('made.txt')).toBe('hh');
});

test('what went with one commit and comes elsewhere with the next was moved, as its content tells', async () => {
  shop.ai('made.txt', THREE);
  shop.commit('made');
  await shop.work();
  await nextSecond();
  shop.git('rm', '-q', 'made.txt');
  shop.git('commit', '-qm', 'gone');
  await shop.work();
  shop.human('other.txt', THREE).commit('there again, elsewhere');
  expect(await shop.blame('other.txt')).toBe('aaa');
  expect((await shop.json('other.txt')).lines[0]).toMatchObject({ type: 'ai', evidence: 'matched' });
});

test('a line that went, was not in the next commit of the file and stands there again is recognised, not seen', async () => {
  shop.human('a.py', 'import os\nprint(os.name)\n').commit('start');
  await nextSecond();
  shop.ai('a.py', 'import os\nimport agent_of_the_first\nprint(os.name)\n');
  shop.git('checkout', '-q', '--', 'a.py');
  await nextSecond();
  shop.human('a.py', 'import os\nprint(os.name)\n# typed\n').commit('without it');
  shop.human('a.py', 'import os\nimport agent_of_the_first\nprint(os.name)\n# typed\n').commit('with it');
  expect((await shop.json('a.py')).lines[1]).toMatchObject({ type: 'ai', evidence: 'matched' });
});
