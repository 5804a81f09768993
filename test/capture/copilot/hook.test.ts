import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHook } from '../../../src/capture/copilot/hook.ts';
import { decodeEvents } from '../../../src/capture/copilot/transcript.ts';
import { whoIs } from '../../../src/capture/identity.ts';
import { isLoose } from '../../../src/capture/print.ts';
import { editWords, recorded, recordedValues, spoiled } from '../recorded.ts';

const NAMES = ['cli', 'cli-patch'];
const payloads = NAMES.flatMap((name) => recordedValues(`copilot/${name}-hooks.jsonl`));
const decoded = payloads.map((payload, i) => decodeHook(payload, { at: i }));
const sessions = NAMES.flatMap((name) => decodeEvents(recorded(`copilot/${name}.jsonl`).split('\n')));

describe('recorded hooks of the CLI', () => {
  test('edits are those of the transcript, known again by their prints', () => {
    const told = decoded.flatMap((one) => one.edits.map(({ path, print }) => `${one.session} ${path} ${print}`));
    expect(told.length).toBeGreaterThan(5);
    expect(told.sort()).toEqual(
      sessions.flatMap((one) => one.edits.map(({ path, print }) => `${one.session} ${path} ${print}`)).sort(),
    );
    expect(decoded.flatMap(({ edits }) => edits).every(({ event }) => isLoose(event))).toBe(true);
  });

  test('commands: beginning and end have one id', () => {
    const commands = decoded.flatMap((one) => one.commands);
    expect(commands.map(({ command, endedAt, exitCode }) => [command, endedAt !== undefined, exitCode])).toEqual([
      ['echo par > par.txt; exit 3', false, undefined],
      ['echo par > par.txt; exit 3', true, 3],
      ['sleep 1; echo late > late.txt', false, undefined],
      ['sleep 1; echo late > late.txt', false, undefined],
      ['sleep 2', false, undefined],
      ['sleep 2', true, 0],
    ]);
    expect(new Set(commands.map(({ event }) => event)).size).toBe(3);
    expect(commands.map(({ background }) => background)).toEqual([false, false, true, true, false, false]);
  });

  test('who, where, and the end; the words are the transcript’s', () => {
    expect(new Set(payloads.map((payload) => whoIs(payload, 'copilot')))).toEqual(new Set(['copilot']));
    expect(decoded.every(({ events, cwd }) => events.length === 0 && cwd === '/repo')).toBe(true);
    expect(decoded.filter(({ ended }) => ended)).toHaveLength(3);
    const [main, agent] = sessions;
    expect(decoded.flatMap(({ transcript }) => transcript ?? [])).toContain(
      `/home/user/.copilot/session-state/${main?.session}/events.jsonl`,
    );
    const sub = decoded.filter(({ session }) => session === agent?.session);
    expect(sub.map(({ parentSession }) => parentSession)).toEqual(sub.map(() => main?.session));
  });
});

test('hooks named in Claude Code’s way are told its names of tools', () => {
  const base = { hook_event_name: 'PostToolUse', session_id: 's', cwd: '/repo', timestamp: '2026-01-01T00:00:00Z' };
  const result = { tool_result: { result_type: 'success', text_result_for_llm: '' } };
  const tool = (tool_name: string, tool_input: unknown) =>
    decodeHook({ ...base, ...result, tool_name, tool_input }, { at: 5 });
  const camel = (toolName: string, toolArgs: unknown) =>
    decodeHook(
      { sessionId: 's', cwd: '/repo', timestamp: 1, toolName, toolArgs, toolResult: { resultType: 'success' } },
      { at: 5 },
    );
  const edit = { path: '/repo/a', old_str: 'a', new_str: 'b' };
  const patch = '*** Begin Patch\n*** Add File: a\n+a\n*** End Patch';
  expect(tool('Edit', edit)).toEqual(camel('edit', edit));
  expect(tool('Write', { path: 'a', file_text: 'a' })).toEqual(camel('create', { path: 'a', file_text: 'a' }));
  expect(tool('Edit', patch)).toEqual(camel('apply_patch', patch));
  expect(tool('Bash', { command: 'ls' }).commands).toEqual(camel('bash', { command: 'ls' }).commands);
  // older versions give the arguments as JSON
  expect(camel('edit', JSON.stringify(edit))).toEqual(camel('edit', edit));
});

test.each([
  ['failure', { toolResult: { resultType: 'failure' } }],
  ['denied', { toolResult: { resultType: 'denied' } }],
  ['an error', { error: 'No match found' }],
  ['an error of another kind', { error: { message: 'x' } }],
  ['nothing yet', {}],
])('%s: no edit', (_, end) => {
  const call = { toolName: 'edit', toolArgs: { path: '/repo/a', old_str: 'a', new_str: 'b' } };
  expect(decodeHook({ sessionId: 's', timestamp: 1, ...call, ...end }, { at: 5 })).toMatchObject({
    edits: [],
    commands: [],
  });
});

describe('hooks of VS Code', () => {
  const told = recordedValues('copilot/vscode-hooks.jsonl').map((payload, i) => decodeHook(payload, { at: i }));

  test('calls have the ids of the transcript, and are events', () => {
    expect(told.flatMap(editWords)).toEqual(['full /repo/src/hello.ts']);
    expect(told.flatMap(({ edits }) => edits.map(({ event }) => event))).toEqual(['call_create']);
    expect(told.flatMap(({ commands }) => commands.map(({ event, endedAt }) => [event, endedAt]))).toEqual([
      ['call_shell', undefined],
      ['call_shell', 4],
    ]);
    expect(told.flatMap(({ events }) => events.map(({ id }) => id))).toEqual([
      'call_create',
      'call_shell',
      'call_shell',
    ]);
    expect(told.every(({ transcript }) => transcript?.endsWith('.jsonl'))).toBe(true);
  });

  test('the payload says that it is Copilot’s, whoever’s settings named the hook', () => {
    for (const payload of recordedValues('copilot/vscode-hooks.jsonl'))
      expect(whoIs(payload, 'claude-code')).toBe('copilot');
  });
});

test.each(['copilot/cli-hooks.jsonl', 'copilot/vscode-hooks.jsonl'])(
  'law: %s, spoiled anywhere, never throws',
  (name) => {
    fc.assert(
      fc.property(spoiled(recordedValues(name)), (values) =>
        values.every((value) => decodeHook(value, { at: 1 }).tool.name === 'copilot'),
      ),
      { numRuns: 100 },
    );
  },
);
