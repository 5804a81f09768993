import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zed } from '../../../src/capture/zed/index.ts';
import { unpackText } from '../../../src/sessions/unpack.ts';
import { withDatabase } from '../database.ts';
import { commandWords, editWords, recorded, spoiled } from '../recorded.ts';

/** As Zed makes it (`crates/agent/src/db.rs`), with the columns that came later. */
const OLD =
  'CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL';
const SCHEMA = `${OLD}, parent_id TEXT, folder_paths TEXT, folder_paths_order TEXT, created_at TEXT);`;
const ROW = {
  id: '5b3c0c7e-0000-4000-8000-000000000001',
  summary: 'Note the port',
  updated_at: '2026-01-02T10:05:00+00:00',
  created_at: '2026-01-02T10:00:00+00:00',
  data_type: 'json',
  folder_paths: '/repo',
};
const FROM = Date.parse(ROW.created_at);
const TO = Date.parse(ROW.updated_at);

const thread = JSON.parse(recorded('zed/thread.json'));
const rows = (value: unknown, row: object = {}) => [
  { ...ROW, data: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), ...row },
  { ...ROW, id: 'other', folder_paths: '/elsewhere', data: Buffer.from('{}') },
];
const decode = (value: unknown, row: object = {}, unpack: (bytes: unknown) => string | undefined = unpackText) => {
  const all = withDatabase(SCHEMA, { threads: rows(value, row) }, zed.decodeTranscript, { unpack });
  expect(all).toHaveLength(1);
  const [captured] = all;
  if (!captured) throw new Error('nothing was decoded');
  return captured;
};

test('a thread: whole files before and after', () => {
  const captured = decode(thread);
  expect(captured).toMatchObject({
    session: ROW.id,
    tool: { name: 'zed' },
    cwd: '/repo',
    startedAt: FROM,
    endedAt: TO,
    tokens: { inputTokens: 700, outputTokens: 140, cacheReadTokens: 50, cacheWriteTokens: 0 },
    skipped: {},
  });
  // of several models that a thread had, only the last is told
  expect(captured.model).toBeUndefined();
  expect(editWords(captured)).toEqual(['full /repo/src/greet.ts', 'full /repo/src/app.ts']);
  expect(captured.edits[0]?.change).toMatchObject({ before: null });
  expect(captured.edits.map(({ at }) => at - FROM)).toEqual([3, 4]);
  expect(commandWords(captured)).toEqual(['printf x > half.txt; ?']);
  expect(captured.commands[0]).toMatchObject({ cwd: '/repo', startedAt: FROM, endedAt: TO + 1 });
  expect(captured.events.map(({ type }) => type)).toEqual(
    'message terminalCommand reasoning message fileOperation fileOperation toolCall message'.split(' '),
  );
});

describe('packed threads', () => {
  test('are unpacked where Node can', () => {
    const captured = decode('packed', { data_type: 'zstd' }, (bytes) =>
      Buffer.from(bytes as Uint8Array).toString() === 'packed' ? JSON.stringify(thread) : undefined,
    );
    expect(captured.edits).toHaveLength(2);
  });

  test('else something happened in that time, and nobody can tell what', () => {
    const captured = decode('packed', { data_type: 'zstd' }, () => undefined);
    expect(captured).toMatchObject({
      edits: [],
      events: [],
      commands: [{ cwd: '/repo', startedAt: FROM, endedAt: TO + 1 }],
      skipped: { 'thread that cannot be unpacked (Node 22.15 can)': 1 },
    });
  });

  const zstd = (zlib as { zstdCompressSync?: (text: string) => Buffer }).zstdCompressSync;
  test.skipIf(!zstd)('by this Node (needs 22.15)', () => {
    expect(unpackText(zstd?.('text'))).toBe('text');
  });

  test('what is not packed so is nothing', () => {
    expect(unpackText(Buffer.from('text'))).toBeUndefined();
    expect(unpackText('text')).toBeUndefined();
  });
});

describe('tools', () => {
  const answered = (name: string, input: object, answer: object, row: object = {}) =>
    decode(
      {
        messages: [
          {
            Agent: {
              content: [{ ToolUse: { id: 'c', name, input } }],
              tool_results: { c: { is_error: false, content: [], ...answer } },
            },
          },
        ],
      },
      row,
    );
  const output = (path: string) => ({ output: { input_path: path, old_text: 'x\n', new_text: 'y\n' } });
  test.each<[string, string, object, object, object, string[]]>([
    ['the only folder left out', 'edit_file', {}, output('src/a.ts'), {}, ['full /repo/src/a.ts']],
    ['one of two folders', 'edit_file', {}, output('b/a.ts'), { folder_paths: '/repo\n/b' }, ['full /b/a.ts']],
    ['none of two folders', 'edit_file', {}, output('c/a.ts'), { folder_paths: '/repo\n/b' }, []],
    ['an absolute path', 'edit_file', {}, output('/repo/a.ts'), {}, ['full /repo/a.ts']],
    [
      'an older name',
      'edit_file',
      {},
      { output: { original_path: 'a', old_text: '', new_text: 'y' } },
      {},
      ['full /repo/a'],
    ],
    ['no texts', 'edit_file', { path: 'repo/a.ts' }, { output: 'Edited' }, {}, ['replace /repo/a.ts']],
    ['nothing changed', 'edit_file', {}, { output: { input_path: 'a', old_text: 'x', new_text: 'x' } }, {}, []],
    ['an error', 'edit_file', { path: 'a' }, { is_error: true, output: { error: 'no' } }, {}, []],
    [
      'broken off',
      'edit_file',
      { path: 'a' },
      { is_error: true, output: { error: 'no', input_path: 'a', diff: '+x' } },
      {},
      ['replace /repo/a'],
    ],
    ['no word of success', 'write_file', {}, { is_error: null, ...output('a') }, {}, []],
  ])('%s', (_, name, input, answer, row, expected) => {
    expect(editWords(answered(name, input, answer, row))).toEqual(expected);
  });

  test('what moves files and does not show how is a command', () => {
    const captured = answered('move_path', { source_path: 'repo/a', destination_path: 'repo/b' }, {});
    expect(captured.commands).toMatchObject([{ command: 'move_path repo/a repo/b', startedAt: FROM, endedAt: TO + 1 }]);
  });
});

test('before version 0.3.0, and before there were folders', () => {
  const older = {
    version: '0.2.0',
    initial_project_snapshot: { worktree_snapshots: [{ worktree_path: '/repo' }] },
    messages: [
      { role: 'user', segments: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        segments: [
          { type: 'thinking', text: 'hm' },
          { type: 'text', text: 'so' },
        ],
        tool_uses: [{ id: 'c', name: 'edit_file', input: {} }],
        tool_results: [
          {
            tool_use_id: 'c',
            is_error: false,
            content: 'ok',
            output: { original_path: 'repo/a', old_text: 'x', new_text: 'y' },
          },
        ],
      },
    ],
  };
  const { created_at: _, folder_paths: __, ...row } = { ...ROW, data: Buffer.from(JSON.stringify(older)) };
  const [captured] = withDatabase(`${OLD});`, { threads: [row] }, zed.decodeTranscript);
  expect(captured && editWords(captured)).toEqual(['full /repo/a']);
  expect(captured?.events.map(({ type }) => type)).toEqual(['message', 'reasoning', 'message', 'fileOperation']);
});

test('threads that were only imported, and broken ones', () => {
  expect(decode({ ...thread, imported: true })).toMatchObject({ edits: [], commands: [], skipped: {} });
  expect(decode('{')).toMatchObject({ edits: [], skipped: { 'broken thread': 1 } });
});

test.each<[string, Record<string, string>, string]>([
  ['/h', {}, '/h/.local/share/zed'],
  ['/h', { XDG_DATA_HOME: '/d' }, '/d/zed'],
  ['/Users/u', {}, '/Users/u/Library/Application Support/Zed'],
  ['C:/Users/u', { LOCALAPPDATA: 'C:/L' }, 'C:/L/Zed'],
])('where it is: %s %j', (home, env, folder) => {
  const place = { home, env, worktrees: [], list: () => [], read: () => undefined };
  expect(zed.locate(place)).toEqual([`${folder}/threads/threads.db`]);
  expect(zed.home(place)).toBe(folder);
});

test('law: nothing that stands in a thread is fatal', () => {
  fc.assert(
    fc.property(spoiled([thread]), ([value]) => {
      expect(decode(JSON.stringify(value ?? null)).edits.length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 40 },
  );
});
