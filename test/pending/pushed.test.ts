import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const BASE = 'base one\nbase two\n';
const NO_HOOKS = ['-c', 'core.hooksPath=/nonexistent'];
let shop: Workshop;
let server: string;

beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('f.ts', BASE).commit('base');
  server = fs.mkdtempSync(path.join(shop.home, 'server-'));
  shop.git('clone', '-q', '--bare', shop.dir, server);
  shop.git('remote', 'add', 'origin', server);
  shop.git('fetch', '-q');
  await shop.work();
});
afterEach(() => shop.remove());

/** By a program that runs no hooks. */
function silently(...words: string[]): void {
  shop.git(...NO_HOOKS, ...words);
}

const agentThenPerson = () => {
  shop.ai('f.ts', `${BASE}agent three\nagent four\n`);
  shop.human('f.ts', `${BASE}agent three\nagent four\nperson five\n`);
};

test('a commit that was made and pushed without hooks is joined with what is known here', async () => {
  agentThenPerson();
  silently('commit', '-qam', 'both');
  silently('push', '-q', 'origin', 'main');
  expect(await shop.blame('f.ts')).toBe('hhaah');
  await shop.work();
  expect(await shop.blame('f.ts')).toBe('hhaah');
  expect(shop.notes('HEAD')).toHaveLength(2);
});

test('also several of them, before one that a hook tells of', async () => {
  agentThenPerson();
  silently('commit', '-qam', 'both');
  shop.ai('g.ts', 'agent of a second file\n');
  shop.git('add', '-A');
  silently('commit', '-qm', 'second');
  silently('push', '-q', 'origin', 'main');
  shop.human('h.ts', 'person\n').commit('third');
  await shop.work();
  expect([await shop.blame('f.ts'), await shop.blame('g.ts'), await shop.blame('h.ts')]).toEqual(['hhaah', 'a', 'h']);
});

test('what a colleague pushed and we only went to stays without a record', async () => {
  const other = shop.in(fs.mkdtempSync(path.join(shop.home, 'other-')));
  other.git('clone', '-q', server, '.');
  other.human('f.ts', `${BASE}of a colleague\n`).commit('theirs');
  other.git('push', '-q', 'origin', 'main');
  shop.ai('a.ts', 'agent of this clone\n');
  silently('pull', '-q', '--ff-only', 'origin', 'main');
  await shop.work();
  expect(await shop.blame('f.ts')).toBe('hhu');
  expect(() => shop.notes('HEAD')).toThrow();
});
