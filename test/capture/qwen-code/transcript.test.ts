import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { qwenCode } from '../../../src/capture/qwen-code/index.ts';
import type { Captured } from '../../../src/capture/session.ts';
import { commandWords, editWords, linesOf, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

function decode(text: string): Captured {
  const [captured] = qwenCode.decodeTranscript(transcriptOf(text));
  if (!captured) throw new Error('nothing');
  return captured;
}
const session = decode(recorded('qwen-code/session.jsonl'));
const helper = decode(recorded('qwen-code/subagent.jsonl'));
const texts = (captured: Captured, role: string) =>
  captured.events.flatMap((event) => (event.type === 'message' && event.role === role ? [event.content] : []));

describe('the recorded session', () => {
  test('tells all edits whole, and none that failed', () => {
    expect(editWords(session)).toEqual(
      ['src/app.ts', 'fresh.txt', 'crlf.txt', 'multi.txt', 'par.txt', 'book.ipynb'].map((name) => `full /repo/${name}`),
    );
    expect(session.edits.map(({ change }) => change.kind === 'full' && change.before === null)).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  test('tells commands, with those that never ran', () => {
    expect(commandWords(session)).toEqual([
      'sleep 0.5; echo p1 > 0',
      'echo p2 > p2.txt 0',
      'pwd > where.txt 0',
      'sleep 2; echo late > ?',
      '? refused',
      'kill -9 $$ ?',
      "sed -i 's/b b/z z/'  0",
    ]);
    expect(session.commands[2]?.cwd).toBe('/repo/src');
    expect(session.commands[3]).toMatchObject({ background: true });
  });

  test('tells who, where and what was said; the name of a model is no proof of whose it is', () => {
    expect(session).toMatchObject({
      session: '4df931c3-88ab-4f92-ac6f-401a99dce39e',
      tool: { name: 'qwen-code', version: '0.24.4' },
      cwd: '/repo',
      branch: 'main',
      tokens: { inputTokens: 1680, outputTokens: 480, cacheReadTokens: 720, reasoningTokens: 168 },
      skipped: {},
    });
    expect([session.model, session.models.size]).toEqual([undefined, 0]);
    expect(texts(session, 'user')).toEqual(['Do many things.', 'And one more.']);
    expect(texts(session, 'assistant')).toEqual(['I will begin.', 'All done.', 'Nothing more.', 'Done again.']);
    expect(new Set(session.events.map(({ id }) => id)).size).toBe(session.events.length);
  });

  test('a sub-agent’s results have no status: words tell, and what was asked for', () => {
    expect(helper.session).toBe(session.session);
    expect(helper.edits).toMatchObject([{ change: { kind: 'full', before: null, after: 'by helper\n' } }]);
    expect(commandWords(helper)).toEqual(['echo helper > helper 0']);
    expect([texts(helper, 'user'), helper.tokens]).toEqual([[], undefined]);
  });
});

const base = { sessionId: 's1', timestamp: '2026-11-16T10:00:00.000Z', cwd: '/repo', version: '1.0.0' };
const asks = (name: string, args: unknown, id = 'call_1a2b3c4d5e') => ({
  ...base,
  uuid: 'a1',
  type: 'assistant',
  message: { parts: [{ functionCall: { id, name, args } }] },
});
const answers = (response: unknown, result: unknown, id = 'call_1a2b3c4d5e') => ({
  ...base,
  uuid: 'r1',
  timestamp: '2026-11-16T10:00:01.000Z',
  type: 'tool_result',
  message: { parts: [{ functionResponse: { id, response } }] },
  toolCallResult: result,
});
const told = (...lines: unknown[]) => decode(linesOf(lines));
const write = { file_path: '/repo/a', content: 'x\n' };

describe('how a call ended', () => {
  test.each<[string, unknown, unknown, number]>([
    ['success', { output: 'ok' }, { status: 'success' }, 1],
    ['no status, an output', { output: 'ok' }, { durationMs: 1 }, 1],
    ['no status, an error', { error: 'no' }, { durationMs: 1 }, 0],
    ['no status, both', { output: 'x', error: 'no' }, {}, 0],
    ['nothing', {}, {}, 0],
    ['error', { error: 'no' }, { status: 'error', executionStatus: 'error' }, 0],
    ['not read before', { error: 'no' }, { status: 'error', errorType: 'edit_requires_prior_read' }, 0],
    ['denied', { error: 'no' }, { status: 'error', errorType: 'execution_denied', executionStatus: 'not_started' }, 0],
    ['wrong types', { output: 7 }, { status: {} }, 0],
  ])('of an edit: %s', (_, response, result, count) => {
    expect(told(asks('write_file', write), answers(response, result)).edits).toHaveLength(count);
  });

  test.each<[string, unknown, unknown]>([
    [
      'it failed',
      { status: 'error', errorType: 'shell_execute_error', resultDisplay: { exitCode: 3 } },
      { exitCode: 3 },
    ],
    ['it was denied', { status: 'error', errorType: 'execution_denied' }, { refused: true }],
    ['the user said no', { status: 'cancelled', executionStatus: 'not_started' }, { refused: true }],
    ['the user stopped it', { status: 'cancelled', executionStatus: 'cancelled' }, { endedAt: expect.any(Number) }],
    ['Qwen did not let it', { status: 'error', errorType: 'edit_requires_prior_read' }, { refused: true }],
  ])('of a command: %s', (_, result, command) => {
    const [one] = told(asks('run_shell_command', { command: 'make' }), answers({ error: 'x' }, result)).commands;
    expect(one).toMatchObject({ command: 'make', ...(command as object) });
    if (!('refused' in (command as object))) expect(one).not.toHaveProperty('refused');
  });

  test('nobody told yet', () => {
    const captured = told(asks('write_file', write), asks('run_shell_command', { command: 'x' }, 'call_2b3c4d5e6f'));
    expect([captured.edits, captured.commands]).toEqual([[], []]); // a line with a known uuid is the same line
    const other = { ...asks('run_shell_command', { command: 'x' }, 'call_2b3c4d5e6f'), uuid: 'a2' };
    expect(told(other).commands).toMatchObject([{ command: 'x' }]);
    expect(told(other).commands[0]?.endedAt).toBeUndefined();
  });
});

test('large texts are cut in transcripts: what was asked for tells', () => {
  const display = {
    originalContent: 'x [cut] x',
    newContent: 'x [cut] x',
    originalContentLength: 17_000,
    newContentLength: 17_001,
    originalContentTruncated: true,
    newContentTruncated: true,
    truncatedForSession: true,
  };
  const edit = asks('edit', { file_path: '/repo/a', old_string: 'a', new_string: 'bb' });
  const [one] = told(edit, answers({ output: 'ok' }, { status: 'success', resultDisplay: display })).edits;
  expect(one?.change).toEqual({ kind: 'replace', pairs: [{ old: 'a', new: 'bb', all: false }] });
});

test.each([
  'x',
  '[]',
  '{"type":"user"}',
  '{"type":"news","timestamp":"2026-11-16T10:00:00Z"}',
  '{"type":"tool_result","timestamp":"2026-11-16T10:00:00Z"}',
  '{"type":"assistant","timestamp":"2026-11-16T10:00:00Z","message":{"parts":[{"functionCall":{}}]}}',
])('%s is counted', (line) => {
  expect(Object.values(decode(line).skipped)).toEqual([1]);
});

test('law: no line is fatal', () => {
  const values = recordedValues('qwen-code/session.jsonl').slice(0, 30);
  fc.assert(
    fc.property(spoiled(values), (broken) => void decode(linesOf(broken))),
    { numRuns: 200 },
  );
});
