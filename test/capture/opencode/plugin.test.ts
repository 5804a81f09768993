import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { kilo } from '../../../src/capture/kilo/index.ts';
import { opencode } from '../../../src/capture/opencode/index.ts';
import { removeFolder } from '../../support/remove.ts';
import { makeFolder } from '../../support/repository.ts';

type Payload = Record<string, unknown>;
type Hooks = Record<string, (input: unknown, output?: unknown) => Promise<void>>;

let folder: string;
let repo: string;
beforeEach(() => {
  folder = makeFolder('opencode-plugin');
  repo = path.join(folder, 'repo');
  fs.mkdirSync(repo);
});
afterEach(() => removeFolder(folder));

const [plugin] = opencode.hookFiles;
const commandOf = (mode: string) => `p=$(cat); printf '%s %s\n' ${mode} "$p" >> '${folder}/told' # agent-hook`;

/** The plug-in as opencode loads it; what it tells lands in a file, one line per call. */
async function load(command = commandOf, file = plugin): Promise<Hooks> {
  const added = file?.add(undefined, command, new Map());
  if (!added || 'refused' in added) throw new Error('it was refused');
  const at = path.join(folder, `plugin-${fs.readdirSync(folder).length}.mjs`);
  fs.writeFileSync(at, added.text);
  const loaded = await import(at);
  // opencode calls whatever is exported
  expect(Object.keys(loaded)).toEqual(['GitAgentBlame']);
  return loaded.GitAgentBlame({ directory: repo });
}

function told(): [string, Payload][] {
  const text = fs.existsSync(`${folder}/told`) ? fs.readFileSync(`${folder}/told`, 'utf8') : '';
  return text.split('\n').flatMap((line): [string, Payload][] => {
    const at = line.indexOf(' ');
    return at < 0 ? [] : [[line.slice(0, at), JSON.parse(line.slice(at + 1))]];
  });
}
const toldOnce = (count: number) => vi.waitFor(() => expect(told()).toHaveLength(count), { timeout: 10_000 });

const call = (tool: string, callID = 'c', sessionID = 's') => ({ tool, sessionID, callID });
const write = (file: string, text: string) => fs.writeFileSync(path.join(repo, file), text);
const after = (metadata: object = {}) => ({ title: '', output: 'ok', metadata });

test('an edit is told with the file before and after, and not waited for', async () => {
  const hooks = await load();
  write('a.txt', '1\n');
  const args = { filePath: 'a.txt', oldString: '1', newString: '2' };
  await hooks['tool.execute.before']?.(call('edit'), { args });
  write('a.txt', '2\n');
  await hooks['tool.execute.after']?.({ ...call('edit'), args }, after());
  await toldOnce(1);
  const file = { path: `${repo}/a.txt`, before: '1\n', after: '2\n' };
  expect(told()).toMatchObject([
    [
      'event',
      { git_agent: 'opencode', hook: 'edit', session_id: 's', call_id: 'c', file_path: file.path, files: [file] },
    ],
  ]);
});

test('a patch is told with all its files; those elsewhere on their own', async () => {
  const hooks = await load();
  write('gone', 'x');
  const patchText = `*** Begin Patch\n*** Add File: new\n+n\n*** Delete File: gone\n*** Update File: ${folder}/out\n*** Move to: moved \n*** End Patch`;
  await hooks['tool.execute.before']?.(call('apply_patch'), { args: { patchText } });
  write('new', 'n\n');
  write('moved', 'm\n');
  fs.rmSync(`${repo}/gone`);
  await hooks['tool.execute.after']?.({ ...call('apply_patch'), args: { patchText } }, after());
  await toldOnce(2);
  const files = told().map(([, payload]) => payload.files as { path: string }[]);
  expect(files.map((group) => group.map((file) => path.relative(repo, file.path))).sort()).toEqual([
    ['../out'],
    ['new', 'gone', 'moved'],
  ]);
});

test('two edits of one file side by side are told as calls', async () => {
  const hooks = await load();
  write('a.txt', '1\n2\n');
  const args = (id: string) => ({ filePath: `${repo}/a.txt`, oldString: id, newString: `${id}!` });
  for (const id of ['1', '2']) await hooks['tool.execute.before']?.(call('edit', id), { args: args(id) });
  write('a.txt', '1!\n2!\n');
  for (const id of ['1', '2'])
    await hooks['tool.execute.after']?.(
      { ...call('edit', id), args: args(id) },
      after({ diff: 'd', diagnostics: 'x' }),
    );
  await toldOnce(2);
  const payloads = told().map(([, payload]) => payload);
  expect(payloads.map(({ tool_input }) => tool_input)).toEqual(expect.arrayContaining([args('1'), args('2')]));
  expect(payloads).toMatchObject([{ metadata: { diff: 'd' } }, { metadata: { diff: 'd' } }]);
  expect(payloads.every((payload) => !('files' in payload))).toBe(true);
});

test('around a command it waits; its shell is told who it belongs to', async () => {
  const hooks = await load();
  const args = { command: 'make', workdir: 'sub' };
  await hooks['tool.execute.before']?.(call('bash'), { args });
  expect(told()).toEqual([]); // the user may yet be asked
  const env: Record<string, string> = {};
  await hooks['shell.env']?.({ cwd: repo, sessionID: 's', callID: 'c' }, { env });
  expect(env).toEqual({ GIT_AGENT_SESSION: 'opencode:s' });
  expect(told()).toMatchObject([['before', { cwd: `${repo}/sub`, tool_input: args }]]);
  await hooks['tool.execute.after']?.({ ...call('bash'), args }, after({ exit: 3, output: 'long' }));
  expect(told()[1]).toMatchObject(['after', { output: 'ok', metadata: { exit: 3 } }]);
});

test('a command that is cut off ends too; one that the person typed is not told', async () => {
  const hooks = await load();
  await hooks['tool.execute.before']?.(call('bash'), { args: { command: 'make' } });
  await hooks['shell.env']?.({ sessionID: 's', callID: 'c' }, { env: {} });
  const part = { type: 'tool', ...call('bash'), state: { status: 'error', error: 'aborted' } };
  const event = { type: 'message.part.updated', properties: { part } };
  for (let i = 0; i < 2; i++) await hooks.event?.({ event });
  await toldOnce(2);
  expect(told()[1]).toMatchObject(['after', { error: 'aborted' }]);
  const env = {};
  await hooks['shell.env']?.({ sessionID: 's', callID: 'typed' }, { env });
  expect(env).toEqual({});
});

test('what was typed while the user was asked is not the edit’s', async () => {
  const hooks = await load();
  const args = { filePath: `${repo}/a.txt`, content: 'b' };
  await hooks['tool.execute.before']?.(call('write'), { args });
  write('a.txt', 'typed');
  await hooks.event?.({ event: { type: 'permission.replied', properties: { sessionID: 's' } } });
  write('a.txt', 'b');
  await hooks['tool.execute.after']?.({ ...call('write'), args }, after());
  await toldOnce(1);
  expect(told()[0]?.[1].files).toMatchObject([{ before: 'typed', after: 'b' }]);
});

test('prompts, the model of the moment, the end of a turn; sub-agents do not end it', async () => {
  const hooks = await load();
  const info = { role: 'assistant', sessionID: 's', providerID: 'openai', modelID: 'gpt-5' };
  await hooks.event?.({ event: { type: 'message.updated', properties: { info } } });
  const parts = [{ type: 'text', text: 'go', synthetic: undefined }, { type: 'file' }];
  await hooks['chat.message']?.({ sessionID: 's' }, { message: { id: 'm', sessionID: 's' }, parts });
  await toldOnce(1);
  await hooks.event?.({ event: { type: 'session.created', properties: { info: { id: 'child', parentID: 's' } } } });
  await hooks.event?.({ event: { type: 'session.idle', properties: { sessionID: 'child' } } });
  await hooks.event?.({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
  await toldOnce(2);
  expect(told()).toMatchObject([
    [
      'event',
      { hook: 'prompt', message_id: 'm', provider: 'openai', model: 'gpt-5', parts: [{ type: 'text', text: 'go' }] },
    ],
    ['end', { hook: 'idle' }],
  ]);
});

test('failed edits and other tools are not told', async () => {
  const hooks = await load();
  await hooks['tool.execute.before']?.(call('edit'), { args: { filePath: 'a' } });
  const part = { type: 'tool', ...call('edit'), state: { status: 'error', error: 'no' } };
  await hooks.event?.({ event: { type: 'message.part.updated', properties: { part } } });
  await hooks['tool.execute.before']?.(call('read', 'r'), { args: { filePath: 'a' } });
  await hooks['tool.execute.after']?.({ ...call('read', 'r'), args: {} }, after());
  await hooks['tool.execute.after']?.({ ...call('edit'), args: {} }, after());
  expect(told()).toEqual([]);
});

test('nothing that it is given, and no hook that fails, reaches the agent', async () => {
  const hooks = await load(() => 'exit 3 # agent-hook');
  const odd = [undefined, null, {}, call('bash'), call('write'), { event: null }, { event: { type: 'session.idle' } }];
  for (const name of Object.keys(hooks)) {
    for (const input of odd) {
      for (const output of [undefined, null, {}, { args: null }, { env: null }, { args: { filePath: '\0' } }])
        await expect(hooks[name]?.(input, output)).resolves.toBeUndefined();
    }
  }
});

test('a text that holds many bytes arrives whole', async () => {
  const hooks = await load();
  const content = 'x'.repeat(3_000_000);
  await hooks['tool.execute.before']?.(call('write'), { args: { filePath: 'big', content } });
  write('big', content);
  await hooks['tool.execute.after']?.({ ...call('write'), args: {} }, after());
  await toldOnce(1);
  expect(JSON.stringify(told()[0]?.[1].files).length).toBeGreaterThan(content.length);
});

test('Kilo’s is the same under its own name', async () => {
  const hooks = await load(commandOf, kilo.hookFiles[0]);
  await hooks.event?.({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
  await toldOnce(1);
  expect(told()[0]?.[1]).toMatchObject({ git_agent: 'kilo' });
});

test('a plug-in of the user’s own by that name stays as it is', () => {
  expect(plugin?.add('export const mine = 1\n', commandOf, new Map())).toHaveProperty('refused');
  expect(plugin?.remove('export const mine = 1\n', () => true)).toEqual({ text: 'export const mine = 1\n' });
});
