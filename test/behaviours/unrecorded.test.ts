import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

/** What people committed before anything was recorded, and what an agent then writes just so in another file. */
const HELPER = [
  'import React from "react";',
  'import { useState } from "react";',
  'export function helper(alpha, beta) {',
  '  return alpha + beta;',
  '}',
];
const OLD = `${['// of a person, long ago', ...HELPER, '// the end of it'].join('\n')}\n`;
const NEW = `${['// by the agent', ...HELPER, '// that is all'].join('\n')}\n`;
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop({ agents: false });
  shop.human('x.txt', 'begin\n').commit('begin');
  shop.human('old.ts', OLD).commit('old');
  await new Promise((done) => setTimeout(done, 1100)); // git's clock knows seconds
  await shop.init();
  shop.ai('new.ts', NEW);
  shop.commit('new');
  await shop.work();
  await new Promise((done) => setTimeout(done, 1100));
});
afterEach(() => shop.remove());

const WAYS: Readonly<Record<string, () => void>> = {
  'a rebase of all there is': () => shop.git('rebase', '-q', '-f', '--root'),
  'a rebase of all there is, without hooks': () =>
    shop.git('-c', 'core.hooksPath=/dev/null', 'rebase', '-q', '-f', '--root'),
  'a rebase of all there is, by an agent': () => void shop.shell('git rebase -q -f --root'),
  'a revert, taken back': () => {
    shop.git('revert', '--no-edit', 'HEAD~1');
    shop.git('revert', '--no-edit', 'HEAD');
  },
  'a revert, taken back, without hooks': () => {
    shop.git('-c', 'core.hooksPath=/dev/null', 'revert', '--no-edit', 'HEAD~1');
    shop.git('-c', 'core.hooksPath=/dev/null', 'revert', '--no-edit', 'HEAD');
  },
  'a revert, taken back, where the agent\u2019s is gone': () => {
    shop.git('rm', '-q', 'new.ts');
    shop.commit('without');
    shop.git('revert', '--no-edit', 'HEAD~2');
    shop.git('revert', '--no-edit', 'HEAD');
  },
  'a squash of both': () => {
    shop.git('checkout', '-q', '-b', 'squashed', 'HEAD~2');
    shop.git('merge', '-q', '--squash', 'main');
    shop.commit('squash');
  },
  'a squash of both, without hooks': () => {
    shop.git('checkout', '-q', '-b', 'squashed', 'HEAD~2');
    shop.git('merge', '-q', '--squash', 'main');
    shop.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'squash');
  },
};

describe.each(Object.entries(WAYS))('a person\u2019s lines of before are no agent\u2019s after %s', (_, go) => {
  test('now and after the work', async () => {
    go();
    const now = await told(shop, 'old.ts');
    await shop.work();
    expect([now, await told(shop, 'old.ts')]).toEqual([['uuuuuuu'], ['uuuuuuu']]);
  });
});
