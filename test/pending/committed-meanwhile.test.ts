import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

// A commit that names no session is made while an agent's command runs: by the command, or by a person in another terminal.
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('f.ts', 'person one\n').commit('start');
});
afterEach(() => shop.remove());

const NAMELESS = 'env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID';

async function letters(...files: string[]): Promise<string[]> {
  const ask = async () => Promise.all(files.map((file) => shop.blame(file)));
  const atOnce = await ask();
  await shop.work();
  expect(await ask()).toEqual(atOnce);
  return atOnce;
}

test('what stood there when the command began is the person’s', async () => {
  shop.human('f.ts', 'person one\nperson two\n').human('new.ts', 'person three\n');
  shop.shell(`git add -A && ${NAMELESS} git commit -q -m wip`);
  expect(await letters('f.ts', 'new.ts')).toEqual(['hh', 'h']);
});

test('and an agent’s edits before it are the agent’s', async () => {
  shop.ai('f.ts', 'person one\nagent two\n');
  shop.human('f.ts', 'person one\nagent two\nperson three\n');
  shop.shell(`git add -A && ${NAMELESS} git commit -q -m wip`);
  expect(await letters('f.ts')).toEqual(['hah']);
});

test('a script that says nothing of git commits what it wrote', async () => {
  shop.human('release', `#!/bin/sh\necho 2 > version; git add -A; ${NAMELESS} git commit -q -m release\n`);
  shop.commit('tool');
  shop.shell('sh ./release');
  expect(await letters('version')).toEqual(['u']);
});

test('a person commits while a command is at work that has written the file already', async () => {
  shop.shell(`echo 'line two' >> f.ts; sh -c 'cd .; ${NAMELESS} "$0" commit -q -a -m wip' git; true`);
  expect(await letters('f.ts')).toEqual(['hu']);
});

test('while one only looks, what is committed is the person’s', async () => {
  shop.human('see', `#!/bin/sh\n`).commit('tool');
  shop.human('f.ts', 'person one\nperson two\n');
  shop.shell('ls; cat f.ts');
  shop.commit('typed');
  expect(await letters('f.ts')).toEqual(['hh']);
});

test('what was changed since is nobody’s: the command may have done it, or a person', async () => {
  shop.human('new.ts', 'person three\n');
  shop.shell(`echo 'line two' >> f.ts; git add -A && ${NAMELESS} git commit -q -m wip`);
  expect(await letters('f.ts', 'new.ts')).toEqual(['hu', 'h']);
});
