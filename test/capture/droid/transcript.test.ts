import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { droid } from '../../../src/capture/droid/index.ts';
import { modelId } from '../../../src/capture/droid/model.ts';
import { commandWords, editWords, linesOf, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const path = '/home/user/.factory/sessions/-repo/s.jsonl';
const decode = (values: readonly unknown[], settings?: string) => {
  const beside = settings === undefined ? {} : { [path.replace('.jsonl', '.settings.json')]: settings };
  const [captured] = droid.decodeTranscript(transcriptOf(linesOf(values), { path, beside }));
  if (!captured) throw new Error('nothing was decoded');
  return captured;
};
const session = recordedValues('droid/session.jsonl');

test('a recorded session: what succeeded, what ran, what was said', () => {
  const captured = decode(session, recorded('droid/session.settings.json'));
  expect(captured).toMatchObject({
    session: 'bb0afead-9d73-4bde-8941-b2862229af9a',
    tool: { name: 'droid' },
    cwd: '/repo',
    tokens: { inputTokens: 700, outputTokens: 140, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    skipped: {},
  });
  expect(captured.model).toBeUndefined();
  expect(editWords(captured)).toEqual(['write /repo/src/greet.ts', 'hunks /repo/src/app.ts']);
  expect(commandWords(captured)).toEqual(["printf 'first note b 0", "printf 'left behind  3"]);
  expect(captured.events.map(({ type }) => type)).toEqual(
    'message fileOperation terminalCommand terminalCommand fileOperation toolCall fileOperation message'.split(' '),
  );
  expect(captured.events[0]).toMatchObject({ role: 'user', content: 'Create the greeting and note the port.' });
});

test('lines with numbers are hunks as unified diffs have them', () => {
  const change = decode(session).edits[1]?.change;
  expect(change).toMatchObject({ hunks: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 4 }] });
});

const start = { type: 'session_start', id: 's', version: 2, cwd: '/repo' };
const told = (second: number, message: object, id = `m${second}`) => ({
  type: 'message',
  id,
  timestamp: `2026-01-01T00:00:0${second}.000Z`,
  message,
});
const called = (name: string, input: unknown, answer: object) => [
  start,
  told(1, { role: 'assistant', modelId: 'gpt-5.5', content: [{ type: 'tool_use', id: 'c', name, input }] }),
  told(2, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', ...answer }] }),
];
const good = { is_error: false, content: '{"success":true,"file_path":"/repo/a"}' };
const line = (type: string, content: string, old?: number, fresh?: number) => ({
  type,
  content,
  lineNumber: { ...(old && { old }), ...(fresh && { new: fresh }) },
});
const withLines = (...diffLines: unknown[]) => ({
  is_error: false,
  content: JSON.stringify({ success: true, file_path: '/repo/a', diffLines }),
});
const edit = { file_path: '/repo/a', old_str: 'x', new_str: 'y', change_all: true };

describe('edits', () => {
  test.each<[string, string, unknown, object, unknown[]]>([
    ['no lines', 'Edit', edit, good, [{ kind: 'replace', pairs: [{ old: 'x', new: 'y', all: true }] }]],
    [
      'several',
      'MultiEdit',
      { file_path: '/repo/a', changes: [{ old_str: 'x', new_str: 'y' }] },
      good,
      [{ kind: 'replace', pairs: [{ old: 'x', new: 'y', all: false }] }],
    ],
    [
      'a patch',
      'ApplyPatch',
      { input: '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch' },
      good,
      [{ kind: 'replace', pairs: [{ old: 'x\n', new: 'y\n', all: false }] }],
    ],
    [
      'older versions do not say of errors',
      'Create',
      { file_path: 'a', content: 'x' },
      { content: good.content },
      [{}],
    ],
    ['but then success must be told', 'Create', { file_path: 'a', content: 'x' }, { content: 'fine' }, []],
    ['an error', 'Edit', edit, { is_error: true, content: 'Error: not found' }, []],
    ['not a success', 'Edit', edit, { is_error: false, content: '{"success":false}' }, []],
    [
      'two places, one before the first line',
      'Edit',
      edit,
      withLines(
        line('added', 'n', undefined, 1),
        line('unchanged', 'a', 1, 2),
        line('removed', 'z', 9),
        line('context', 'e', 10, 10),
      ),
      [
        {
          hunks: [
            { oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: ['+n', ' a'] },
            { oldStart: 9, oldLines: 2, newStart: 10, newLines: 1, lines: ['-z', ' e'] },
          ],
        },
      ],
    ],
    ['nothing left', 'Edit', edit, withLines(line('removed', 'z', 1)), [{ hunks: [{ newStart: 0, newLines: 0 }] }]],
    ['lines that are none', 'Edit', edit, withLines({ type: 'added' }), [{ kind: 'replace' }]],
    [
      'lines that go back',
      'Edit',
      edit,
      withLines(line('added', 'b', 0, 5), line('added', 'a', 0, 2)),
      [{ kind: 'replace' }],
    ],
  ])('%s: %s', (_, name, input, answer, expected) => {
    const { edits } = decode(called(name, input, answer));
    expect(edits).toMatchObject(expected.map((change) => ({ change, event: 'c', model: 'openai/gpt-5.5' })));
    expect(edits).toHaveLength(expected.length);
  });

  test('what succeeded and cannot be told is something that happened', () => {
    expect(decode(called('Edit', {}, good)).commands).toMatchObject([{ command: '' }]);
  });
});

test.each<[string, object, object]>([
  ['older', { content: 'Error: Command failed (exit code: 1)\nno' }, { exitCode: 1 }],
  ['cut off', { is_error: true, content: 'Error: timed out' }, { endedAt: 1767225602000 }],
])('a command: %s', (_, answer, expected) => {
  expect(decode(called('Execute', { command: 'make' }, answer)).commands).toMatchObject([expected]);
});

test('a command that is left running', () => {
  const [command] = decode(called('Execute', { command: 'serve', fireAndForget: true }, good)).commands;
  expect(command).toMatchObject({ background: true });
  expect(command?.endedAt).toBeUndefined();
});

test('prompts as they were typed', () => {
  const say = (second: number, ...texts: string[]) =>
    told(second, { role: 'user', content: texts.map((text) => ({ type: 'text', text })) });
  const { events } = decode([
    start,
    say(1, '<system-reminder>\nBe brief.\n</system-reminder>\n\nDo it'),
    say(2, 'Look at @a', 'Contents of a'),
    say(3, '<system-reminder>x</system-reminder>'),
    told(4, { role: 'user', content: 'In words' }),
  ]);
  expect(events.map((event) => ('content' in event ? event.content : ''))).toEqual(['Do it', 'Look at @a', 'In words']);
});

test('sub-agents and forks know where they come from', () => {
  expect(decode([{ ...start, callingSessionId: 'p' }])).toMatchObject({ parentSession: 'p' });
  expect(decode([{ ...start, parent: 'p', forkedAtMessageId: 'm' }])).toMatchObject({ forkedFrom: 'p' });
  expect(decode([{ ...start, parent: 'p' }])).not.toHaveProperty('forkedFrom');
});

test.each([
  ['claude-opus-4-5-20251101', 'anthropic/claude-opus-4-5-20251101'],
  ['gpt-5.3-codex', 'openai/gpt-5.3-codex'],
  ['gemini-3.1-pro-preview', 'google/gemini-3.1-pro-preview'],
  ['gpt-5.5-fast', undefined],
  ['glm-5.2', undefined],
  ['custom:claude-opus-4-5-0', undefined],
])('the model %s is %s', (name, id) => expect(modelId(name)).toBe(id));

test('where messages name no model the settings tell that of the session', () => {
  const lines = [start, told(1, { role: 'assistant', content: [] })];
  expect(decode(lines, '{"model":"gpt-5.5"}').model).toBe('openai/gpt-5.5');
  expect(decode(lines, 'broken').model).toBeUndefined();
});

test('whatever is not understood is counted', () => {
  expect(decode([start, { type: 'news' }, { type: 'message' }, [], 'x'])).toMatchObject({
    skipped: { 'line type news': 1, 'message without id, time or role': 1, 'broken line': 2 },
  });
});

test('law: nothing that stands in a line is fatal', () => {
  fc.assert(
    fc.property(
      spoiled(session),
      spoiled([JSON.parse(recorded('droid/session.settings.json'))]),
      (values, [settings]) => {
        expect(decode(values, JSON.stringify(settings)).edits.length).toBeLessThanOrEqual(2);
      },
    ),
    { numRuns: 500 },
  );
});
