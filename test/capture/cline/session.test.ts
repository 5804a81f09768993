import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cline } from '../../../src/capture/cline/index.ts';
import { modelId } from '../../../src/capture/cline/model.ts';
import { commandWords, editWords, recorded, spoiled, transcriptOf } from '../recorded.ts';

const start = '/home/user/.cline/data/sessions/s/s';
const decode = (text: string, manifest = '{"cwd":"/repo"}') => {
  const file = transcriptOf(text, { path: `${start}.messages.json`, beside: { [`${start}.json`]: manifest } });
  const [captured] = cline.decodeTranscript(file);
  if (!captured) throw new Error('nothing was decoded');
  return captured;
};
const session = recorded('cline/session.messages.json');
const manifest = recorded('cline/session.json');

test('a recorded session: what succeeded, what ran, what was said', () => {
  const captured = decode(session, manifest);
  expect(captured).toMatchObject({
    session: '1794869401940_zo0sn',
    tool: { name: 'cline', version: '3.0.65' },
    cwd: '/repo',
    branch: 'main',
    startedAt: Date.parse('2026-11-16T22:50:01.983Z'),
    tokens: { inputTokens: 700, outputTokens: 140 },
    skipped: {},
  });
  expect(captured.model).toBeUndefined();
  expect(editWords(captured)).toEqual(['full /repo/src/greet.ts', 'replace /repo/src/app.ts']);
  expect(commandWords(captured)).toEqual(["printf 'first note b 0", "printf 'left behind  3"]);
  expect(captured.events.map(({ type }) => type)).toEqual(
    'message fileOperation terminalCommand terminalCommand toolCall toolCall fileOperation message'.split(' '),
  );
  expect(captured.events[0]).toMatchObject({ role: 'user', content: 'Create the greeting and note the port.' });
});

const say = (ts: number, role: string, ...content: unknown[]) => ({ id: `m${ts}`, role, content, ts });
const whole = (...messages: unknown[]) => JSON.stringify({ sessionId: 's', messages });
const called = (name: string, input: unknown, content: unknown, more: object = {}) =>
  decode(
    whole(
      say(1, 'assistant', { type: 'tool_use', id: 'c', name, input }),
      say(2, 'user', { type: 'tool_result', tool_use_id: 'c', name, content, ...more }),
    ),
  );
const good = '{"query":"edit:a","result":"Edited a","success":true}';
const input = { path: 'a', old_text: 'x', new_text: 'y' };

describe('edits', () => {
  test.each<[string, unknown, unknown, unknown[]]>([
    ['replaced', input, good, [{ kind: 'replace', pairs: [{ old: 'x', new: 'y', all: false }] }]],
    [
      'made',
      { path: 'a', new_text: 'y' },
      good.replace('Edited a', 'File created successfully at: a'),
      [{ kind: 'full', before: null }],
    ],
    ['perhaps not made', { path: 'a', new_text: 'y' }, good, [{ kind: 'write', after: 'y' }]],
    [
      // as measured: a final line end makes an empty line
      'inserted',
      { path: 'a', insert_line: '2', new_text: 'y\n' },
      good,
      [{ hunks: [{ oldStart: 1, oldLines: 0, newStart: 2, newLines: 2, lines: ['+y', '+'] }] }],
    ],
    ['not done', input, '{"success":false,"error":"no"}', []],
    ['not said to be done', input, 'denied', []],
    ['nothing told', input, undefined, []],
  ])('%s', (_, args, content, expected) => {
    const { edits } = called('editor', args, content);
    expect(edits).toMatchObject(expected.map((change) => ({ change, path: 'a', event: 'c' })));
    expect(edits).toHaveLength(expected.length);
  });

  test('a patch, an error, an edit that cannot be told', () => {
    const patch = { input: '*** Begin Patch\n*** Add File: b\n+x\n*** End Patch' };
    expect(editWords(called('apply_patch', patch, good))).toEqual(['write b']);
    expect(called('editor', input, good, { is_error: true }).edits).toEqual([]);
    expect(called('editor', {}, good).commands).toMatchObject([{ command: '' }]);
  });
});

describe('commands', () => {
  const ran = (...codes: number[]) =>
    codes.map((code) =>
      code === 0
        ? { query: 'q', success: true }
        : { query: 'q', success: false, error: `Command exited with code ${code}` },
    );
  test.each<[string, unknown, unknown, object]>([
    ['several at once', { commands: ['a', 'b'] }, ran(0, 0), { command: 'a\nb', exitCode: 0 }],
    ['one failed', { commands: ['a', 'b'] }, ran(0, 4), { command: 'a\nb', exitCode: 4 }],
    ['with words', { commands: [{ command: 'git', args: ['add', '.'] }] }, ran(0), { command: 'git add .' }],
    ['one', { commands: 'make' }, ran(2), { command: 'make', exitCode: 2 }],
    ['no answer', { commands: ['a'] }, 'denied', { command: 'a', endedAt: 2 }],
  ])('%s', (_, args, content, expected) => {
    expect(called('run_commands', args, content).commands).toMatchObject([expected]);
  });
});

test('words: prompts without their tag, thoughts, older shapes', () => {
  const { events } = decode(
    whole(
      say(1, 'user', { type: 'text', text: 'Say hello' }),
      say(2, 'user', { type: 'text', text: '<environment_details>x</environment_details>' }),
      say(3, 'assistant', { type: 'thinking', thinking: 'Hm.' }, { type: 'text', text: 'Hello!' }),
      { id: 'm4', role: 'user', content: '<user_input mode="plan">Go\non</user_input>', ts: 4 },
    ),
  );
  expect(events).toMatchObject([
    { content: 'Say hello' },
    { intent: 'Hm.' },
    { content: 'Hello!' },
    { content: 'Go\non' },
  ]);
});

test.each([
  ['anthropic', 'claude-opus-4-6', 'anthropic/claude-opus-4-6'],
  ['openai-native', 'gpt-5.5', 'openai/gpt-5.5'],
  ['gemini', 'gemini-3-pro', 'google/gemini-3-pro'],
  ['openai', 'gpt-5.5', undefined],
  ['openai-compatible', 'gpt-5.5', undefined],
  ['cline', 'anthropic/claude-opus-4.6', undefined],
  ['toString', 'x', undefined],
])('the model of %s called %s is %s', (provider, name, id) => expect(modelId(provider, name)).toBe(id));

test.each(['', '[]', 'x', '{"messages":3}', '{"messages":[null,{}]}'])('%j is not fatal', (text) => {
  expect(decode(text, text)).toMatchObject({ session: '', edits: [], commands: [] });
});

test('what is not understood is counted', () => {
  expect(decode('x').skipped).toEqual({ 'broken file': 1 });
  expect(decode(whole({}, say(1, 'assistant', { type: 'tool_use' }))).skipped).toEqual({
    'message without id or time': 1,
    'call without id, name or input': 1,
  });
});

test('law: nothing that stands in the files is fatal', () => {
  fc.assert(
    fc.property(spoiled([JSON.parse(session), JSON.parse(manifest)]), ([messages, about]) => {
      expect(decode(JSON.stringify(messages), JSON.stringify(about)).edits.length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 500 },
  );
});
