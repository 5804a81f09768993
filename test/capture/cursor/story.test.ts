import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../../support/workshop.ts';

const SESSION = 'c1cb0000-0000-4000-8000-000000000001';
let shop: Workshop;
let calls = 0;
beforeEach(async () => {
  shop = await openWorkshop({ agents: 'cursor' });
});
afterEach(() => shop.remove());

interface Entry {
  readonly command: string;
  readonly matcher?: string;
}

/** Cursor runs what its settings say, in its own folder, with a payload in the recorded shape. */
function fire(event: string, body: Record<string, unknown>): void {
  const folder = path.join(shop.home, '.cursor');
  const { hooks } = JSON.parse(fs.readFileSync(path.join(folder, 'hooks.json'), 'utf8')) as {
    hooks: Record<string, Entry[]>;
  };
  const common = {
    session_id: SESSION,
    hook_event_name: event,
    cursor_version: '2026.09.28',
    workspace_roots: [shop.dir],
  };
  const payload = {
    conversation_id: SESSION,
    model: 'default',
    ...body,
    ...common,
    user_email: null,
    transcript_path: null,
  };
  for (const { command, matcher } of hooks[event] ?? []) {
    if (matcher !== undefined && !new RegExp(matcher).test(String(body.tool_name))) continue;
    const options = { cwd: folder, env: { ...process.env, HOME: shop.home }, input: JSON.stringify(payload) };
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { ...options, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  }
}

/** An edit: read, written, told after the edit and after the tool. */
function edit(file: string, old: string, fresh: string): void {
  const full = path.join(shop.dir, file);
  const tool_use_id = `call-${calls}-0\nfc_${calls++}_0`;
  const content = old === '' ? fresh : shop.read(file).replace(old, () => fresh);
  const call = { tool_name: 'Write', tool_input: { file_path: full, content }, tool_use_id };
  fire('preToolUse', { ...call, tool_name: 'Read', tool_input: { file_path: full } });
  fire('preToolUse', call);
  shop.human(file, content);
  fire('afterFileEdit', { file_path: full, edits: [{ old_string: old, new_string: fresh }] });
  fire('postToolUse', { ...call, tool_output: JSON.stringify({ file_path: full, success: true }), duration: 27.4 });
}

function shell(command: string): void {
  // Cursor leaves both empty where it is the workspace's
  const call = { tool_name: 'Shell', tool_input: { command, cwd: '' }, tool_use_id: `4ec9-${calls++}`, cwd: '' };
  fire('preToolUse', call);
  const { status } = spawnSync('sh', ['-c', command], { cwd: shop.dir });
  if (status === 0) fire('postToolUse', { ...call, tool_output: '{"output":"","exitCode":0}', duration: 80.1 });
  else fire('postToolUseFailure', { ...call, error_message: 'OOPS', failure_type: 'error', is_interrupt: false });
}

test('every line of a day with Cursor', async () => {
  shop.human('app.ts', 'one\ntwo\nthree\nfour\n').human('mine.txt', 'typed before\n').commit('start');
  shop.human('app.ts', 'one\ntwo\nthree\nfour, by a person\n');
  fire('beforeSubmitPrompt', { prompt: 'Do it all.', attachments: [] });
  edit('new.ts', '', 'first\nsecond\n');
  edit('app.ts', 'two\n', 'two, changed\ntwo and a half\n');
  edit('new.ts', 'second', 'second, changed');
  shell("printf 'by the shell\\n' > made.txt; exit 3");
  shop.human('new.ts', `${shop.read('new.ts')}third, by a person\n`);
  edit('new.ts', 'first', 'first, changed');
  fire('stop', { status: 'completed', loop_count: 0 });
  shop.commit('all of it');
  const told = async (file: string) =>
    (await shop.json(file)).lines.map(({ type, evidence, event }) => `${type} ${evidence} ${event ?? ''}`.trim());
  for (const moment of ['pending', 'worked']) {
    expect(await told('app.ts'), moment).toEqual([
      'human absent',
      'ai observed call-1-0:fc_1_0',
      'ai observed call-1-0:fc_1_0',
      'human absent',
      'human observed',
    ]);
    expect(await told('new.ts'), moment).toEqual([
      'ai observed call-4-0:fc_4_0',
      'ai observed call-2-0:fc_2_0',
      'human observed',
    ]);
    expect(await told('made.txt'), moment).toEqual(['ai observed 4ec9-3']);
    expect(await told('mine.txt'), moment).toEqual(['human absent']);
    await shop.work();
  }
  const { stdout } = await shop.agent('show', 'app.ts:2');
  expect(stdout).toContain('Do it all.');
});

test('a file that is written over for the first time: what stood there is not shown, and nobody’s', async () => {
  shop.human('app.ts', 'one\ntwo\n').commit('start');
  const full = path.join(shop.dir, 'app.ts');
  const call = {
    tool_name: 'Write',
    tool_input: { file_path: full, content: 'all new\n' },
    tool_use_id: 'call-0\nfc_0',
  };
  shop.human('app.ts', 'all new\n');
  fire('postToolUse', { ...call, tool_output: JSON.stringify({ file_path: full, success: true }) });
  shop.commit('over');
  expect((await shop.json('app.ts')).lines.map(({ type }) => type)).toEqual(['unknown']);
});
