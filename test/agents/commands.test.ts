import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cannotWrite, onlyLooks } from '../../src/join/shell.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n').commit('start');
});
afterEach(() => shop.remove());

/** An agent's command during which somebody else saves a file. */
function meanwhile(command: string, save: () => void): void {
  const call = { tool_name: 'Bash', tool_use_id: `toolu_${command.length}`, tool_input: { command } };
  shop.hook('before', 's1', { hook_event_name: 'PreToolUse', ...call });
  save();
  shop.hook('after', 's1', { hook_event_name: 'PostToolUse', ...call, tool_response: { stdout: '', stderr: '' } });
}

describe('what changes while a command runs', () => {
  test('is a person’s when the command can only look', async () => {
    meanwhile('sleep 5', () => shop.human('mine.txt', 'typed meanwhile\n'));
    meanwhile('git status && ls -la', () => shop.human('mine.txt', 'typed meanwhile\nand again\n'));
    shop.commit();
    expect(await shop.blame('mine.txt')).toBe('hh');
  });

  test('is the command’s when it can write, and when hooks of the repository run in it', async () => {
    meanwhile('make all', () => shop.human('made.txt', 'made\n'));
    meanwhile('git commit -m x', () => shop.human('hooked.txt', 'made by a pre-commit hook\n'));
    shop.commit();
    expect([await shop.blame('made.txt'), await shop.blame('hooked.txt')]).toEqual(['a', 'a']);
  });

  test.each(['uniq in.txt out.txt', 'xxd -r dump.txt out.bin'])('%s can write', (command) => {
    expect(cannotWrite(command)).toBe(false);
  });

  test('looking and committing is not only looking', () => {
    expect(['git log', 'git -C a commit', 'ls; git commit'].map(onlyLooks)).toEqual([true, false, false]);
  });
});

describe('a command that reaches into another work tree', () => {
  test('has written the lines there, and not those that a person types later', async () => {
    const folder = makeFolder('linked');
    const linked = path.join(folder, 'linked');
    shop.git('worktree', 'add', '-q', linked);
    const there = shop.in(linked);
    shop.shell(`cd ${linked} && printf 'by shell\\n' > shell.txt`);
    await new Promise((resolve) => setTimeout(resolve, 1100)); // commits know whole seconds only
    there.commit('theirs');
    there.human('mine.txt', 'typed later\n').commit('mine');
    expect([await there.blame('shell.txt'), await there.blame('mine.txt')]).toEqual(['a', 'h']);
    removeFolder(folder);
  });
});

test('a transcript of a session after deinit is not read', async () => {
  await shop.work();
  await shop.agent('deinit');
  const file = path.join(shop.dir, 'late.txt');
  shop.human('late.txt', 'later\n');
  shop.tell('s9', 'toolu_9', 'Write', { file_path: file, content: 'later\n' });
  shop.tellResult('s9', 'toolu_9', { type: 'create', filePath: file, content: 'later\n', originalFile: null });
  shop.commit();
  expect(await shop.blame('late.txt')).toBe('u');
});

test('a call that a forked session’s transcript repeats is the first session’s, whatever the files are called', async () => {
  const names = ['a', 'k', 'z', 'm', 'c', 'x'];
  for (const [i, name] of names.entries()) {
    const [first, fork] = [`${name}-session`, `${names.at(-1 - i)}-fork`];
    const file = path.join(shop.dir, `${name}.txt`);
    for (const session of [first, fork]) {
      shop.tell(session, `toolu_${name}`, 'Write', { file_path: file, content: 'text\n' });
      const result = { type: 'create', filePath: file, content: 'text\n', originalFile: null };
      shop.tellResult(session, `toolu_${name}`, result);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    shop.human(`${name}.txt`, 'text\n');
  }
  shop.commit();
  const told = await Promise.all(names.map(async (name) => (await shop.json(`${name}.txt`)).lines[0]?.session));
  expect(told).toEqual(names.map((name) => `${name}-session`));
});
