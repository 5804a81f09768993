import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOpen } from '../../../src/agentlog/open-call.ts';
import { roo } from '../../../src/capture/roo/index.ts';
import { commandWords, editWords, recorded, spoiled, transcriptOf } from '../recorded.ts';

const FOLDER = '/s/tasks/1767348000000';
const T = 1767348000000;
const beside = (ui: unknown = [], item: unknown = { workspace: '/repo' }) => ({
  [`${FOLDER}/ui_messages.json`]: JSON.stringify(ui),
  [`${FOLDER}/history_item.json`]: JSON.stringify(item),
});
const decode = (messages: unknown, files: Record<string, string> = beside()) => {
  const text = typeof messages === 'string' ? messages : JSON.stringify(messages);
  const path = `${FOLDER}/api_conversation_history.json`;
  const [captured] = roo.decodeTranscript(transcriptOf(text, { path, beside: files }));
  if (!captured) throw new Error('nothing was decoded');
  return captured;
};
const api = JSON.parse(recorded('roo/api_conversation_history.json'));
const ui = JSON.parse(recorded('roo/ui_messages.json'));
const item = JSON.parse(recorded('roo/history_item.json'));

test('a task with calls of their own', () => {
  const captured = decode(api, beside(ui, item));
  expect(captured).toMatchObject({
    session: '1767348000000',
    tool: { name: 'roo' },
    cwd: '/repo',
    startedAt: T,
    parentSession: item.parentTaskId,
    childSessions: item.childIds,
    tokens: { inputTokens: 700, outputTokens: 140, cacheReadTokens: 20, cacheWriteTokens: 10 },
    skipped: {},
  });
  // the name of a model stands there, not whose it is
  expect(captured.model).toBeUndefined();
  expect(editWords(captured)).toEqual(['full src/greet.ts', 'hunks src/app.ts']);
  expect(captured.edits.map(({ at }) => at - T)).toEqual([3000, 4000]);
  expect(commandWords(captured)).toEqual(['printf x > half.txt; 3']);
  expect(captured.commands[0]).toMatchObject({ startedAt: T + 6000, endedAt: T + 9000, cwd: '/repo' });
  expect(captured.events[0]).toMatchObject({ role: 'user', content: 'Note the port.' });
  // one of the calls has no result yet
  expect(captured.events.filter(isOpen)).toHaveLength(1);
  expect(captured.events.map(({ type }) => type).sort()).toEqual(
    'fileOperation fileOperation message message terminalCommand toolCall toolCall'.split(' '),
  );
});

const saved = (path: string, operation = 'modified', more: object = {}) => JSON.stringify({ path, operation, ...more });
const call = (name: string, input: object, answer: string) =>
  decode([
    { role: 'user', content: '<task>go</task>', ts: T },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name, input }], ts: T + 1000 },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: answer }], ts: T + 2000 },
  ]);

describe('tools', () => {
  const patch = '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Update File: b\n@@\n-x\n+y\n*** End Patch';
  const block = (old: string, text: string) =>
    `<<<<<<< SEARCH\n:start_line:1\n-------\n${old}=======\n${text}>>>>>>> REPLACE\n`;
  test.each<[string, string, object, string, unknown[]]>([
    ['written over', 'write_to_file', { path: 'a', content: 'x' }, saved('a'), [{ kind: 'write', after: 'x' }]],
    ['a fence that is taken off', 'write_to_file', { path: 'a', content: '```\nx\n```' }, saved('a'), [{ pairs: [] }]],
    ['codes of HTML', 'write_to_file', { path: 'a', content: 'a &lt; b' }, saved('a'), [{ pairs: [] }]],
    [
      'two blocks',
      'apply_diff',
      { path: 'a', diff: block('x\n', 'y\n') + block('p\n', '') },
      saved('a'),
      [
        {
          pairs: [
            { old: 'x\n', new: 'y\n' },
            { old: 'p\n', new: '' },
          ],
        },
      ],
    ],
    [
      'not all blocks',
      'apply_diff',
      { path: 'a', diff: block('x\n', 'y\n') },
      `But unable to apply all diff parts to file: a\n${saved('a')}`,
      [{ pairs: [] }],
    ],
    [
      'edit_file',
      'edit_file',
      { file_path: 'a', old_string: 'x', new_string: 'y', expected_replacements: 2 },
      saved('a'),
      [{ pairs: [{ old: 'x', new: 'y', all: true }] }],
    ],
    [
      'a new file',
      'edit_file',
      { file_path: 'a', old_string: '', new_string: 'y' },
      saved('a', 'created'),
      [{ kind: 'full', before: null, after: 'y' }],
    ],
    ['edit', 'edit', { file_path: 'a', old_string: 'x', new_string: 'y' }, saved('a'), [{ pairs: [{ all: false }] }]],
    [
      'several',
      'search_and_replace',
      { path: 'a', operations: [{ search: 'x', replace: 'y' }] },
      saved('a'),
      [{ pairs: [{ old: 'x', new: 'y' }] }],
    ],
    [
      'a pattern',
      'search_and_replace',
      { path: 'a', search: 'x+', replace: 'y', use_regex: 'true' },
      saved('a'),
      [{ pairs: [] }],
    ],
    [
      'inserted',
      'insert_content',
      { path: 'a', line: '3', content: 'y\n' },
      saved('a'),
      [{ hunks: [{ oldStart: 2, newStart: 3, lines: ['+y'] }] }],
    ],
    ['inserted at the end', 'insert_content', { path: 'a', line: 0, content: 'y' }, saved('a'), [{ pairs: [] }]],
    ['a patch of two files', 'apply_patch', { patch }, saved('a'), [{ pairs: [{ old: 'x\n' }] }, { pairs: [] }]],
    [
      'the words of Cline',
      'write_to_file',
      { path: 'a', content: 'x' },
      'The content was successfully saved to a.',
      [{ kind: 'write' }],
    ],
    ['an error', 'write_to_file', { path: 'a', content: 'x' }, '{"status":"error","message":"no"}', []],
    ['denied', 'write_to_file', { path: 'a', content: 'x' }, '{"status":"denied"}', []],
    [
      'rejected',
      'edit',
      { file_path: 'a', old_string: 'x', new_string: 'y' },
      'Changes were rejected by the user.',
      [],
    ],
    ['nothing to do', 'edit', { file_path: 'a', old_string: 'x', new_string: 'y' }, "No changes needed for 'a'", []],
  ])('%s', (_, name, input, answer, expected) => {
    const { edits, commands } = call(name, input, answer);
    expect(edits.map(({ change }) => change)).toMatchObject(expected);
    expect(edits).toHaveLength(expected.length);
    expect(commands).toEqual([]);
  });

  test('a proposal that a person changed', () => {
    const { edits } = call('write_to_file', { path: 'a', content: 'x' }, saved('a', 'created', { user_edits: '@@' }));
    expect(edits).toMatchObject([{ userModified: true }]);
  });

  test.each<[string, object]>([
    ['Command is still running in terminal', { background: true }],
    [
      "Command executed in terminal within working directory '/repo'. Exit code: 0\nOutput:\nExit code: 7",
      { exitCode: 0 },
    ],
    ['{"status":"denied"}', { refused: true }],
  ])('a command: %s', (answer, expected) => {
    expect(call('execute_command', { command: 'make', cwd: '/repo/sub' }, answer).commands).toMatchObject([
      { command: 'make', cwd: '/repo/sub', ...expected },
    ]);
  });
});

test('until the end of 2025 calls were tags', () => {
  const tagged = 'Let me.\n<write_to_file>\n<path>a</path>\n<content>\nx\n</content>\n</write_to_file>';
  const several = '<apply_diff>\n<args>\n<file>\n<path>b</path>\n<diff>…</diff>\n</file>\n</args>\n</apply_diff>';
  const result = (name: string, path: string) =>
    `[${name} for '${path}'] Result:\n<file_write_result>\n<path>${path}</path>\n<operation>modified</operation>\n</file_write_result>`;
  const captured = decode([
    { role: 'user', content: [{ type: 'text', text: '<task>\ngo\n</task>' }], ts: T },
    { role: 'assistant', content: [{ type: 'text', text: tagged }], ts: T + 1000 },
    { role: 'user', content: [{ type: 'text', text: result('write_to_file', 'a') }], ts: T + 2000 },
    { role: 'assistant', content: several, ts: T + 3000 },
    { role: 'user', content: [{ type: 'text', text: result('apply_diff', 'b') }], ts: T + 4000 },
  ]);
  expect(captured.edits.map(({ path, change }) => [path, change])).toMatchObject([
    ['a', { kind: 'write', after: 'x' }],
    ['b', { kind: 'replace', pairs: [] }],
  ]);
  expect(captured.events.slice(0, 2)).toMatchObject([{ content: 'go' }, { content: 'Let me.' }]);
});

test('version 2 has answers of their own', () => {
  const captured = decode({
    version: 2,
    messages: [
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'c', toolName: 'write_to_file', input: { path: 'a', content: 'x' } },
        ],
        ts: T,
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c', output: { type: 'text', value: saved('a', 'created') } }],
        ts: T + 1,
      },
    ],
  });
  expect(editWords(captured)).toEqual(['full a']);
});

test('where it was, without the item that says so', () => {
  const text = '<environment_details>\n# Current Workspace Directory (/repo) Files\na\n</environment_details>';
  expect(decode([{ role: 'user', content: [{ type: 'text', text }] }], {}).cwd).toBe('/repo');
});

test('whatever is not understood is counted', () => {
  expect(decode('[')).toMatchObject({ session: '', skipped: { 'broken file': 1 } });
  expect(decode([{ role: 'x' }, 7])).toMatchObject({ skipped: { 'message of nobody': 2 } });
});

test('tasks near the work trees', () => {
  const root = '/h/.config/VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/tasks';
  const files: Record<string, string> = {
    [`${root}/1/history_item.json`]: '{"workspace":"/repo/sub"}',
    [`${root}/2/history_item.json`]: '{"workspace":"/elsewhere"}',
  };
  const names = ['1', '2', '3'].map((name) => ({ name, folder: true }));
  const list = (at: string) => (at === root ? [...names, { name: '_index.json', folder: false }] : []);
  const found = roo.locate({ home: '/h', env: {}, worktrees: ['/repo'], list, read: (file) => files[file] });
  expect(found).toEqual(['1', '3'].map((name) => `${root}/${name}/api_conversation_history.json`));
});

test('law: nothing that stands in a task is fatal', () => {
  fc.assert(
    fc.property(spoiled([api, ui, item]), ([messages, asks, about]) => {
      expect(decode(JSON.stringify(messages ?? null), beside(asks, about)).edits.length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 500 },
  );
});
