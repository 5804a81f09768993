import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHook } from '../../../src/capture/cursor/hook.ts';
import { whoIs } from '../../../src/capture/identity.ts';
import { isLoose } from '../../../src/capture/print.ts';
import { recordedValues, spoiled } from '../recorded.ts';

const payloads = recordedValues('cursor/hooks.jsonl') as Record<string, unknown>[];
const MOMENT = Date.UTC(2026, 6, 31, 22, 10, 30);
const decoded = payloads.map((payload, i) => decodeHook(payload, { at: MOMENT + i }));

describe('hooks as they were recorded', () => {
  test('who, where, which version', () => {
    expect(new Set(payloads.map((payload) => whoIs(payload, 'claude-code')))).toEqual(new Set(['cursor']));
    for (const { session, cwd, tool, skipped } of decoded) {
      expect([session.slice(0, 4), cwd, tool.version, skipped]).toEqual(['c1cb', '/repo', '2026.09.28-64d2043', {}]);
    }
    expect(decoded.flatMap(({ ended }, i) => (ended ? [payloads[i]?.hook_event_name] : []))).toEqual(['sessionEnd']);
  });

  test('edits: the whole text after the tool, what was replaced after the edit, with one print', () => {
    const edits = decoded.flatMap((one) => one.edits);
    expect(edits.map(({ event, path, change }) => [isLoose(event) ? 'loose' : event, path, change])).toEqual([
      ['loose', '/repo/note.txt', { kind: 'write', after: 'hi\n' }],
      ['call-0f040000-1:fc_p4JD2v8_0', '/repo/note.txt', { kind: 'write', after: 'hi\n' }],
      ['loose', '/repo/note.txt', { kind: 'replace', pairs: [{ old: 'hi', new: 'bye', all: false }] }],
      ['call-786b0000-3:fc_p4JDEVE_0', '/repo/note.txt', { kind: 'write', after: 'bye\n' }],
      ['call-aef6-1:fc_3_0', '/repo/gone.txt', { kind: 'write', after: '' }],
    ]);
    expect(new Set(edits.slice(0, 4).map(({ print }) => print)).size).toBe(1);
    expect(edits[4]?.print).not.toBe(edits[0]?.print);
  });

  test('commands', () => {
    const commands = decoded.flatMap((one) => one.commands);
    const words = commands.map(({ command, endedAt, exitCode, background, refused }) =>
      [command, endedAt && 'ended', exitCode, background && 'goes on', refused && 'refused'].filter(Boolean).join(' '),
    );
    expect(words).toEqual([
      'echo made > made.txt',
      'echo made > made.txt ended',
      './fail',
      './fail ended 3',
      './fail loudly',
      './fail loudly ended',
      'sleep 25; echo late > late.txt',
      'sleep 25; echo late > late.txt goes on',
      'rm -rf x',
      'rm -rf x ended refused',
    ]);
    expect(commands[1]?.exitCode).toBe(0);
    expect(commands.every(({ cwd }) => cwd === '/repo')).toBe(true);
  });

  test('the conversation: a prompt and calls, each once', () => {
    const events = decoded.flatMap((one) => one.events.map(({ type, id }) => `${type} ${id}`));
    expect(events.filter((event) => event.startsWith('message'))).toHaveLength(1);
    expect(events.filter((event) => event.startsWith('fileOperation'))).toEqual([
      'fileOperation call-0f040000-1:fc_p4JD2v8_0',
      'fileOperation call-786b0000-3:fc_p4JDEVE_0',
      'fileOperation call-aef6-1:fc_3_0',
    ]);
  });
});

const write = payloads.findLast(
  ({ hook_event_name, tool_name }) => hook_event_name === 'postToolUse' && tool_name === 'Write',
);
const edited = payloads.findLast(({ hook_event_name }) => hook_event_name === 'afterFileEdit');
const at = { at: MOMENT };

test.each([
  ['default', {}, undefined],
  ['a name with settings', { model: 'gpt-5.5-high' }, undefined],
  ['Cursor’s id', { model: 'cursor-grok-4.5-high', model_id: 'grok-4.5' }, 'cursor/grok-4.5'],
  ['no id', { model_id: 'default' }, undefined],
  ['an odd id', { model_id: 'My Model/x' }, undefined],
])('the model: %s', (_, more, model) => {
  expect(decodeHook({ ...write, ...more }, at).edits[0]?.model).toBe(model);
});

test.each([
  ['not successful', { tool_output: '{"success":false}' }, 0, 0],
  ['an answer that is no JSON', { tool_output: 'ok' }, 1, 0],
  ['no path', { tool_input: { content: 'x' } }, 0, 1],
  ['no text', { tool_input: { file_path: '/repo/a' } }, 0, 1],
  ['no id', { tool_use_id: null }, 0, 0],
  ['another tool', { tool_name: 'Read' }, 0, 0],
])('a Write with %s', (_, more, edits, commands) => {
  const captured = decodeHook({ ...write, ...more }, at);
  expect([captured.edits.length, captured.commands.length]).toEqual([edits, commands]);
  expect(captured.commands.every(({ command }) => command === '')).toBe(true);
});

test.each([
  [
    'several',
    [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '' },
    ],
    'replace',
  ],
  ['none', [], undefined],
  ['one that is none', [{ old_string: 'a', new_string: 'b' }, 7], undefined],
  [
    'an insertion of nobody knows where',
    [
      { old_string: '', new_string: 'b' },
      { old_string: 'a', new_string: 'c' },
    ],
    undefined,
  ],
])('replacements: %s', (_, edits, kind) => {
  expect(decodeHook({ ...edited, edits }, at).edits[0]?.change.kind).toBe(kind);
});

test('paths of Windows', () => {
  const more = { workspace_roots: ['/c:/repo'], tool_input: { file_path: '/c:/repo/a.ts', content: '' } };
  expect(decodeHook({ ...write, ...more }, at)).toMatchObject({ cwd: 'c:/repo', edits: [{ path: 'c:/repo/a.ts' }] });
});

test('law: spoiled anywhere it never throws', () => {
  fc.assert(
    fc.property(spoiled(payloads), (values) => values.every((value) => decodeHook(value, at).tool.name === 'cursor')),
    { numRuns: 100 },
  );
});
