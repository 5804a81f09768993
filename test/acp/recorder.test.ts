import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Conversation } from '../../src/acp/conversation.ts';
import { parseMessages, type Side } from '../../src/acp/message.ts';
import { Recorder } from '../../src/acp/recorder.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
let recorder: Recorder;
/** How much the clock of snapshots is behind. */
let behind: number;
let say: (side: Side, message: Record<string, unknown>) => void;

/** The tap hears everything at once: no snapshot is taken before the agent is done. */
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n');
  shop.commit('start');
  const conversation = new Conversation(['agent']);
  behind = 0;
  recorder = new Recorder({ conversation, cwd: shop.dir, now: () => Date.now() - behind, wake: () => {} });
  say = (side, message) => {
    for (const one of parseMessages(Buffer.from(JSON.stringify(message))))
      for (const heard of conversation.hear(side, one, Date.now())) recorder.take(heard);
  };
  say('client', { id: 0, method: 'session/new', params: { cwd: shop.dir } });
  say('agent', { id: 0, result: { sessionId: 's1' } });
  say('client', { id: 1, method: 'session/prompt', params: { sessionId: 's1', prompt: [] } });
});
afterEach(() => shop.remove());

const file = (name: string) => path.join(shop.dir, name);
const update = (fields: Record<string, unknown>) =>
  say('agent', { method: 'session/update', params: { sessionId: 's1', update: fields } });

interface Stated {
  readonly name: string;
  readonly old: string | null;
  readonly text: string;
}

function announce({ name, old, text }: Stated, status = 'pending'): void {
  const content = [{ type: 'diff', path: file(name), oldText: old, newText: text }];
  update({ sessionUpdate: 'tool_call', toolCallId: `t-${name}`, kind: 'edit', status, content });
}

function ask({ name }: Stated): void {
  const options = [{ optionId: 'yes', kind: 'allow_once' }];
  const params = { sessionId: 's1', toolCall: { toolCallId: `t-${name}` }, options };
  say('agent', { id: 7, method: 'session/request_permission', params });
  say('client', { id: 7, result: { outcome: { outcome: 'selected', optionId: 'yes' } } });
}

const complete = ({ name }: Stated) =>
  update({ sessionUpdate: 'tool_call_update', toolCallId: `t-${name}`, status: 'completed' });

async function finish(): Promise<void> {
  say('agent', { id: 1, result: { stopReason: 'end_turn' } });
  await recorder.finish();
}

const told = async (name: string) => (await shop.json(name)).lines.map(({ type, evidence }) => `${type} ${evidence}`);

test('an agent that is quicker than any snapshot: what stood there is read when it asks', async () => {
  shop.human('a.txt', 'typed\n');
  const edit = { name: 'a.txt', old: 'typed\n', text: 'typed\nby the agent\n' };
  announce(edit);
  ask(edit);
  fs.writeFileSync(file('a.txt'), edit.text);
  complete(edit);
  await finish();
  shop.commit();
  expect(await told('a.txt')).toEqual(['human observed', 'ai observed']);
});

test('one that does not ask: what it says and what stands there agree, so that it is its own', async () => {
  const edit = { name: 'a.txt', old: null, text: 'by the agent\n' };
  announce(edit);
  fs.writeFileSync(file('a.txt'), edit.text);
  complete(edit);
  shop.human('mine.txt', 'typed\n');
  await finish();
  shop.commit();
  expect(await told('a.txt')).toEqual(['ai observed']);
  expect(await told('mine.txt')).toEqual(['human absent']);
});

test('one that speaks only when it is done', async () => {
  await recorder.finish(); // the snapshot of the prompt
  const edit = { name: 'a.txt', old: null, text: 'by the agent\n' };
  fs.writeFileSync(file('a.txt'), edit.text);
  announce(edit, 'completed');
  await finish();
  shop.commit();
  expect(await told('a.txt')).toEqual(['ai observed']);
});

test('a part of a file that nobody looked at in time: that part, and the rest is unknown', async () => {
  shop.human('a.txt', 'one\ntwo\n').commit('base');
  const edit = { name: 'a.txt', old: 'two\n', text: 'two by the agent\n' };
  announce(edit);
  fs.writeFileSync(file('a.txt'), 'one\ntwo by the agent\nwho wrote this\n');
  complete(edit);
  await finish();
  shop.commit();
  expect(await told('a.txt')).toEqual(['human absent', 'ai replayed', 'unknown null']);
});

test('writing what a person has written is not writing', async () => {
  shop.human('a.txt', 'typed\n');
  const edit = { name: 'a.txt', old: null, text: 'typed\n' };
  announce(edit);
  ask(edit);
  fs.writeFileSync(file('a.txt'), edit.text);
  complete(edit);
  await finish();
  shop.commit();
  expect(await told('a.txt')).toEqual(['human absent']);
});

test('a command that began before any snapshot was complete: unknown, not a person’s', async () => {
  const call = { toolCallId: 'c1', kind: 'execute', rawInput: { command: 'echo x > gen.txt' } };
  update({ sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
  fs.writeFileSync(file('gen.txt'), 'x\n');
  update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' });
  await finish();
  shop.commit();
  expect(await told('gen.txt')).toEqual(['unknown null']);
});

const begin = (kind: string, more: Record<string, unknown>) =>
  update({ sessionUpdate: 'tool_call', toolCallId: 't-c', kind, status: 'in_progress', ...more });

test('what a person saved before a command began is not the command’s, though it writes the same file', async () => {
  await recorder.finish(); // the snapshot of the prompt
  shop.human('p.txt', 'typed before\n').human('start.txt', 'start\ntyped before\n');
  await sleep(600);
  begin('execute', { rawInput: { command: 'python3 gen.py' } });
  fs.writeFileSync(file('gen.txt'), 'generated\n');
  await recorder.finish();
  fs.appendFileSync(file('start.txt'), 'generated\n');
  complete({ name: 'c', old: null, text: '' });
  await finish();
  shop.commit();
  expect(await told('p.txt')).toEqual(['human absent']);
  expect(await told('start.txt')).toEqual(['human absent', 'human observed', 'ai observed']);
  expect(await told('gen.txt')).toEqual(['ai observed']);
});

test.each([
  ['nobody can tell whose it is', 'make -C build all', 'unknown null'],
  ['a command that names the file ran before it was told of', 'make > p.txt', 'ai observed'],
])('saved just before a command was told of: %s', async (_, command, expected) => {
  await recorder.finish();
  shop.human('p.txt', 'saved just before\n');
  await sleep(60);
  begin('execute', { rawInput: { command } });
  complete({ name: 'c', old: null, text: '' });
  await finish();
  shop.commit();
  expect(await told('p.txt')).toEqual([expected]);
});

test('a command right after an edit: what the edit left is no riddle, and a person’s next file is theirs', async () => {
  await recorder.finish(); // the snapshot of the prompt
  const edit = { name: 'a.txt', old: null, text: 'by the agent\n' };
  announce(edit);
  fs.writeFileSync(file('a.txt'), edit.text);
  behind = -5000; // no snapshot is complete when the command begins
  complete(edit);
  await sleep(50);
  begin('execute', { rawInput: { command: 'echo x > gen.txt' } });
  fs.writeFileSync(file('gen.txt'), 'x\n');
  update({ sessionUpdate: 'tool_call_update', toolCallId: 't-c', status: 'completed' });
  await finish();
  shop.human('mine.txt', 'typed\n').commit();
  expect(await told('a.txt')).toEqual(['ai observed']);
  expect(await told('gen.txt')).toEqual(['ai observed']);
  expect(await told('mine.txt')).toEqual(['human absent']);
});

test('an edit that names only its file: the file is read when the call begins', async () => {
  await recorder.finish();
  shop.human('a.txt', 'typed before\n');
  await sleep(600);
  begin('edit', { locations: [{ path: file('a.txt') }] });
  fs.appendFileSync(file('a.txt'), 'by the agent\n');
  complete({ name: 'c', old: null, text: '' });
  await finish();
  shop.commit();
  expect(await told('a.txt')).toEqual(['human observed', 'ai observed']);
});

test('an edit that names only its file, quicker than anybody looked: unknown', async () => {
  behind = 5000; // the snapshot of the prompt is old
  await recorder.finish();
  behind = 0;
  shop.human('a.txt', 'typed before\nby the agent\n');
  begin('edit', { locations: [{ path: file('a.txt') }] });
  complete({ name: 'c', old: null, text: '' });
  await finish();
  shop.commit();
  expect(await told('a.txt')).toEqual(['unknown null', 'unknown null']);
});

test('an edit as the draft of version 2 tells it: operations, and a patch of some', async () => {
  await recorder.finish();
  const changes = ['start.txt', 'g.txt'].map((name) => ({ operation: 'modify', path: file(name) }));
  const text = `diff --git ${file('start.txt')} ${file('start.txt')}\n+++ ${file('start.txt')}\n@@ -1 +1,2 @@\n start\n+agent\n`;
  const content = [{ type: 'diff', changes, patch: { format: 'git_patch', text } }];
  update({ sessionUpdate: 'tool_call_update', toolCallId: 't-c', kind: 'edit', status: 'in_progress', content });
  fs.writeFileSync(file('start.txt'), 'start\nagent\n');
  fs.writeFileSync(file('g.txt'), 'agent\n');
  complete({ name: 'c', old: null, text: '' });
  await finish();
  shop.commit();
  expect(await told('start.txt')).toEqual(['human absent', 'ai observed']);
  expect(await told('g.txt')).toEqual(['ai observed']);
});

test('words without end are cut once', async () => {
  const text = 'x'.repeat(1 << 20);
  for (let i = 0; i < 3; i++) update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  await finish();
  await shop.work();
  const { stdout } = await shop.agent('show', 's1');
  expect(stdout.length).toBeLessThan(300_000);
  expect(stdout.match(/\[\d+ more characters\]/g)).toEqual([`[${3 * (1 << 20) - 255 * 1024} more characters]`]);
});
