import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amp } from '../../../src/capture/amp/index.ts';
import { commandWords, editWords, recorded, spoiled, transcriptOf } from '../recorded.ts';

const thread = JSON.parse(recorded('amp/thread.json'));
const decode = (value: unknown) => {
  const [captured] = amp.decodeTranscript(transcriptOf(typeof value === 'string' ? value : JSON.stringify(value)));
  if (!captured) throw new Error('nothing was decoded');
  return captured;
};

test('a thread in the shape of February 2026', () => {
  const captured = decode(thread);
  expect(captured).toMatchObject({
    session: 'T-01a2b3c4-0000-7000-8000-000000000001',
    tool: { name: 'amp', version: '0.0.1772237000-g924883' },
    cwd: '/repo',
    startedAt: 1772243812131,
    model: 'anthropic/claude-opus-4-6',
    tokens: { inputTokens: 9, outputTokens: 210, cacheReadTokens: 3000, cacheWriteTokens: 300 },
    skipped: {},
  });
  expect(editWords(captured)).toEqual(['write /repo/src/greet.ts', 'hunks /repo/src/app.ts']);
  expect(captured.edits[1]).toMatchObject({
    event: 'toolu_2',
    at: Date.parse('2026-02-28T01:56:54.900Z'),
    change: { hunks: [{ oldStart: 1, oldLines: 3, newLines: 4 }] },
  });
  expect(commandWords(captured)).toEqual(['exit 3 3']);
  expect(captured.events.map(({ type }) => type)).toEqual(
    'message reasoning message fileOperation fileOperation toolCall terminalCommand message'.split(' '),
  );
  expect(captured.events[0]).toMatchObject({ role: 'user', content: 'Note the port.' });
});

describe('tools', () => {
  const call = (name: string, input: unknown, run: unknown) =>
    decode({
      id: 'T-1',
      messages: [
        { role: 'assistant', messageId: 0, content: [{ type: 'tool_use', id: 'c', name, input }] },
        { role: 'user', messageId: 1, content: [{ type: 'tool_result', toolUseID: 'c', run }] },
      ],
    });
  const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch';
  test.each<[string, string, unknown, unknown, string[], number]>([
    ['no diff', 'edit_file', { path: 'a', old_str: 'x', new_str: 'y' }, { status: 'done' }, ['replace a'], 1],
    ['no texts', 'edit_file', { path: 'a' }, { status: 'done' }, ['replace a'], 0],
    ['an undo', 'undo_edit', { path: 'a' }, { status: 'done', result: 'x' }, ['replace a'], 0],
    ['a patch', 'apply_patch', { patchText: patch }, { status: 'done' }, ['replace a.ts'], 1],
    ['stopped', 'edit_file', { path: 'a', old_str: 'x', new_str: 'y' }, { status: 'cancelled' }, [], 0],
    ['rejected', 'edit_file', { path: 'a', old_str: 'x', new_str: 'y' }, { status: 'rejected-by-user' }, [], 0],
    ['at work', 'create_file', { path: 'a', content: 'x' }, { status: 'in-progress' }, [], 0],
    ['a sub-agent', 'Task', {}, { status: 'done', trackFiles: ['file:///repo/a%20b', 'x'] }, ['replace /repo/a b'], 0],
  ])('%s', (_, name, input, run, expected, pairs) => {
    const captured = call(name, input, run);
    expect(editWords(captured)).toEqual(expected);
    const [change] = captured.edits.map((edit) => edit.change);
    expect(change?.kind === 'replace' ? change.pairs.length : 0).toBe(pairs);
    expect(captured.commands).toEqual([]);
  });

  test('a sub-agent that tells nothing at all', () => {
    expect(call('Task', {}, { status: 'done' }).commands).toMatchObject([{ command: '' }]);
  });

  test('a command that was refused never ran', () => {
    expect(call('Bash', { cmd: 'rm x' }, { status: 'rejected-by-user' }).commands).toMatchObject([{ refused: true }]);
  });
});

test('threads of all folders lie together', () => {
  const entries = ['T-1.json', 'T-2.json.tmp', 'x.json'].map((name) => ({ name, folder: false }));
  const locate = (env: Record<string, string>) =>
    amp.locate({
      home: '/h',
      env,
      worktrees: [],
      read: () => undefined,
      list: (at) => (at === '/d/amp/threads' ? entries : []),
    });
  expect(locate({ XDG_DATA_HOME: '/d' })).toEqual(['/d/amp/threads/T-1.json']);
  expect(locate({})).toEqual([]);
});

test('what is no thread is counted', () => {
  expect(decode('{"id":')).toMatchObject({ session: '', skipped: { 'broken file': 1 } });
  expect(decode([])).toMatchObject({ session: '', skipped: { 'broken file': 1 } });
});

test('law: nothing that stands in a thread is fatal', () => {
  fc.assert(
    fc.property(spoiled([thread]), ([value]) => {
      expect(decode(JSON.stringify(value ?? null)).edits.length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 500 },
  );
});
