import fc from 'fast-check';
import { expect, test } from 'vitest';
import { whoIs } from '../../../src/capture/identity.ts';
import { kilo } from '../../../src/capture/kilo/index.ts';
import { opencode } from '../../../src/capture/opencode/index.ts';
import { commandWords, editWords, recordedValues, spoiled } from '../recorded.ts';

const payloads = recordedValues('opencode/hooks.jsonl') as Record<string, unknown>[];
const now = 1794870300000;
const decode = (payload: unknown) => opencode.decodeHook(payload, { at: now });
const find = (hook: string, tool: string) => payloads.find((one) => one.hook === hook && one.tool_name === tool);

test('recorded calls of our plug-in', () => {
  const all = payloads.map(decode);
  expect(new Set(payloads.map((payload) => whoIs(payload)))).toEqual(new Set(['opencode']));
  expect(all.flatMap(editWords)).toEqual(
    ['a.txt', 'a.txt', 'a.txt', 'b.txt', 'c.txt', 'new/deep.txt', 'rel.txt', 'sub.txt'].map(
      (name) => `full /repo/${name}`,
    ),
  );
  expect(all.flatMap(commandWords)).toEqual([
    'echo sh > sh.txt; ex ?',
    'echo sh > sh.txt; ex 3',
    'git add -A; git comm ?',
    'git add -A; git comm 0',
  ]);
  expect(all.flatMap(({ skipped }) => Object.keys(skipped))).toEqual([]);
  expect(new Set(all.map(({ session }) => session)).size).toBe(2);
  const prompts = all.flatMap(({ events }) => events.flatMap((event) => ('content' in event ? event.content : [])));
  expect(prompts).toEqual(['Do all the things now.', 'write the sub file']);
});

test('an edit was when the plug-in says, a command when the hook was called', () => {
  const edit = find('edit', 'write');
  expect(decode(edit).edits[0]?.at).toBe(edit?.at);
  expect(decode({ ...edit, at: now + 1 }).edits[0]?.at).toBe(now);
  expect(decode(find('before', 'bash')).commands[0]).toMatchObject({ startedAt: now });
  expect(decode(find('after', 'bash')).commands[0]).toMatchObject({ endedAt: now, exitCode: 3 });
});

test('without texts the call itself tells; texts that are the same tell of no change', () => {
  const { files, ...edit } = find('edit', 'edit') ?? {};
  const input = { filePath: '/repo/a.txt', oldString: 'two\n', newString: '2\n' };
  expect(editWords(decode({ ...edit, tool_input: input }))).toEqual(['replace /repo/a.txt']);
  expect(decode({ ...edit, tool_input: {} })).toMatchObject({ edits: [], commands: [{ command: '' }] });
  expect(decode({ ...edit, error: 'no' })).toMatchObject({ edits: [], commands: [] });
  const same = { path: '/repo/a.txt', before: 'x', after: 'x' };
  expect(decode({ ...edit, files: [same] })).toMatchObject({ edits: [], commands: [] });
  expect(files).toHaveLength(1);
});

test('a command in another folder; one that goes on', () => {
  const before = find('before', 'bash');
  const told = (input: object, more: object = {}) =>
    decode({ ...before, tool_input: { command: 'x', ...input }, ...more });
  expect(told({ workdir: 'sub' }).commands[0]?.cwd).toBe('/repo/sub');
  expect(told({ workdir: '/tmp' }).commands[0]?.cwd).toBe('/tmp');
  const process = { tool_name: 'background_process', hook: 'after' };
  expect(told({ action: 'start' }, process).commands[0]).toMatchObject({ background: true });
  expect(told({ action: 'start' }, process).commands[0]?.endedAt).toBeUndefined();
  expect(told({ action: 'stop' }, process).commands).toEqual([]);
});

test('Kilo’s payloads are its own', () => {
  const payload = { ...find('edit', 'write'), git_agent: 'kilo' };
  expect(whoIs(payload)).toBe('kilo');
  expect(kilo.decodeHook(payload, { at: now })).toMatchObject({ tool: { name: 'kilo' }, edits: [{}] });
});

test.each([null, [], 'x', {}, { hook: 'news' }, { hook: 'edit', tool_name: 1 }])('%j is counted', (payload) => {
  expect(Object.keys(decode(payload).skipped)).toHaveLength(1);
});

test('law: no payload is fatal', () => {
  fc.assert(
    fc.property(spoiled(payloads), (values) => void values.map(decode)),
    { numRuns: 500 },
  );
});
