import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plugin } from '../../../src/capture/pi/plugin.ts';
import { removeFolder } from '../../support/remove.ts';
import { makeFolder } from '../../support/repository.ts';

type Handler = (event: unknown, ctx: unknown) => Promise<unknown>;
type Payload = Record<string, unknown>;

let folder: string;
beforeEach(() => {
  folder = makeFolder('pi-extension');
});
afterEach(() => removeFolder(folder));

/** The extension as Pi loads it; what it tells lands in a file, one line per mode. */
async function load(
  command = (mode: string) => `p=$(cat); printf '%s %s\n' ${mode} "$p" >> '${folder}/told' # agent-hook`,
) {
  const added = plugin.add(undefined, command, new Map());
  if ('refused' in added) throw new Error(added.refused);
  const file = path.join(folder, 'extension.mjs');
  fs.writeFileSync(file, added.text);
  const { default: extension } = await import(file);
  const handlers = new Map<string, Handler>();
  extension({ on: (name: string, handler: Handler) => handlers.set(name, handler) });
  const sessionManager = { getSessionId: () => 's', getSessionFile: () => undefined };
  const ctx = { cwd: folder, model: { provider: 'p', id: 'm' }, sessionManager };
  return (name: string, event: unknown, context: unknown = ctx) => handlers.get(name)?.(event, context);
}

const call = (toolCallId: string, toolName: string, input: unknown) => ({ toolCallId, toolName, input });
const result = (toolCallId: string, toolName: string, input: unknown, more: object = {}) => ({
  ...call(toolCallId, toolName, input),
  isError: false,
  content: [{ type: 'text', text: 'ok' }],
  ...more,
});

function told(): [string, Payload][] {
  const text = fs.existsSync(`${folder}/told`) ? fs.readFileSync(`${folder}/told`, 'utf8') : '';
  return text.split('\n').flatMap((line): [string, Payload][] => {
    const at = line.indexOf(' ');
    return at < 0 ? [] : [[line.slice(0, at), JSON.parse(line.slice(at + 1))]];
  });
}

test('an edit is told with the file before and after; the end waits until all is told', async () => {
  const send = await load();
  await send('tool_call', call('c', 'write', { path: 'a.txt', content: 'x' }));
  fs.writeFileSync(`${folder}/a.txt`, 'x');
  await send('tool_result', result('c', 'write', { path: 'a.txt', content: 'x' }));
  await send('session_shutdown', {});
  expect(told()).toMatchObject([
    ['event', { git_agent: 'pi', session_id: 's', file_path: `${folder}/a.txt`, before: null, after: 'x' }],
  ]);
});

test('two edits of one file side by side are told as calls', async () => {
  const send = await load();
  fs.writeFileSync(`${folder}/a.txt`, '1\n2\n');
  const edit = (id: string) => ({ path: `${folder}/a.txt`, edits: [{ oldText: id, newText: `${id}!` }] });
  await send('tool_call', call('1', 'edit', edit('1')));
  await send('tool_call', call('2', 'edit', edit('2')));
  fs.writeFileSync(`${folder}/a.txt`, '1!\n2!\n');
  for (const id of ['1', '2']) await send('tool_result', result(id, 'edit', edit(id), { details: { patch: 'p' } }));
  await send('session_shutdown', {});
  const payloads = told().map(([, payload]) => payload);
  expect(payloads.map(({ tool_input }) => tool_input)).toEqual(expect.arrayContaining([edit('1'), edit('2')]));
  expect(payloads.every((payload) => !('after' in payload))).toBe(true);
});

test('around a command it waits, so that snapshots are of before and after', async () => {
  const send = await load();
  await send('tool_call', call('c', 'bash', { command: 'make' }));
  expect(told()).toMatchObject([['before', { tool_call_id: 'c', tool_input: { command: 'make' } }]]);
  await send('tool_result', result('c', 'bash', { command: 'make' }, { isError: true }));
  expect(told()[1]).toMatchObject(['after', { is_error: true, content: 'ok' }]);
});

test('failed edits and other tools are not told; prompts and ends are', async () => {
  const send = await load();
  await send('tool_call', call('c', 'edit', { path: 'a', edits: [] }));
  await send('tool_result', result('c', 'edit', { path: 'a', edits: [] }, { isError: true }));
  await send('tool_call', call('r', 'read', { path: 'a' }));
  await send('tool_result', result('r', 'read', { path: 'a' }));
  await send('message_end', { message: { role: 'assistant', content: [] } });
  await send('message_end', { message: { role: 'user', content: [{ type: 'text', text: 'go' }], timestamp: 1 } });
  await send('session_shutdown', {});
  await send('agent_end', {});
  await send('session_shutdown', {});
  expect(told()).toMatchObject([
    ['event', { hook: 'prompt', content: 'go', timestamp: 1 }],
    ['end', { hook: 'agent_end' }],
  ]);
});

test('nothing that it is given, and no hook that fails, reaches Pi', async () => {
  const send = await load(() => 'exit 3 # agent-hook');
  for (const event of [undefined, null, {}, call('c', 'write', null), call('c', 'bash', {}), { message: null }]) {
    for (const name of ['message_end', 'tool_call', 'tool_result', 'agent_end', 'session_shutdown']) {
      await expect(send(name, event)).resolves.toBeUndefined();
      await expect(send(name, event, {})).resolves.toBeUndefined();
    }
  }
});

test('the file is ours alone: written once, known again, left where it is the user’s', () => {
  const command = (mode: string) => `sh "$HOME/x/agent-hook" pi ${mode}`;
  const added = plugin.add(undefined, command, new Map());
  if ('refused' in added) throw new Error(added.refused);
  expect(added.text).toContain('agent-hook');
  expect(plugin.add(added.text, command, new Map())).toEqual(added);
  expect(plugin.remove(added.text, () => true)).toEqual({ text: undefined });
  expect(plugin.add('export default () => {};\n', command, new Map())).toHaveProperty('refused');
  expect(plugin.remove('mine', () => true)).toEqual({ text: 'mine' });
});
