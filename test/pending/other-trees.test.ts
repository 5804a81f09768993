import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
let side: Workshop;
afterEach(() => shop.remove());
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('f.ts', 'first line of mine\n').commit('base');
  const folder = path.join(shop.home, 'side');
  shop.git('worktree', 'add', '-q', '-b', 'side', folder);
  side = shop.in(folder);
});

const AGENTS = 'const alpha = compute(1);\nconst beta = compute(2);\nconst gamma = compute(3);\n';

test.each([
  [
    'a stash',
    () => {
      side.git('stash', '-q');
      shop.git('stash', 'pop', '-q');
    },
  ],
  [
    'a patch',
    () => {
      fs.writeFileSync(path.join(shop.home, 'p'), `${side.git('diff')}\n`);
      shop.git('apply', path.join(shop.home, 'p'));
    },
  ],
  ['a copy', () => fs.copyFileSync(path.join(side.dir, 'f.ts'), path.join(shop.dir, 'f.ts'))],
])('what an agent wrote in another work tree stays the agent’s after %s', async (_, bring) => {
  side.ai('f.ts', `first line of mine\n${AGENTS}`);
  bring();
  shop.human('f.ts', `${shop.read('f.ts')}typed here at the end\n`);
  expect(await shop.blame('f.ts')).toBe('haaah');
  shop.commit('brought');
  expect(await shop.blame('f.ts')).toBe('haaah');
  await shop.work();
  expect(await shop.blame('f.ts')).toBe('haaah');
});

test('one line alone may be typed twice: it is the person’s who commits', async () => {
  side.ai('f.ts', 'first line of mine\nconst alpha = compute(1);\n');
  shop.human('f.ts', 'first line of mine\nconst alpha = compute(1);\nreturn null;\n').commit('typed');
  expect(await shop.blame('f.ts')).toBe('hhh');
});
