import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

/** The agent sits in one work tree, and its shell writes into another one of the same repository. */
let shop: Workshop;
let tree: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('first.ts', 'first\n').commit('first');
  const at = path.join(shop.home, 'wt');
  shop.git('worktree', 'add', '-q', '-b', 'wt', at);
  tree = shop.in(at);
});
afterEach(() => shop.remove());

describe('a command names a linked work tree', () => {
  test.each([
    ['in full', () => `echo 'agent alpha' > ${tree.dir}/b.ts`],
    ['as the folder to go to', () => `cd ${tree.dir} && echo 'agent alpha' > b.ts`],
    ['by a way up', () => `cd ${path.relative(shop.dir, tree.dir)} && echo 'agent alpha' > b.ts`],
    ['with git -C', () => `echo 'agent alpha' > ${tree.dir}/b.ts; git -C ${tree.dir} add b.ts`],
  ])('%s: its lines are the agent’s there, and the person’s stay the person’s', async (_, command) => {
    tree.human('before.ts', 'typed before\n');
    shop.shell(command());
    tree.human('after.ts', 'typed after\n').commit('there');
    expect(await told(tree, 'b.ts', 'before.ts', 'after.ts')).toEqual(['a', 'h', 'h']);
    expect((await tree.json('b.ts')).lines[0]).toMatchObject({ session: 's1', evidence: 'observed' });
  });

  test('and commits there itself', async () => {
    tree.human('before.ts', 'typed before\n');
    shop.shell(`cd ${tree.dir} && echo 'agent alpha' > b.ts && git add -A && git commit -qm x`);
    tree.human('after.ts', 'typed after\n').commit('there');
    expect(await told(tree, 'b.ts', 'before.ts', 'after.ts')).toEqual(['a', 'h', 'h']);
  });

  test('which is removed right after its commit', async () => {
    shop.shell(`echo 'agent alpha' > ${tree.dir}/b.ts`);
    tree.human('after.ts', 'typed after\n').commit('there');
    shop.git('worktree', 'remove', '--force', tree.dir);
    shop.git('merge', '-q', 'wt');
    expect(await told(shop, 'b.ts', 'after.ts')).toEqual(['a', 'h']);
  });

  test('and its own: each has its lines', async () => {
    shop.shell(`echo 'agent alpha' > ${tree.dir}/b.ts; echo 'agent beta' > c.ts`);
    shop.human('h.ts', 'typed\n').commit('here');
    tree.human('after.ts', 'typed after\n').commit('there');
    expect(await told(tree, 'b.ts', 'after.ts')).toEqual(['a', 'h']);
    expect(await told(shop, 'c.ts', 'h.ts')).toEqual(['a', 'h']);
  });
});

test('an agent whose hooks tell no ids names one', async () => {
  const command = `echo 'agent alpha' > ${tree.dir}/b.ts; echo 'agent beta' > c.ts`;
  const call = { tool_name: 'run_shell_command', tool_input: { command, description: 'x' } };
  const said = { session_id: 'g1', transcript_path: `${shop.home}/.gemini/tmp/x/chats/s.json`, cwd: shop.dir, ...call };
  tree.human('before.ts', 'typed before\n');
  shop.raw('before', JSON.stringify({ ...said, hook_event_name: 'BeforeTool' }));
  spawnSync('sh', ['-c', command], { cwd: shop.dir });
  const answer = { llmContent: 'Output: (empty)\nExit Code: 0', returnDisplay: '' };
  shop.raw('after', JSON.stringify({ ...said, hook_event_name: 'AfterTool', tool_response: answer }));
  tree.human('after.ts', 'typed after\n').commit('there');
  shop.commit('here');
  expect(await told(tree, 'b.ts', 'before.ts', 'after.ts')).toEqual(['a', 'h', 'h']);
  expect(await told(shop, 'c.ts')).toEqual(['a']);
});

test('a command in a linked work tree names the main one', async () => {
  shop.human('before.ts', 'typed before\n');
  tree.shell(`echo 'agent alpha' > ${shop.dir}/b.ts`);
  shop.human('after.ts', 'typed after\n').commit('here');
  expect(await told(shop, 'b.ts', 'before.ts', 'after.ts')).toEqual(['a', 'h', 'h']);
});

test('an agent in a work tree inside the main one names its own files: the main one is not named by that', async () => {
  fs.appendFileSync(path.join(shop.common, 'info/exclude'), '.trees\n');
  const at = path.join(shop.dir, '.trees/in');
  shop.git('worktree', 'add', '-q', '-b', 'in', at);
  const inner = shop.in(at);
  // what changes in the main one meanwhile would be the agent's, if it had been told
  const typed = spawn('sh', ['-c', 'sleep 0.3; echo typed > h.ts'], { cwd: shop.dir });
  inner.shell(`echo 'agent alpha' > ${inner.dir}/b.ts; sleep 1`);
  await new Promise((resolve) => typed.on('close', resolve));
  shop.commit('here');
  inner.commit('there');
  expect(await told(inner, 'b.ts')).toEqual(['a']);
  expect(await told(shop, 'h.ts')).toEqual(['h']);
});

describe('the agent makes the work tree itself', () => {
  const at = () => path.join(shop.home, 'made');
  const look = () => shop.in(at());

  test('and then writes there: what a person types there is hers', async () => {
    shop.shell(`git worktree add -q -b made ${at()}`);
    shop.shell(`echo 'agent alpha' > ${at()}/b.ts`);
    look().human('h.ts', 'typed\n').commit('there');
    expect(await told(look(), 'b.ts', 'h.ts')).toEqual(['a', 'h']);
  });

  test('and writes there at once', async () => {
    shop.shell(`git worktree add -q -b made ${at()} && cd ${at()} && echo 'agent alpha' > b.ts`);
    look().human('h.ts', 'typed\n').commit('there');
    expect(await told(look(), 'b.ts', 'h.ts', 'first.ts')).toEqual(['a', 'h', 'h']);
  });

  test('and writes and commits there at once; and removes it', async () => {
    shop.shell(
      `git worktree add -q -b made ${at()} && cd ${at()} && echo 'agent alpha' > b.ts && git add b.ts && git commit -qm b`,
    );
    look().human('h.ts', 'typed\n').commit('there');
    shop.shell(`git worktree remove --force ${at()} && git merge -q made`);
    expect(await told(shop, 'b.ts', 'h.ts')).toEqual(['a', 'h']);
  });

  test('and somebody looks while the command runs', async () => {
    const command = `git worktree add -q -b made ${at()} && cd ${at()} && echo 'agent alpha' > b.ts`;
    const call = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command } };
    shop.hook('before', 's1', { hook_event_name: 'PreToolUse', ...call });
    await shop.work();
    spawnSync('sh', ['-c', command], { cwd: shop.dir });
    await shop.work();
    shop.hook('after', 's1', { hook_event_name: 'PostToolUse', ...call, tool_response: { stdout: '', stderr: '' } });
    look().human('h.ts', 'typed\n').commit('there');
    expect(await told(look(), 'b.ts', 'h.ts')).toEqual(['a', 'h']);
  });
});
