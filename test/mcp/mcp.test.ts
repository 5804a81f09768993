import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCHEMA as BLAME } from '../../src/blame/json.ts';
import { buildPrograms, type Programs } from '../cli/program.ts';
import { story } from '../serve/story.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import type { Workshop } from '../support/workshop.ts';

let programs: Programs;
let shop: Workshop;
let client: Client;
let said = '';

interface Answered {
  readonly text: string;
  readonly data: Record<string, unknown> | undefined;
  readonly isError: boolean;
}

async function connect(cwd: string): Promise<Client> {
  const env = { ...programs.env, HOME: shop.home } as Record<string, string>;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(programs.dir, 'git-agent.js'), 'mcp'],
    cwd,
    env,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const one = new Client({ name: 'test', version: '1' });
  await one.connect(transport);
  return one;
}

async function ask(name: string, args: Record<string, unknown>, by = client): Promise<Answered> {
  const { content, structuredContent, isError } = await by.callTool({ name, arguments: args });
  const [first] = content as { type: string; text: string }[];
  return {
    text: first?.text ?? '',
    data: structuredContent as Record<string, unknown> | undefined,
    isError: isError === true,
  };
}

beforeAll(async () => {
  [programs, shop] = await Promise.all([buildPrograms(), story()]);
  shop.human('long.txt', 'x\n'.repeat(450)).commit('long');
  // an agent is at work in a folder of its own
  client = await connect(path.join(shop.dir, 'src'));
});
afterAll(async () => {
  await client?.close();
  shop?.remove();
  programs?.remove();
});

describe('git agent mcp, asked by a client of the official SDK', () => {
  it('says what it is and offers four tools that only read', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'git-agent-blame', version: '1.2.3' });
    expect(client.getInstructions()).toContain('why(file, line)');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['blame', 'why', 'search_conversations', 'report']);
    for (const { annotations, inputSchema, outputSchema, description } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ required: ['schema'] });
      expect(description?.length).toBeLessThan(200);
    }
  });

  it.each(['a.ts', 'src/a.ts', 'TOP/src/a.ts'])('blame finds a file however it is named: %s', async (named) => {
    const file = named.replace('TOP', shop.dir);
    const { text, data } = await ask('blame', { file });
    expect(text).toMatch(/^src\/a\.ts: 3 lines, 2 ai, \d human, 0 mixed, \d unknown\n1 {2}/);
    expect(text).toMatch(/\n2-3 {2}ai, claude-code, anthropic\/claude-opus-4-5-20251101, session s1, observed, via /);
    const { stdout } = spawnSync('git', ['agent-blame', '--json', 'src/a.ts'], {
      cwd: shop.dir,
      encoding: 'utf8',
      env: { ...programs.env, HOME: shop.home },
    });
    expect(data).toEqual(JSON.parse(stdout));
    expect(data?.schema).toBe(BLAME);
  });

  it('blame takes lines and a revision', async () => {
    expect((await ask('blame', { file: 'a.ts', start_line: 2, end_line: 2 })).data?.lines).toMatchObject([{ line: 2 }]);
    expect((await ask('blame', { file: 'a.ts', start_line: 3 })).data?.lines).toMatchObject([{ line: 3 }]);
    expect((await ask('blame', { file: 'a.ts', revision: 'HEAD~2' })).data?.lines).toMatchObject([{ text: 'one' }]);
  });

  it('blame of a long file tells its beginning and how to go on', async () => {
    const { text, data } = await ask('blame', { file: '../long.txt' });
    expect(text).toContain('… 350 more lines: ask again with start_line 101');
    expect(data).toMatchObject({ leftOut: 350, summary: { total: 450 } });
    expect(data?.lines).toHaveLength(100);
    expect((await ask('blame', { file: '../long.txt', start_line: 101 })).text).toContain('start_line 201');
  });

  it('why tells the prompt and the edit behind a line, as git agent show does', async () => {
    const { text, data } = await ask('why', { file: 'a.ts', line: 2 });
    expect(text).toContain('Please add two');
    expect(text).toContain('+\ttwo');
    expect(text).not.toContain('\x1b');
    const { stdout } = await shop.agent('show', 'src/a.ts:2', '--json');
    expect(data).toEqual(JSON.parse(stdout));
    expect((await ask('why', { file: 'a.ts', line: 1 })).data).toMatchObject({ behind: null, why: expect.any(String) });
  });

  it('search_conversations finds words in any order and case, secrets stay redacted', async () => {
    const { text, data } = await ask('search_conversations', { query: 'TWO please' });
    expect(data).toMatchObject({
      schema: 'git-agent-blame/search@1',
      total: 1,
      hits: [
        { session: 's1', agent: 'claude-code', kind: 'prompt', conversation: expect.stringMatching(/^agentlog:s1#/) },
      ],
    });
    expect(text).toMatch(
      /^1 found:\n\d{4}-\d\d-\d\d \d\d:\d\d UTC claude-code .*agentlog:s1#\S+\n {2}.*Please add two/,
    );
    expect((await ask('search_conversations', { query: 'two nowhere' })).data).toMatchObject({ total: 0, hits: [] });
    const secret = `ghp_${'Ab1'.repeat(12)}`;
    shop.prompt(`Use this key ${secret} for deploying`, 's3');
    const found = await ask('search_conversations', { query: 'deploying key', limit: 1 });
    expect(found.data).toMatchObject({ total: 1 });
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  it('report counts added and standing lines', async () => {
    const { text, data } = await ask('report', { range: 'HEAD~2..HEAD~1' });
    expect(text).toContain('100 % of 2 added lines were written by agents');
    expect(data).toMatchObject({
      schema: 'git-agent-blame/report@1',
      scope: { kind: 'added', range: 'HEAD~2..HEAD~1', commits: 1 },
      counts: { total: 2, ai: 2 },
      by: { path: [{ key: 'src/a.ts' }], model: [{ key: 'anthropic/claude-opus-4-5-20251101' }] },
      files: [],
      leftOut: { files: 1 },
    });
    expect((await ask('report', { standing: true })).data).toMatchObject({
      scope: { kind: 'standing' },
      counts: { ai: 2 },
    });
  });

  it.each([
    ['blame', { file: '../../../etc/passwd' }, /outside of this repository/],
    ['blame', { file: '/etc/passwd' }, /outside of this repository/],
    ['blame', { file: 'nope.ts' }, /no such path/],
    ['blame', { file: 'a.ts', revision: '--contents=/etc/passwd' }, /names no commit/],
    ['blame', { file: 'a.ts', start_line: 3, end_line: 1 }, /end_line comes before/],
    ['blame', { file: 'a.ts', start_line: 900 }, /has only 3 lines/],
    ['blame', {}, /file is missing/],
    ['blame', { file: 5 }, /must be of type string/],
    ['blame', { file: 'a\0b' }, /zero byte/],
    ['blame', { file: 'a.ts', __proto__x: 1 }, /There is no argument/],
    ['why', { file: 'a.ts', line: 0 }, /between 1 and/],
    ['why', { file: 'a.ts', line: 1.5 }, /of type integer/],
    ['report', { range: '--output=/tmp/x' }, /bad revision|ambiguous argument|unknown/],
    ['search_conversations', { query: 'x'.repeat(401) }, /longer than 400/],
  ])('%s %j is an answer that says what is wrong', async (name, args, expected) => {
    const { text, isError, data } = await ask(name, args);
    expect(text).toMatch(expected);
    expect(text).not.toMatch(/root:x|mistake/);
    expect([isError, data]).toEqual([true, undefined]);
  });

  it('an unknown tool is an error of the protocol', async () => {
    await expect(ask('write_file', {})).rejects.toThrow('There is no tool write_file.');
  });

  it('outside of a repository it starts all the same, and says so when asked', async () => {
    const dir = makeFolder('nowhere');
    const other = await connect(dir);
    try {
      expect(await ask('blame', { file: 'a.ts' }, other)).toMatchObject({
        isError: true,
        text: expect.stringContaining('is not inside a git repository'),
      });
    } finally {
      await other.close();
      removeFolder(dir);
    }
  });

  it('writes nothing but the protocol on standard output, answers what was asked before the end, and ends', async () => {
    const child = spawn(process.execPath, [path.join(programs.dir, 'git-agent.js'), 'mcp'], {
      cwd: shop.dir,
      env: { ...programs.env, HOME: shop.home },
    });
    const out: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } };
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'blame', arguments: { file: 'src/a.ts' } } },
    ];
    child.stdin.write('this is not JSON\n');
    child.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(0);
    const lines = Buffer.concat(out).toString().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
    expect(said).toBe('');
  });
});
