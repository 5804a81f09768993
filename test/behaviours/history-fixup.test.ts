import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

/** `git history fixup` came with git 2.55. */
const GIT = [process.env.GIT255 ?? path.join(os.homedir(), '.cache/test-tools/git255/git'), 'git'].find((git) =>
  spawnSync(git, ['history', '-h'], { encoding: 'utf8' }).stdout?.includes('fixup'),
);
const file = (two: string) => `agent one writes this\n${two}\nagent three writes that\n`;
let shop: Workshop;

beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', 'base\n').commit('start');
  shop.ai('a.ts', file('agent two'));
  shop.commit('agent');
  shop.human('h.ts', 'a person beside\n').commit('person');
});
afterEach(() => shop.remove());

function fixup(): void {
  shop.git('add', '-A');
  const env = { ...process.env, HOME: shop.home, GIT_EDITOR: 'true' };
  const { status, stderr } = spawnSync(GIT ?? 'git', ['history', 'fixup', 'HEAD~1'], { cwd: shop.dir, env });
  if (status !== 0) throw new Error(String(stderr));
}

describe.skipIf(GIT === undefined)(
  'what is staged and put into an older commit by git history fixup (needs git 2.55)',
  () => {
    test('is a person’s, where no agent was seen to write it', async () => {
      shop.human('a.ts', file('const changed = by.person;'));
      fixup();
      expect(await told(shop, 'a.ts', 'h.ts')).toEqual(['aha', 'h']);
    });

    test('is the agent’s, where it was', async () => {
      shop.ai('a.ts', file('const changed = by.agent;'));
      fixup();
      expect(await told(shop, 'a.ts', 'h.ts')).toEqual(['aaa', 'h']);
    });

    test('what stood in the commits before is not typed anew', async () => {
      await shop.work();
      shop.git('update-ref', '-d', 'refs/notes/agent/trace');
      shop.human('a.ts', file('const changed = by.person;'));
      fixup();
      expect((await told(shop, 'h.ts'))[0]).not.toBe('a');
      expect((await told(shop, 'a.ts'))[0]).toMatch(/^[au]h[au]$/);
    });
  },
);
