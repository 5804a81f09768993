import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeDocuments } from '../../../src/agentlog/merge.ts';
import type { LocateIn } from '../../../src/capture/adapter.ts';
import { continueCli } from '../../../src/capture/continue/index.ts';
import { modelId } from '../../../src/capture/continue/model.ts';
import { documentOf } from '../../../src/sessions/documents.ts';
import { commandWords, editWords, recorded, spoiled, transcriptOf } from '../recorded.ts';

const folder = '/home/user/.continue/sessions';
const decode = (text: string, index = '[]', modified = 9000, unread = false) => {
  const beside = { [`${folder}/sessions.json`]: index };
  const file = transcriptOf(text, { path: `${folder}/s.json`, modified, beside, unread });
  const [captured] = continueCli.decodeTranscript(file);
  if (!captured) throw new Error('nothing was decoded');
  return captured;
};
const session = recorded('continue/session.json');
const index = recorded('continue/sessions.json');
const saved = Number(JSON.parse(index)[0].dateCreated);

test('a recorded session of two turns: what succeeded, what ran, what was said', () => {
  const captured = decode(session, index, saved + 60_000);
  expect(captured).toMatchObject({
    session: JSON.parse(session).sessionId,
    tool: { name: 'continue' },
    cwd: '/repo',
    startedAt: saved,
    endedAt: saved + 60_000,
    tokens: { inputTokens: 1300, outputTokens: 260, cacheReadTokens: 0, cacheWriteTokens: 0 },
    skipped: {},
  });
  expect(captured.model).toBeUndefined();
  expect(editWords(captured)).toEqual([
    'full /repo/src/greet.ts',
    'hunks /repo/src/app.ts',
    'hunks /repo/src/greet.ts',
    'full /repo/src/config.ts',
  ]);
  expect(commandWords(captured)).toEqual([
    "printf 'first note b ?",
    "printf 'left behind  ?",
    'mkdir -p src/gen &&  ?',
    "sed -i 's/second not ?",
  ]);
  const prompts = captured.events.flatMap((event) => ('role' in event && event.role === 'user' ? [event.content] : []));
  expect(prompts).toEqual(['Create the greeting and note the port.', 'Now add a farewell and list the items.']);
});

test('nothing is younger than the file; a command may have run before or after the edits beside it', () => {
  const { edits, commands, events } = decode(session, index, saved + 60_000);
  const times = edits.map(({ at }) => at - saved);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  expect([from > 59_900, to <= 60_000, events.at(-1)?.timestamp]).toEqual([true, true, iso(saved + 60_000)]);
  for (const { startedAt, endedAt = 0 } of commands)
    expect([startedAt - saved < from, endedAt - saved]).toEqual([true, 60_001]);
  // a list that was written later than the document
  expect(decode(session, index, saved - 7).startedAt).toBeLessThan(saved - 7);
});

const iso = (at: number) => new Date(at).toISOString();

test('the conversation stays in the order of the file when its sights are merged, also after it has grown', () => {
  const whole = JSON.parse(session);
  const document = (history: unknown[], modified: number) =>
    documentOf([decode(JSON.stringify({ ...whole, history }), index, modified)], { name: 'repo' });
  const half = document(whole.history.slice(0, 7), saved + 1);
  const grown = document(whole.history, saved + 60_000);
  const inFile = decode(session).events.map(({ id }) => id);
  expect(mergeDocuments(grown, grown).events.map(({ id }) => id)).toEqual(inFile);
  expect(mergeDocuments(grown, half).events.map(({ id }) => id)).toEqual(inFile);
  expect(new Set(grown.events.map(({ timestamp }) => timestamp)).size).toBe(inFile.length);
});

test('of a file that nobody has read, the first turn is as old as the session; a command ran at any time', () => {
  const { edits, commands, events, startedAt } = decode(session, index, saved + 60_000, true);
  expect(edits.map(({ at }) => Math.ceil((at - saved + 500) / 1000))).toEqual([1, 1, 61, 61]);
  const order = events.map(({ id }) => id);
  expect(order).toEqual(decode(session).events.map(({ id }) => id));
  for (const command of commands)
    expect(command).toMatchObject({ startedAt: (startedAt ?? 0) - 1, endedAt: saved + 60_001 });
  // nobody tells when it was first saved, or that was just now
  expect(decode(session, '[]', saved + 60_000, true)).toEqual({ ...decode(session, '[]', saved + 60_000) });
  expect(decode(session, index, saved + 2, true).edits).toEqual(decode(session, index, saved + 2).edits);
});

const called = (name: string, args: unknown, status: string, content = '', more: object = {}) =>
  decode(
    JSON.stringify({
      sessionId: 's',
      workspaceDirectory: '/repo',
      history: [
        {
          message: { role: 'assistant', content: '', usage: { model: 'claude-sonnet-4-5-20250929' } },
          toolCallStates: [
            {
              toolCallId: 'c',
              toolCall: { function: { name, arguments: JSON.stringify(args) } },
              status,
              output: [{ content }],
              ...more,
            },
          ],
        },
      ],
    }),
  );
const diff = 'Diff:\n--- /repo/a\n+++ /repo/a\n@@ -1,2 +1,1 @@\n-x\n-b\n+over\n';

describe('edits', () => {
  test.each<[string, string, unknown, string, string, unknown[]]>([
    [
      'a new file',
      'Write',
      { filepath: '/repo/a', content: 'x' },
      'done',
      'Successfully created file: /repo/a',
      [{ kind: 'full', before: null, after: 'x' }],
    ],
    [
      'written over',
      'Write',
      { filepath: '/repo/a', content: 'over\n' },
      'done',
      `Successfully wrote to file: /repo/a\n${diff}`,
      [{ kind: 'full', before: 'x\nb\n', after: 'over\n' }],
    ],
    [
      'nobody knows what was there',
      'Write',
      { filepath: '/repo/a', content: 'x' },
      'done',
      'ok',
      [{ kind: 'write', after: 'x' }],
    ],
    ['a diff', 'MultiEdit', { file_path: '/repo/a', edits: [] }, 'done', diff, [{ kind: 'hunks' }]],
    [
      'no diff',
      'Edit',
      { file_path: '/repo/a', old_string: 'x', new_string: 'y', replace_all: true },
      'done',
      '',
      [{ pairs: [{ old: 'x', new: 'y', all: true }] }],
    ],
    [
      'the extension',
      'builtin_multi_edit',
      { filepath: 'file:///repo/a', edits: [{ old_string: 'x', new_string: 'y' }] },
      'done',
      '',
      [{ kind: 'replace' }],
    ],
    ['failed', 'Write', { filepath: '/repo/a', content: 'x' }, 'errored', '', []],
    ['not let', 'Write', { filepath: '/repo/a', content: 'x' }, 'canceled', '', []],
    ['not yet', 'Write', { filepath: '/repo/a', content: 'x' }, 'calling', '', []],
  ])('%s: %s', (_, name, args, status, content, expected) => {
    const { edits } = called(name, args, status, content);
    const model = 'anthropic/claude-sonnet-4-5-20250929';
    expect(edits).toMatchObject(expected.map((change) => ({ path: '/repo/a', change, event: 'c', model })));
    expect(edits).toHaveLength(expected.length);
  });

  test('what only another model could tell is something that happened', () => {
    const { edits, commands } = called('edit_existing_file', { filepath: 'a', changes: '// ...' }, 'done');
    expect([edits, commands]).toMatchObject([[], [{ command: '' }]]);
  });
});

test.each<[string, string, object]>([
  ['done', '', { command: 'make' }],
  ['errored', 'Error executing tool Bash: Error (exit code 3): oops\n', { exitCode: 3 }],
  ['canceled', '', { refused: true }],
])('a command that is %s', (status, content, expected) => {
  const { commands } = called('Bash', { command: 'make' }, status, content);
  expect(commands).toMatchObject([expected]);
  if (status === 'done') expect(commands[0]).not.toHaveProperty('exitCode');
});

test.each([
  ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5-20250929'],
  ['claude-sonnet-4-5', undefined],
  ['gpt-4.1', undefined],
  ['anthropic/claude-sonnet-4-5-20250929', undefined],
  [undefined, undefined],
])('the model %s is %s', (name, id) => expect(modelId(name)).toBe(id));

test('the extension has thoughts, words in blocks, and folders by URI', () => {
  const { cwd, events } = decode(
    JSON.stringify({
      sessionId: 's',
      workspaceDirectory: 'file:///w/my%20repo',
      history: [
        { message: { role: 'system', content: 'x' } },
        { message: { role: 'user', content: [{ type: 'text', text: 'Go' }] } },
        { message: { role: 'thinking', content: 'Hm.' } },
        { message: { role: 'tool', content: 'x', toolCallId: 'c' } },
        { message: { role: 'assistant', content: 'Gone.' } },
      ],
    }),
  );
  expect(cwd).toBe('/w/my repo');
  expect(events).toMatchObject([{ content: 'Go' }, { intent: 'Hm.' }, { content: 'Gone.' }]);
});

test('what is not understood is counted', () => {
  expect(decode('x').skipped).toEqual({ 'broken file': 1 });
  expect(decode('{"history":[{},{"message":{"role":"user"},"toolCallStates":[{}]}]}').skipped).toEqual({
    'item without message': 1,
    'call without id, name or arguments': 1,
  });
});

test('law: nothing that stands in the files is fatal', () => {
  fc.assert(
    fc.property(spoiled([JSON.parse(session), JSON.parse(index)]), ([document, list]) => {
      expect(decode(JSON.stringify(document), JSON.stringify(list)).edits.length).toBeLessThanOrEqual(4);
    }),
    { numRuns: 500 },
  );
});

test('where sessions are', () => {
  const files: Record<string, string> = {
    '/c/sessions/sessions.json': JSON.stringify([
      { sessionId: 'here', workspaceDirectory: '/w/repo' },
      { sessionId: 'uri', workspaceDirectory: 'file:///w/repo/sub' },
      { sessionId: 'other', workspaceDirectory: '/w/other' },
    ]),
  };
  const names = ['here.json', 'uri.json', 'other.json', 'new.json', 'sessions.json', 'x.txt'];
  const place: LocateIn = {
    home: '/h',
    env: { CONTINUE_GLOBAL_DIR: '/c' },
    worktrees: ['/w/repo'],
    list: (at) => (at === '/c/sessions' ? names.map((name) => ({ name, folder: false })) : []),
    read: (file) => files[file],
  };
  expect(continueCli.locate(place)).toEqual(['here', 'uri', 'new'].map((name) => `/c/sessions/${name}.json`));
  expect(continueCli.home({ home: '/h', env: {} })).toBe('/h/.continue');
});
