import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildPrograms } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const SHIM = path.join(import.meta.dirname, '..', '..', 'git-hooks', 'agent-hook');

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

/** The shim with any bytes at all; it must be silent and succeed. */
function hook(input: string | Buffer, mode = 'event'): void {
  const { status, stdout, stderr } = spawnSync('sh', [SHIM, 'claude-code', mode], {
    cwd: shop.dir,
    env: { ...process.env, HOME: shop.home },
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect([status, stdout, stderr]).toEqual([0, '', '']);
}

function log(): string {
  return fs.readFileSync(path.join(shop.common, 'agent', 'hooks.log'), 'utf8');
}

function waiting(): string[] {
  return fs.readdirSync(path.join(shop.common, 'agent', 'payloads'));
}

/** One payload as Claude Code sends it, with anything else on top. */
function payload(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    session_id: 's1',
    transcript_path: shop.transcript('s1'),
    cwd: shop.dir,
    permission_mode: 'default',
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_use_id: 'toolu_strange',
    tool_input: {},
    tool_response: {},
    ...over,
  };
}

describe('payloads', () => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const cursor = {
    conversation_id: 'c',
    generation_id: 'g',
    hook_event_name: 'afterFileEdit',
    cursor_version: '1.7',
    workspace_roots: ['/x'],
    file_path: '/x/a.txt',
    edits: [{ old_string: '', new_string: 'agent' }],
    session_id: 'c',
  };

  test('that nobody understands are counted, removed, and harm nobody', async () => {
    const strange: (string | Buffer)[] = [
      'not JSON at all',
      '{"session_id":"s1"',
      'null',
      '[]',
      deep,
      JSON.stringify(payload()).replace('"tool_input":{}', `"tool_input":${deep}`),
      Buffer.from([0, 0, 0, 0xff, 0xfe, 0x0a]),
      JSON.stringify(cursor),
      JSON.stringify(payload({ session_id: 7, cwd: [], tool_use_id: {} })),
      JSON.stringify(payload({ tool_input: [], tool_response: 'x' })),
      JSON.stringify(payload({ hook_event_name: '__proto__' })),
      JSON.stringify(payload()).replace(
        '"tool_response":{}',
        '"tool_response":{"__proto__":{"type":"create"},"constructor":1}',
      ),
    ];
    for (const one of strange) hook(one);
    shop.human('a.txt', 'person one\n');
    shop.ai('a.txt', 'person one\nagent two\n');
    for (const one of strange) hook(one, 'before');
    shop.commit();
    // something was told of at that time: what a person typed then is not proven any more
    expect(await shop.blame('a.txt')).toBe('ua');
    await shop.work();
    expect(await shop.blame('a.txt')).toBe('ua');
    expect(waiting()).toEqual([]);
    expect(log().match(/was not understood/g)?.length).toBeGreaterThanOrEqual(16);
    expect(Object.keys({})).toEqual([]);
  });

  test('with NUL, lone surrogates and invalid UTF-8 in names and texts', async () => {
    const text = Buffer.from('agent \u0000 one\nagent \ud800 two\nagent three\n');
    shop.human('a.txt', 'agent one\nagent two\nagent three\n');
    const told = JSON.stringify(payload({ tool_input: { file_path: path.join(shop.dir, 'a\u0000b'), content: 'x' } }));
    hook(told);
    hook(
      Buffer.concat([Buffer.from(told.slice(0, -1)), Buffer.from([0x2c, 0x22, 0xff, 0xc3, 0x22, 0x3a, 0x31, 0x7d])]),
    );
    const response = {
      type: 'create',
      filePath: path.join(shop.dir, 'a.txt'),
      content: text.toString(),
      originalFile: null,
    };
    hook(JSON.stringify(payload({ tool_input: { file_path: path.join(shop.dir, 'a.txt') }, tool_response: response })));
    shop.commit();
    const letters = await shop.blame('a.txt');
    expect(letters.at(2)).toBe('a');
    await shop.work();
    expect(await shop.blame('a.txt')).toBe(letters);
    expect(waiting()).toEqual([]);
  });

  test('of 50 megabytes', async () => {
    const input = { file_path: path.join(shop.dir, 'c.txt'), content: `${'x'.repeat(1023)}\n`.repeat(50 << 10) };
    const response = { type: 'create', filePath: input.file_path, content: input.content, originalFile: null };
    hook(JSON.stringify(payload({ tool_input: input, tool_response: response })));
    shop.ai('a.txt', 'agent one\n');
    shop.commit();
    await shop.work();
    expect(await shop.blame('a.txt')).toBe('a');
    expect(waiting()).toEqual([]);
  });

  test('a path of very many folders, an endless name, a name that is only dots', async () => {
    for (const file of [
      `/${'a/'.repeat(60_000)}x`,
      `${shop.dir}/${'y'.repeat(100_000)}`,
      '..',
      '.',
      '',
      '/',
      `${shop.dir}/../..`,
    ])
      hook(
        JSON.stringify(
          payload({
            tool_use_id: `t${file.length}`,
            tool_input: { file_path: file, content: 'z\n' },
            tool_response: { type: 'create', filePath: file, content: 'z\n', originalFile: null },
          }),
        ),
      );
    shop.ai('a.txt', 'agent one\n');
    shop.commit();
    expect(await shop.blame('a.txt')).toBe('a');
    await shop.work();
    expect(waiting()).toEqual([]);
  });
});

describe('transcripts', () => {
  /** An agent that no hook saw: only its transcript tells. */
  function toldOnly(file: string, text: string, id: string, session = 's1'): void {
    const full = path.join(shop.dir, file);
    shop.human(file, text);
    shop.tell(session, id, 'Write', { file_path: full, content: text });
    shop.tellResult(session, id, {
      type: 'create',
      filePath: full,
      content: text,
      structuredPatch: [],
      originalFile: null,
    });
  }

  test('cut off in the middle of a line, torn into each other, with NUL and bytes that are no text', async () => {
    toldOnly('a.txt', 'agent one\n', 'toolu_a');
    const file = shop.transcript('s1');
    const [first = ''] = fs.readFileSync(file, 'utf8').split('\n');
    fs.appendFileSync(file, first.slice(0, 90)); // torn, and the next line follows on it
    fs.appendFileSync(file, `${first}\n`);
    fs.appendFileSync(file, Buffer.concat([Buffer.alloc(4096), Buffer.from([0xff, 0xc3, 0x28, 0x0a, 0x0a])]));
    fs.appendFileSync(file, '{"type":"assistant","message":{"content":"x"},"__proto__":{"uuid":"y"}}\n[1,2]\n7\n');
    fs.appendFileSync(file, `${'['.repeat(100_000)}\n`);
    toldOnly('b.txt', 'agent two\n', 'toolu_b');
    fs.appendFileSync(file, first.slice(0, 50));
    shop.commit();
    expect([await shop.blame('a.txt'), await shop.blame('b.txt')]).toEqual(['a', 'a']);
    await shop.work();
    expect([await shop.blame('a.txt'), await shop.blame('b.txt')]).toEqual(['a', 'a']);
    const state = JSON.parse(fs.readFileSync(path.join(shop.common, 'agent', 'state.json'), 'utf8'));
    expect(state.skipped['claude-code broken line']).toBeGreaterThanOrEqual(2);
  });

  test('a folder or a pipe in the place of a transcript', async () => {
    fs.mkdirSync(shop.transcript('s1'), { recursive: true });
    spawnSync('mkfifo', [shop.transcript('s2')]);
    shop.human('a.txt', 'person one\n').commit();
    expect(await shop.blame('a.txt')).toBe('h');
    await shop.work();
  });

  test('a line of 100 megabytes is skipped and counted, with less than 300 megabytes', {
    timeout: 90_000,
  }, async () => {
    const programs = await buildPrograms();
    try {
      toldOnly('a.txt', 'agent one\n', 'toolu_a');
      const file = shop.transcript('s1');
      const piece = Buffer.alloc(10 << 20, 'x');
      fs.appendFileSync(file, '{"type":"assistant","text":"');
      for (let i = 0; i < 10; i++) fs.appendFileSync(file, piece);
      fs.appendFileSync(file, '"}\n');
      toldOnly('b.txt', 'agent two\n', 'toolu_b');
      shop.commit();
      const rss = path.join(shop.home, 'rss');
      const watch = `data:text/javascript,import fs from 'node:fs'; process.on('exit', () => fs.writeFileSync(${JSON.stringify(rss)}, String(process.resourceUsage().maxRSS)))`;
      const args = ['--import', watch, path.join(programs.dir, 'git-agent.js'), 'work'];
      const { status } = spawnSync(process.execPath, args, { cwd: shop.dir, env: { ...process.env, HOME: shop.home } });
      expect(status).toBe(0);
      expect(Number(fs.readFileSync(rss, 'utf8')) / 1024).toBeLessThan(300);
      const state = JSON.parse(fs.readFileSync(path.join(shop.common, 'agent', 'state.json'), 'utf8'));
      expect(state.skipped).toMatchObject({ 'claude-code broken line': 1 });
      expect([await shop.blame('a.txt'), await shop.blame('b.txt')]).toEqual(['a', 'a']);
      expect(waiting()).toEqual([]);
    } finally {
      programs.remove();
    }
  });
});
