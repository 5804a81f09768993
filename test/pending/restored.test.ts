import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { told } from '../behaviours/told.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

// A file that is what it was in an ancestor: nobody typed it, and its lines are whose they were.
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

/** A function as everybody ends them: only its first two lines and the last one say whose it is. */
const block = (name: string) =>
  `function ${name}(x) {\n  const value = compute_${name}(x);\n  if (!x) {\n    return null;\n  }\n\n  return done_${name};\n}\n`;
const [ONE, TWO, THREE] = ['person_one', 'agent_two', 'person_three'].map(block) as [string, string, string];
const LETTERS = 'hhhhhhhhaaaaaaaahhhhhhhh';

/** What a person and an agent wrote, committed, and then emptied. */
function emptied(): void {
  shop.human('f.js', ONE).commit('one');
  shop.ai('f.js', `${ONE}${TWO}`);
  shop.commit('two');
  shop.human('f.js', `${ONE}${TWO}${THREE}`).commit('three');
  shop.human('f.js', 'all of it is gone\n').commit('empty');
}

const WAYS: readonly [name: string, restore: () => void][] = [
  ['revert -n', () => shop.git('revert', '-n', 'HEAD')],
  ['checkout REV -- file', () => shop.git('checkout', '-q', 'HEAD~1', '--', 'f.js')],
  ['restore --source', () => shop.git('restore', '--source=HEAD~1', '-SW', 'f.js')],
  ['a person who writes it from git show', () => void shop.human('f.js', `${ONE}${TWO}${THREE}`)],
  [
    'reset --hard and then --soft',
    () => {
      const tip = shop.git('rev-parse', 'HEAD');
      shop.git('reset', '-q', '--hard', 'HEAD~1');
      shop.git('reset', '-q', '--soft', tip);
    },
  ],
  ['checkout REV -- file by an agent', () => void shop.shell('git checkout -q HEAD~1 -- f.js')],
];

test.each(WAYS)('%s: every line is whose it was, also those that everybody writes', async (_, restore) => {
  emptied();
  restore();
  shop.commit('back');
  expect(await told(shop, 'f.js')).toEqual([LETTERS]);
});

test('a short line that is as it was says nothing of who put it back', async () => {
  shop.ai('f.js', 'const a = 1;\n');
  shop.commit('one');
  shop.human('f.js', 'const a = 2;\n').commit('two');
  shop.human('f.js', 'const a = 1;\n').commit('three');
  expect(await told(shop, 'f.js')).not.toEqual(['a']);
});

test('what came before capture and has no record is nobody’s when it comes back', async () => {
  shop.remove();
  shop = await openWorkshop({ agents: false });
  shop.human('f.js', `${ONE}${THREE}`).commit('before');
  await shop.init();
  shop.ai('f.js', TWO);
  shop.commit('another');
  shop.git('checkout', '-q', 'HEAD~1', '--', 'f.js');
  shop.commit('back');
  expect((await told(shop, 'f.js')).join('')).not.toContain('a');
});

describe('a part of what an agent wrote on another branch, that everybody writes', () => {
  test('is not the agent’s where a person types it', async () => {
    shop.human('f.js', ONE).commit('one');
    shop.git('checkout', '-q', '-b', 'feature');
    shop.ai('f.js', `${ONE}${TWO}`);
    shop.commit('two');
    shop.git('checkout', '-q', 'main');
    shop.human('f.js', `${ONE}${THREE}`).commit('three');
    expect((await told(shop, 'f.js')).join('')).not.toContain('a');
  });
});
