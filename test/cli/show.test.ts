import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { removeFolder } from '../support/remove.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const shops: Workshop[] = [];
afterEach(() => {
  for (const shop of shops.splice(0)) shop.remove();
});

/** A person's line, committed; then an agent is asked for two more, of which nothing is worked in yet. */
async function story(): Promise<Workshop> {
  const shop = await openWorkshop();
  shops.push(shop);
  shop.human('src/a.ts', 'one\n').commit('first');
  shop.prompt('Please add two\nand three \x1b[31mnow');
  const id = shop.ai('src/a.ts', 'one\ntwo\nthree\n');
  const filePath = path.join(shop.dir, 'src/a.ts');
  const content = 'one\ntwo\nthree\n';
  shop.tellResult('s1', id, {
    type: 'update',
    filePath,
    content,
    structuredPatch: [],
    originalFile: 'one\n',
    userModified: false,
  });
  return shop;
}

const json = async (shop: Workshop, ...args: string[]) => {
  const { status, stdout, stderr } = await shop.agent(...args, '--json');
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

describe('git agent sessions', () => {
  it('lists a session whether or not it was worked in', async () => {
    const shop = await story();
    const expected = {
      id: 's1',
      agent: 'claude-code',
      prompts: 1,
      files: ['src/a.ts'],
      firstPrompt: expect.stringContaining('Please add two'),
    };
    expect((await json(shop, 'sessions')).sessions).toMatchObject([expected]);
    await shop.work();
    expect((await json(shop, 'sessions')).sessions).toMatchObject([expected]);
    const { stdout } = await shop.agent('sessions');
    expect(stdout).toMatch(
      /^s1 {2}claude-code {2}\S+ {2}\d{4}-\d\d-\d\d \d\d:\d\d UTC {2}1 prompt {2}1 file {2}Please add two\n$/,
    );
    expect((await json(shop, 'sessions', '-n', '0')).sessions).toEqual([]);
  });

  it('says that there is none', async () => {
    const shop = await openWorkshop({ agents: false });
    shops.push(shop);
    expect(await shop.agent('sessions')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'No conversation is recorded here.\n',
    });
    expect((await shop.agent('sessions', '-n', 'x')).status).toBe(2);
  });
});

describe('git agent show FILE:LINE', () => {
  it('prints the prompt, the edit and the evidence behind a line, committed or not', async () => {
    const shop = await story();
    const open = await shop.agent('show', 'src/a.ts:2');
    expect(open.stdout).toContain('commit    not committed\n');
    shop.commit('second');
    const { stdout, status } = await shop.agent('show', 'src/a.ts:2');
    expect(status).toBe(0);
    for (const printed of [open.stdout, stdout]) {
      expect(printed).toMatch(/^src\/a\.ts:2 {2}two\n/);
      expect(printed).toContain('evidence  observed\n');
      expect(printed).toContain('agent     claude-code');
      expect(printed).toContain('model     anthropic/claude-opus-4-5-20251101\n');
      expect(printed).toContain('address   agentlog:s1#toolu_');
      expect(printed).toContain('\nprompt\n    Please add two\n    and three now\n');
      expect(printed).toContain('\nedit src/a.ts\n');
      expect(printed).toContain('    +two\n');
      expect(printed).not.toContain('\x1b');
    }
    expect(stdout).toContain(shop.git('rev-parse', 'HEAD'));
    expect(await json(shop, 'show', 'src/a.ts:2')).toMatchObject({
      schema: 'git-agent-blame/line@1',
      file: 'src/a.ts',
      line: 2,
      type: 'ai',
      why: null,
      behind: {
        prompt: expect.stringContaining('Please add two'),
        edits: [{ type: 'fileOperation', path: 'src/a.ts' }],
      },
    });
  });

  it('says why there is no conversation', async () => {
    const shop = await story();
    shop.commit('second');
    expect((await shop.agent('show', 'src/a.ts:1')).stdout).toMatch(
      /A person wrote this line|Nobody knows who wrote this line/,
    );
    await shop.work();
    removeFolder(path.join(shop.common, 'agent', 'sessions'));
    fs.rmSync(shop.transcript('s1'));
    expect(await json(shop, 'show', 'src/a.ts:2')).toMatchObject({
      behind: null,
      why: expect.stringContaining('The session s1 is not recorded'),
    });
    expect((await shop.agent('show', 'src/a.ts:9')).status).toBe(2);
    expect((await shop.agent('show', 'nope:1')).stderr).toMatch(/^git agent: no such path 'nope' in HEAD: .*\.\n$/);
  });
});

describe('git agent show', () => {
  it('a session, by its id, its beginning or its address', async () => {
    const shop = await story();
    shop.ai('b.ts', 'b\n', 'long-session-id');
    for (const name of ['s1', 'agentlog:s1', 'agentlog:s1#toolu_0001']) {
      const { stdout } = await shop.agent('show', name);
      expect(stdout).toMatch(/^session {2}s1\nagent {4}claude-code/);
      expect(stdout).toContain('\nprompt\n    Please add two\n');
    }
    expect(await json(shop, 'show', 'long-s')).toMatchObject({ id: 'long-session-id', specVersion: '0.2.0' });
  });

  it('a commit: lines by file, and the sessions', async () => {
    const shop = await story();
    const commit = shop.commit('second');
    const expected = {
      schema: 'git-agent-blame/commit@1',
      commit,
      files: [{ path: 'src/a.ts', ai: 2, human: 0, mixed: 0, unknown: 0 }],
      sessions: [{ id: 's1', tool: { name: 'claude-code' }, lines: 2 }],
    };
    expect(await json(shop, 'show', 'HEAD')).toMatchObject(expected);
    await shop.work();
    expect(await json(shop, 'show', commit.slice(0, 10))).toMatchObject(expected);
    expect((await shop.agent('show', 'HEAD')).stdout).toContain('    src/a.ts  A 2  H 0  M 0  ? 0\n');
  });

  it('refuses what it does not know', async () => {
    const shop = await story();
    const { status, stderr } = await shop.agent('show', 'nothing');
    expect([status, stderr]).toEqual([2, expect.stringContaining('nothing is no session')]);
    expect((await shop.agent('show', 'agentlog:nope')).status).toBe(2);
    expect((await shop.agent('show')).status).toBe(2);
  });
});

describe('git agent status', () => {
  it('tells what is captured, pending and uncommitted', async () => {
    const shop = await story();
    const before = await json(shop, 'status');
    expect(before).toMatchObject({
      schema: 'git-agent-blame/status@1',
      capture: { agents: ['claude-code'] },
      sessions: { recorded: 0, pending: 1 },
      uncommitted: { files: [{ path: 'src/a.ts', ai: 2, human: 0, mixed: 0, unknown: 0 }], leftOut: 0 },
    });
    expect(before.pending.facts).toBeGreaterThan(0);
    shop.commit('second');
    await shop.work();
    const after = await json(shop, 'status');
    expect(after).toMatchObject({
      sessions: { recorded: 1 },
      pending: { facts: 0, commits: 0 },
      uncommitted: { files: [] },
    });
    const { stdout } = await shop.agent('status');
    expect(stdout).toMatch(
      /^capture {3}claude-code, since .*\nsessions {2}1 recorded, 0 pending\npending {3}0 facts, 0 commits without a record\n/,
    );
  });

  it('names a command that has begun and whose end nobody has told', async () => {
    const shop = await story();
    shop.shell('true');
    expect((await json(shop, 'status')).open).toEqual([]);
    const call = { tool_name: 'Bash', tool_use_id: 'toolu_killed', tool_input: { command: 'npm test' } };
    shop.hook('before', 's1', { hook_event_name: 'PreToolUse', ...call });
    const said = /^open {6}a command of s1 began at \S+Z and has not ended: what is typed meanwhile is unknown$/m;
    expect((await shop.agent('status')).stdout).toMatch(said);
    await shop.work();
    expect((await json(shop, 'status')).open).toMatchObject([{ session: 's1' }]);
    const { stdout } = await shop.agent('status');
    expect(stdout).toMatch(said);
    shop.hook('after', 's1', { hook_event_name: 'PostToolUse', ...call, tool_response: { stdout: '' } });
    expect((await json(shop, 'status')).open).toEqual([]);
  });

  it('counts notes that a remote lacks, and that we lack', async () => {
    const shop = await story();
    shop.commit('second');
    await shop.work();
    shop.git('update-ref', 'refs/notes/origin/agent/trace', 'refs/notes/agent/trace');
    expect((await json(shop, 'status')).remotes).toEqual([{ remote: 'origin', ahead: 0, behind: 0 }]);
    shop.git('notes', '--ref=refs/notes/agent/trace', 'append', '-m', '{"ours":1}', 'HEAD');
    shop.git('notes', '--ref=refs/notes/origin/agent/trace', 'append', '-m', '{"theirs":1}', 'HEAD');
    shop.git('notes', '--ref=refs/notes/origin/agent/trace', 'append', '-m', '{"theirs":2}', 'HEAD^{tree}');
    expect((await json(shop, 'status')).remotes).toEqual([{ remote: 'origin', ahead: 1, behind: 2 }]);
    shop.git('update-ref', '-d', 'refs/notes/agent/trace');
    expect((await json(shop, 'status')).remotes).toEqual([{ remote: 'origin', ahead: 0, behind: 2 + 1 }]);
  });

  it('works where nothing was set up, and before the first commit', async () => {
    const shop = await openWorkshop({ agents: false });
    shops.push(shop);
    shop.human('new', 'a\nb\n');
    expect(await json(shop, 'status')).toMatchObject({
      capture: null,
      uncommitted: { files: [{ path: 'new', unknown: 2 }] },
    });
    expect((await shop.agent('status')).stdout).toContain('not set up here: run git agent init\n');
  });
});
