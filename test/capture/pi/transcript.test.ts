import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pi } from '../../../src/capture/pi/index.ts';
import { commandWords, editWords, linesOf, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const decode = (values: readonly unknown[]) => {
  const [captured] = pi.decodeTranscript(transcriptOf(linesOf(values)));
  if (!captured) throw new Error('nothing was decoded');
  return captured;
};
const session = recordedValues('pi/session.jsonl');

test('a recorded session: what succeeded, what ran, what was said', () => {
  const captured = decode(session);
  expect(captured).toMatchObject({
    session: '01a1e666-feb2-740c-aeac-b4ec12481cd9',
    tool: { name: 'pi' },
    cwd: '/repo',
    startedAt: Date.parse('2026-11-16T22:07:51.987Z'),
    tokens: { inputTokens: 700, outputTokens: 140, cacheReadTokens: 0, cacheWriteTokens: 0 },
    skipped: {},
  });
  expect(captured.model).toBeUndefined();
  expect(editWords(captured)).toEqual(['write /repo/src/greet.ts', 'hunks /repo/src/app.ts']);
  expect(commandWords(captured)).toEqual(["printf 'first note b 0", "printf 'left behind  3"]);
  expect(captured.events.map(({ type }) => type)).toEqual(
    'message fileOperation terminalCommand terminalCommand fileOperation toolCall fileOperation message'.split(' '),
  );
  expect(captured.events[0]).toMatchObject({ content: 'Create the greeting and note the port.' });
});

const head = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/repo' };
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const told = (second: number, message: unknown, id?: string) => ({
  type: 'message',
  ...(id && { id, parentId: null }),
  timestamp: at(second),
  message,
});
const call = (name: string, args: unknown) => ({
  role: 'assistant',
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  content: [
    { type: 'thinking', thinking: 'Hm.\nLet me see.' },
    { type: 'text', text: 'So be it.' },
    { type: 'toolCall', id: 'c', name, arguments: args },
  ],
});
const result = (more: object) => ({ role: 'toolResult', toolCallId: 'c', content: [], isError: false, ...more });

describe('tools', () => {
  test.each<[string, string, unknown, object, string[]]>([
    ['version 1', 'edit', { path: 'a.ts', oldText: 'x', newText: 'y' }, {}, ['replace a.ts']],
    ['several', 'edit', { path: '@a.ts', edits: [{ oldText: 'x', newText: 'y' }] }, {}, ['replace a.ts']],
    ['no texts', 'edit', { path: 'a.ts', edits: [{ oldText: 'x' }] }, {}, []],
    ['no path', 'write', { content: 'x' }, {}, []],
    ['a failure', 'write', { path: 'a.ts', content: 'x' }, { isError: true }, []],
    ['no word of success', 'write', { path: 'a.ts', content: 'x' }, { isError: undefined }, []],
  ])('%s of %s', (_, name, args, more, expected) => {
    const captured = decode([head, told(1, call(name, args)), told(2, result(more))]);
    expect(editWords(captured)).toEqual(expected);
    // what succeeded without our knowing what it did is something that happened
    const failed = 'isError' in more;
    expect(captured.commands).toHaveLength(expected.length === 0 && !failed ? 1 : 0);
    expect(captured.models.get('c')).toBe('anthropic/claude-sonnet-4-5');
    expect(captured.events.slice(0, 2)).toMatchObject([{ intent: 'Hm.' }, { content: 'So be it.' }]);
  });

  test.each<[string, object, object]>([
    ['aborted', { isError: true, content: [{ type: 'text', text: 'Command aborted' }] }, { endedAt: 1767225602000 }],
    ['good', {}, { endedAt: 1767225602000, exitCode: 0 }],
  ])('a command: %s', (_, more, expected) => {
    const { commands } = decode([head, told(1, call('bash', { command: 'make' })), told(2, result(more))]);
    expect(commands).toMatchObject([{ command: 'make', startedAt: 1767225601000, ...expected }]);
  });
});

test('what the person typed with ! is no command of the agent', () => {
  const bash = { role: 'bashExecution', command: 'rm x', output: '', exitCode: 0, timestamp: 1 };
  expect(decode([head, told(1, bash)])).toMatchObject({ commands: [], events: [], skipped: {} });
});

test('an abandoned branch has been on the disk all the same', () => {
  const write = (id: string) => ({
    role: 'assistant',
    content: [{ type: 'toolCall', id, name: 'write', arguments: { path: id, content: 'x' } }],
  });
  const lines = [
    head,
    { ...told(1, { role: 'user', content: 'go', timestamp: 1 }), id: 'u', parentId: null },
    { ...told(2, write('a')), id: 'a', parentId: 'u' },
    told(3, result({ toolCallId: 'a' })),
    {
      type: 'branch_summary',
      id: 'b',
      parentId: 'u',
      timestamp: at(4),
      fromId: 'a',
      summary: 's',
      usage: { input: 5 },
    },
    { ...told(5, write('b')), id: 'w', parentId: 'b' },
    told(6, result({ toolCallId: 'b' })),
  ];
  expect(editWords(decode(lines))).toEqual(['write a', 'write b']);
  expect(decode(lines).tokens).toMatchObject({ inputTokens: 5 });
});

test('a fork has the session that it came from, and none of what that one has paid', () => {
  const parentSession = '/h/.pi/agent/sessions/--repo--/2026-01-01T00-00-00-000Z_parent-id.jsonl';
  const spent = (second: number, input: number) => told(second, { role: 'assistant', content: [], usage: { input } });
  const fork = decode([{ ...head, timestamp: at(5), parentSession }, spent(1, 7), spent(6, 3)]);
  expect(fork).toMatchObject({ forkedFrom: 'parent-id', startedAt: Date.parse(at(5)), tokens: { inputTokens: 3 } });
});

test('whatever is not understood is counted', () => {
  const lines = ['{"type":"session"', '[]', '{"type":"news"}', '{"type":"message"}', '{"type":"message","message":{}}'];
  const [captured] = pi.decodeTranscript(transcriptOf(lines.join('\n')));
  expect(captured).toMatchObject({
    session: '',
    skipped: { 'broken line': 2, 'line type news': 1, 'message without role or time': 2 },
  });
});

test('law: nothing that stands in a line is fatal', () => {
  fc.assert(
    fc.property(spoiled(session), (values) => {
      expect(decode(values).edits.length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 500 },
  );
});
