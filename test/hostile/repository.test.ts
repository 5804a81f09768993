import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

function linked(name: string): Workshop {
  const dir = path.join(shop.home, name);
  shop.git('worktree', 'add', '-q', '-b', `branch-${name.length}`, dir);
  return shop.in(dir);
}

test('a repository without a commit', async () => {
  shop.ai('a.txt', 'agent one\n');
  await shop.work();
  const { status, stderr } = await shop.agent('status');
  expect([status, stderr]).toEqual([0, '']);
  expect((await shop.agent('join')).status).toBe(0);
  shop.commit();
  expect(await shop.blame('a.txt')).toBe('a');
});

test('a detached HEAD', async () => {
  shop.human('a.txt', 'person one\n').commit();
  await shop.work();
  shop.git('checkout', '-q', '--detach');
  shop.ai('a.txt', 'person one\nagent two\n');
  shop.commit();
  expect(await shop.blame('a.txt')).toBe('ha');
  await shop.work();
  shop.git('checkout', '-q', 'main');
  shop.git('merge', '-q', 'HEAD@{1}');
  expect(await shop.blame('a.txt')).toBe('ha');
});

test('a work tree that is removed while its commits are pending: never a wrong letter', async () => {
  shop.human('a.txt', 'person one\n').commit();
  await shop.work();
  const desk = linked('desk');
  desk.ai('a.txt', 'person one\nagent two\n');
  desk.human('a.txt', 'person one\nagent two\nperson three\n').commit();
  shop.git('worktree', 'remove', '--force', desk.dir);
  shop.git('merge', '-q', '--ff-only', 'branch-4');
  expect(await shop.blame('a.txt')).toMatch(/^h[au][hu]$/);
  await shop.work();
  expect(await shop.blame('a.txt')).toMatch(/^h[au][hu]$/);
  expect(fs.readdirSync(path.join(shop.common, 'agent', 'payloads'))).toEqual([]);
});

test('a work tree whose name no shim can print', async () => {
  shop.human('a.txt', 'person one\n').commit();
  const desk = linked('büro ☂');
  desk.ai('a.txt', 'person one\nagent two\n');
  desk.human('a.txt', 'person one\nagent two\nperson three\n').commit();
  expect(await desk.blame('a.txt')).toBe('hah');
  desk.shell('echo agent four >> a.txt');
  desk.commit();
  await shop.work();
  expect(await desk.blame('a.txt')).toBe('haha');
});

test('two sessions edit the same path in two work trees at once', async () => {
  shop.human('a.txt', 'person one\n').commit();
  const desk = linked('desk');
  shop.ai('a.txt', 'person one\nagent here\n', 'here');
  desk.ai('a.txt', 'person one\nagent there\n', 'there');
  shop.human('a.txt', 'person one\nagent here\nagent there\n').commit(); // typed after what the other one wrote
  desk.human('a.txt', 'person one\nagent there\nagent here\n').commit();
  expect([await shop.blame('a.txt'), await desk.blame('a.txt')]).toEqual(['hah', 'hah']);
  await shop.work();
  expect([await shop.blame('a.txt'), await desk.blame('a.txt')]).toEqual(['hah', 'hah']);
});

test('git gc --prune=now between edit and commit', async () => {
  shop.human('a.txt', 'person one\n').commit();
  shop.ai('a.txt', 'person one\nagent two\n');
  await shop.work();
  shop.git('gc', '-q', '--prune=now');
  shop.human('a.txt', 'person one\nagent two\nperson three\n').commit();
  expect(await shop.blame('a.txt')).toBe('hah');
  await shop.work();
  expect(await shop.blame('a.txt')).toBe('hah');
});

test('git gc --prune=now between a shell command and its work: never a wrong letter', async () => {
  shop.human('a.txt', 'person one\n').commit();
  shop.shell('printf "agent two\\n" >> a.txt && printf "agent made\\n" > b.txt');
  shop.git('gc', '-q', '--prune=now');
  shop.commit();
  expect(await shop.blame('a.txt')).toMatch(/^h[au]$/);
  await shop.work();
  expect(await shop.blame('a.txt')).toMatch(/^h[au]$/);
  expect(await shop.blame('b.txt')).toMatch(/^[au]$/);
});

test('commits that were announced and pruned before anybody looked', async () => {
  shop.human('a.txt', 'person one\n').commit();
  shop.ai('a.txt', 'person one\nagent two\n');
  shop.commit('will be gone');
  shop.git('reset', '-q', '--soft', 'HEAD^');
  shop.git('reflog', 'expire', '--expire=now', '--all');
  shop.git('gc', '-q', '--prune=now');
  const { status, stderr } = await shop.agent('join');
  expect([status, stderr]).toEqual([0, '1 commit joined\n']);
  shop.commit('again');
  expect(await shop.blame('a.txt')).toMatch(/^[hu]a$/);
});
