import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told, topic } from './told.ts';

const BASE = 'base one\nbase two\nbase three\n';
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', BASE);
  shop.commit('start');
});
afterEach(() => shop.remove());

/** A command line of several git commands, as a person's script runs them. */
const script = (commands: string) => shop.git('-c', `alias.script=!${commands}`, 'script');
const noHooks = ['-c', 'core.hooksPath=/dev/null'];

describe('95: commits made by plumbing', () => {
  test('several on another parent, with update-ref --stdin', async () => {
    topic(shop);
    shop.git('checkout', '-q', 'main');
    shop.human('m.ts', 'meanwhile\n');
    shop.commit('meanwhile');
    await shop.work();
    // the tree of each commit, as it would be on top of main
    script(
      'parent=$(git rev-parse main); export GIT_INDEX_FILE=.git/plumbing; git read-tree main; ' +
        'for commit in topic~2 topic~1 topic; do git diff-tree -p $commit | git apply --cached; ' +
        'parent=$(git commit-tree -p $parent -m plumbed $(git write-tree)); done; ' +
        'printf "update refs/heads/main %s\\n" $parent | git update-ref --stdin',
    );
    shop.git('reset', '-q', '--hard');
    expect(shop.git('rev-list', '--count', 'topic..main')).toBe('4');
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts', 'm.ts')).toEqual(['aa', 'h', 'a', 'h']);
  });

  test('of what stands in the index, uncommitted until then', async () => {
    shop.ai('a.ts', 'agent one\nagent two\n');
    shop.git('add', '-A');
    script('git update-ref refs/heads/main $(git commit-tree -p main -m plumbed $(git write-tree))');
    expect(await told(shop, 'a.ts', 'base.ts')).toEqual(['aa', 'hhh']);
  });
});

describe('commits that no hook announced', () => {
  test('96: one between two others, with the same message', async () => {
    shop.ai('a.ts', 'agent one\n');
    shop.commit('same words');
    shop.human('h.ts', 'person one\n');
    shop.git('add', '-A');
    shop.git(...noHooks, 'commit', '-q', '-m', 'same words');
    shop.ai('a.ts', 'agent one\nagent two\n', 's2');
    shop.commit('same words');
    expect(await told(shop, 'a.ts', 'h.ts', 'HEAD~2:a.ts')).toEqual(['aa', 'h', 'a']);
    expect((await shop.json('a.ts')).lines.map(({ session }) => session)).toEqual(['s1', 's2']);
    expect(JSON.stringify(shop.notes('HEAD~1'))).not.toMatch(/"s[12]"/);
  });

  test('97: everything is worked in late: each commit gets its own', async () => {
    for (const name of ['one', 'two', 'three']) {
      shop.ai(`${name}.ts`, `agent in ${name}\n`, name);
      shop.commit('same words');
    }
    await shop.work();
    for (const [i, name] of ['three', 'two', 'one'].entries()) {
      const text = JSON.stringify(shop.notes(`HEAD~${i}`));
      expect(['one', 'two', 'three'].filter((each) => text.includes(`${each}.ts`))).toEqual([name]);
      expect((await shop.json(`${name}.ts`)).lines[0]).toMatchObject({ type: 'ai', session: name });
    }
  });
});

describe('no hook announced it, and git goes to another branch within the same second: that came later', () => {
  const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000)));

  test('committed without hooks', async () => {
    shop.git('checkout', '-q', '-b', 'topic');
    shop.ai('a.ts', 'one();\n');
    shop.commit('agent');
    await nextSecond();
    shop.human('a.ts', 'one();\ntwo();\n');
    shop.git('add', '-A');
    shop.git(...noHooks, 'commit', '-q', '-m', 'silent');
    shop.git('checkout', '-q', 'main');
    expect(await told(shop, 'topic:a.ts')).toEqual(['ah']);
  });

  test('made by plumbing', async () => {
    shop.git('checkout', '-q', '-b', 'topic');
    shop.ai('a.ts', 'one();\n');
    shop.git('add', '-A');
    await nextSecond();
    script('git update-ref refs/heads/topic $(git commit-tree -p main -m plumbed $(git write-tree))');
    shop.git('checkout', '-q', 'main');
    expect(await told(shop, 'topic:a.ts')).toEqual(['a']);
  });
});

describe('98: reflogs that are damaged or gone', () => {
  test.each<[string, (log: string) => void]>([
    ['truncated', (log) => fs.truncateSync(log, Math.floor(fs.statSync(log).size / 2) + 7)],
    ['deleted', (log) => fs.rmSync(log)],
    ['empty', (log) => fs.truncateSync(log)],
    ['full of rubbish', (log) => fs.writeFileSync(log, '\0\xff no reflog\n\n\t\n')],
  ])('%s: hooks have told, so nothing is lost but who is not sure to be a person', async (_, harm) => {
    shop.ai('a.ts', 'agent one\nagent two\n');
    shop.commit('agent');
    shop.human('h.ts', 'person one\n');
    shop.commit('person');
    harm(path.join(shop.common, 'logs', 'HEAD'));
    const [agent, person] = await told(shop, 'a.ts', 'h.ts');
    expect(agent).toBe('aa');
    expect(person).toMatch(/^[hu]$/);
  });
});

test('99: a branch is deleted and made again under its name', async () => {
  topic(shop);
  await shop.work();
  shop.git('checkout', '-q', 'main');
  shop.git('branch', '-q', '-D', 'topic');
  shop.git('checkout', '-q', '-b', 'topic');
  shop.human('a.ts', 'person alpha\nperson beta\n');
  shop.commit('by hand this time');
  shop.ai('b.ts', 'agent again\n', 's7');
  shop.commit('agent');
  expect(await told(shop, 'a.ts', 'b.ts')).toEqual(['hh', 'a']);
  expect((await shop.json('b.ts')).lines[0]).toMatchObject({ session: 's7' });
});

describe('100: work trees', () => {
  test('two commit at once', async () => {
    const folder = path.join(shop.home, 'linked');
    shop.git('worktree', 'add', '-q', '-b', 'linked', folder);
    const linked = shop.in(folder);
    shop.ai('a.ts', 'agent in main\n', 's1');
    shop.human('h.ts', 'person in main\n');
    linked.human('a.ts', 'person in linked\n');
    linked.ai('h.ts', 'agent in linked\n', 's2');
    await Promise.all([shop, linked].map((each) => committed(each.dir)));
    expect(await told(shop, 'a.ts', 'h.ts')).toEqual(['a', 'h']);
    expect(await told(linked, 'a.ts', 'h.ts')).toEqual(['h', 'a']);
  });

  test('the agent sits in the main one and writes into one that lies inside it', async () => {
    shop.human('.gitignore', 'nested/\n');
    shop.commit('ignore');
    shop.git('worktree', 'add', '-q', '-b', 'nested', 'nested');
    shop.ai('nested/a.ts', 'agent in nested\n');
    shop.human('a.ts', 'person in main\n');
    shop.commit('main');
    const nested = shop.in(path.join(shop.dir, 'nested'));
    nested.commit('nested');
    expect(await told(shop, 'a.ts')).toEqual(['h']);
    expect(await told(nested, 'a.ts')).toEqual(['a']);
  });
});

function committed(cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', 'git add -A && git commit -q -m "same words"'], { cwd });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`git commit: ${code}`))));
  });
}

test('101: a commit-msg hook that writes another subject', async () => {
  const hook = path.join(path.resolve(shop.dir, shop.git('rev-parse', '--git-path', 'hooks')), 'commit-msg');
  fs.mkdirSync(path.dirname(hook), { recursive: true });
  fs.writeFileSync(hook, '#!/bin/sh\necho "TICKET-1: rewritten" >"$1"\n', { mode: 0o755 });
  shop.ai('a.ts', 'agent one\n');
  shop.commit('as typed');
  expect(shop.git('log', '-1', '--format=%s')).toBe('TICKET-1: rewritten');
  expect(await told(shop, 'a.ts')).toEqual(['a']);
  expect(shop.notes()).toHaveLength(1);
});

describe('102: the agent sits elsewhere', () => {
  test.each([
    ['a sibling', () => fs.mkdtempSync(path.join(shop.home, 'sibling-'))],
    ['a nested one', () => fs.mkdtempSync(path.join(shop.dir, 'nested-'))],
  ])('and edits a file of another repository: %s', async (_, make) => {
    const folder = make();
    const other = shop.in(folder);
    other.git('init', '-q', '-b', 'main');
    await other.init();
    other.human('first.ts', 'first\n');
    other.commit('first');
    shop.ai(path.relative(shop.dir, path.join(folder, 'a.ts')), 'agent from next door\n');
    shop.human('a.ts', 'person here\n');
    other.commit('there');
    shop.git('add', 'a.ts');
    shop.git('commit', '-q', '-m', 'here');
    expect(await told(other, 'a.ts')).toEqual(['a']);
    expect(await told(shop, 'a.ts')).toEqual(['h']);
  });
});

describe('hands at the same time', () => {
  test('103: a person saves files between the beginning and the end of the agent’s edit', async () => {
    const call = {
      tool_name: 'Write',
      tool_use_id: 'toolu_pre',
      tool_input: { file_path: path.join(shop.dir, 'a.ts') },
    };
    shop.hook('before', 's1', { hook_event_name: 'PreToolUse', ...call });
    shop.human('a.ts', 'person one\n');
    shop.human('b.ts', 'person two\n');
    shop.ai('a.ts', 'person one\nagent one\n');
    shop.commit();
    expect(await told(shop, 'a.ts', 'b.ts')).toEqual(['ha', 'h']);
  });

  test('103: while a long command runs, a file that it does not name is unknown: snapshots cannot tell two hands apart', async () => {
    shop.git('config', 'agent.shellSeconds', '0');
    // the person's save happens inside, unseen
    shop.human('save.sh', 'printf "person one\\n" >b.ts; sleep 0.1\n');
    shop.commit('script');
    shop.shell('printf "agent one\\n" >a.ts; sh save.sh');
    shop.commit();
    expect(await told(shop, 'a.ts', 'b.ts')).toEqual(['a', 'u']);
  });

  test('104: another session’s command is running: the edit stays with whose it is', async () => {
    const call = { tool_name: 'Bash', tool_use_id: 'toolu_long', tool_input: { command: 'make all' } };
    shop.hook('before', 's1', { hook_event_name: 'PreToolUse', ...call });
    shop.ai('a.ts', 'agent two wrote this\n', 's2');
    const response = { stdout: '', stderr: '', interrupted: false };
    shop.hook('after', 's1', { hook_event_name: 'PostToolUse', ...call, tool_response: response });
    shop.commit();
    expect(await told(shop, 'a.ts')).toEqual(['a']);
    expect((await shop.json('a.ts')).lines[0]).toMatchObject({ session: 's2' });
  });
});
