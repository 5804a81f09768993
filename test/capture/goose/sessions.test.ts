import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goose } from '../../../src/capture/goose/index.ts';
import { withDatabase } from '../database.ts';
import { commandWords, editWords, recordedValues, spoiled } from '../recorded.ts';

/** As goose makes it (`session_manager.rs`, schema 9); what nobody reads is left out. */
const SCHEMA = `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', session_type TEXT NOT NULL DEFAULT 'user',
    working_dir TEXT NOT NULL, created_at TIMESTAMP, updated_at TIMESTAMP, accumulated_input_tokens INTEGER,
    accumulated_output_tokens INTEGER, provider_name TEXT, model_config_json TEXT);
  CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL, role TEXT NOT NULL,
    content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP, tokens INTEGER, metadata_json TEXT);`;
const SESSION = {
  id: '20260102_1',
  working_dir: '/repo',
  created_at: '2026-01-02 10:00:00',
  updated_at: '2026-01-02 10:00:30',
  accumulated_input_tokens: 700,
  accumulated_output_tokens: 140,
  provider_name: 'anthropic',
  model_config_json: '{"model_name":"claude-sonnet-4-5"}',
};
const START = Date.parse('2026-01-02T10:00:00Z') / 1000;

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly meta?: unknown;
}
const decode = (messages: readonly Message[], session: object = SESSION) =>
  withDatabase(
    SCHEMA,
    {
      sessions: [SESSION, { ...SESSION, id: '20260102_2', working_dir: '/elsewhere' }].map((row, i) =>
        i === 0 ? { ...row, ...session } : row,
      ),
      messages: messages.map(({ role, content, meta }, i) => ({
        message_id: `msg_${i}`,
        session_id: SESSION.id,
        role,
        content_json: typeof content === 'string' ? content : JSON.stringify(content),
        created_timestamp: START + i,
        timestamp: `2026-01-02 10:00:${String(i + 5).padStart(2, '0')}`,
        metadata_json: meta === undefined ? null : JSON.stringify(meta),
      })),
    },
    goose.decodeTranscript,
  );

const recordedMessages = recordedValues('goose/messages.jsonl') as Message[];

test('a session with the tools of today', () => {
  const all = decode(recordedMessages);
  expect(all).toHaveLength(1);
  const [captured] = all;
  if (!captured) throw new Error('nothing was decoded');
  expect(captured).toMatchObject({
    session: '20260102_1',
    tool: { name: 'goose' },
    cwd: '/repo',
    startedAt: START * 1000,
    tokens: { inputTokens: 700, outputTokens: 140 },
    skipped: {},
  });
  // of several models that a session had, only the last is told
  expect(captured.model).toBeUndefined();
  expect(editWords(captured)).toEqual(['full src/greet.ts', 'replace src/app.ts']);
  expect(captured.edits.map(({ event, at }) => [event, at])).toEqual([
    ['toolu_1', (START + 2) * 1000],
    ['toolu_4', (START + 4) * 1000 + 1],
  ]);
  expect(commandWords(captured)).toEqual(['printf x > half.txt; 3']);
  expect(captured.commands[0]).toMatchObject({ startedAt: (START + 1) * 1000 + 2, endedAt: (START + 7) * 1000 });
  expect(captured.events.map(({ type }) => type)).toEqual(
    'message reasoning fileOperation terminalCommand toolCall fileOperation message'.split(' '),
  );
  expect(captured.events[0]).toMatchObject({ role: 'user', content: 'Create the greeting.' });
});

describe('the editor of older versions', () => {
  const call = (input: object, toolResult: unknown) => {
    const toolCall = { status: 'success', value: { name: 'developer__text_editor', arguments: input } };
    const [captured] = decode([
      { role: 'assistant', content: [{ type: 'toolRequest', id: 'c', toolCall }] },
      { role: 'user', content: [{ type: 'toolResponse', id: 'c', toolResult }] },
    ]);
    return captured?.edits.map(({ change }) => change) ?? [];
  };
  const good = { status: 'success', value: [{ type: 'text', text: 'The file /repo/a has been edited' }] };
  const path = '/repo/a';
  test.each<[string, object, unknown, unknown[]]>([
    ['write', { command: 'write', path, file_text: 'x' }, good, [{ kind: 'write', after: 'x\n' }]],
    [
      'replace',
      { command: 'str_replace', path, old_str: 'x', new_str: 'y' },
      good,
      [{ pairs: [{ old: 'x', new: 'y' }] }],
    ],
    [
      'insert',
      { command: 'insert', path, insert_line: 2, new_str: 'y\n' },
      good,
      [{ hunks: [{ oldStart: 2, newStart: 3, lines: ['+y'] }] }],
    ],
    ['insert at the end', { command: 'insert', path, insert_line: -1, new_str: 'y' }, good, [{ pairs: [] }]],
    ['a diff', { command: 'str_replace', path, diff: '--- a\n+++ b' }, good, [{ pairs: [] }]],
    [
      'by another model',
      { command: 'str_replace', path, old_str: 'x', new_str: 'y' },
      { status: 'success', value: [{ type: 'text', text: 'Successfully edited /repo/a' }] },
      [{ pairs: [] }],
    ],
    ['undo', { command: 'undo_edit', path }, good, [{ pairs: [] }]],
    ['view', { command: 'view', path }, good, []],
    ['an error', { command: 'write', path, file_text: 'x' }, { status: 'error', error: 'no' }, []],
    [
      'its own error',
      { command: 'write', path, file_text: 'x' },
      { status: 'success', value: { content: [], isError: true } },
      [],
    ],
  ])('%s', (_, input, result, expected) => {
    expect(call(input, result)).toMatchObject(expected);
    expect(call(input, result)).toHaveLength(expected.length);
  });
});

test('what goose tells the model is no prompt', () => {
  const [captured] = decode([
    { role: 'user', content: [{ type: 'text', text: 'Summary: …' }], meta: { userVisible: false } },
  ]);
  expect(captured?.events).toEqual([]);
});

test('whatever is not understood is counted', () => {
  const [captured] = decode([
    { role: 'tool', content: [] },
    { role: 'user', content: '{' },
    { role: 'assistant', content: [{ type: 'toolRequest', id: 'c', toolCall: { status: 'error', error: 'no' } }] },
  ]);
  expect(captured?.skipped).toEqual({ 'broken message': 2, 'call without id or name': 1 });
});

test.each<[Record<string, string>, string]>([
  [{}, '/h/.local/share/goose/sessions/sessions.db'],
  [{ XDG_DATA_HOME: '/d' }, '/d/goose/sessions/sessions.db'],
  [{ GOOSE_PATH_ROOT: '/g' }, '/g/data/sessions/sessions.db'],
  [{ GOOSE_PATH_ROOT: 'g' }, '/h/.local/share/goose/sessions/sessions.db'],
  [{ APPDATA: 'C:/A' }, 'C:/A/Block/goose/data/sessions/sessions.db'],
])('where it is: %j', (env, expected) => {
  expect(goose.locate({ home: '/h', env, worktrees: [], list: () => [], read: () => undefined })).toEqual([expected]);
});

test('law: nothing that stands in a message is fatal', () => {
  fc.assert(
    fc.property(spoiled(recordedMessages.map(({ content }) => content)), (contents) => {
      const [captured] = decode(recordedMessages.map((message, i) => ({ ...message, content: contents[i] ?? null })));
      const told = captured?.edits.filter(({ event }) => event !== 'toolu_3') ?? [];
      expect(told.length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 40 },
  );
});
