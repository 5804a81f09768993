import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makeFolder } from '../support/repository.ts';
import { Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

test('where only GIT_DIR leads from a work tree to its repository, init says how agents’ hooks find it, and then they do', async () => {
  shop = new Workshop(makeFolder('tree'), makeFolder('home'));
  const dir = path.join(shop.home, 'tree.git');
  shop.git('init', '-q', '--bare', dir);
  Object.assign(process.env, { GIT_DIR: dir, GIT_WORK_TREE: shop.dir });
  const { status, stderr } = await shop.agent('init', '--agents', 'claude-code');
  expect([status, stderr]).toEqual([3, expect.stringContaining(`No .git in ${shop.dir} leads here`)]);
  execFileSync('sh', ['-c', stderr.slice(stderr.indexOf('git config core.bare'))], { cwd: shop.dir });
  delete process.env.GIT_DIR;
  delete process.env.GIT_WORK_TREE;
  await shop.init();
  shop.ai('a.txt', 'agent one\n');
  fs.appendFileSync(path.join(shop.dir, 'a.txt'), 'person two\n');
  shop.commit();
  expect(await shop.blame('a.txt')).toBe('ah');
});
