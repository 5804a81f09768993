import fc from 'fast-check';
import { expect, test } from 'vitest';
import { whoIs } from '../../../src/capture/identity.ts';
import { isLoose } from '../../../src/capture/print.ts';
import { qwenCode } from '../../../src/capture/qwen-code/index.ts';
import { commandWords, editWords, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const payloads = recordedValues('qwen-code/hooks.jsonl') as Record<string, unknown>[];
const AT = 1_794_866_000_000;
const decode = (payload: unknown, at = AT) => qwenCode.decodeHook(payload, { at });
const all = payloads.map((payload, i) => decode(payload, AT + i));
const transcripts = ['session', 'subagent'].flatMap((name) =>
  qwenCode.decodeTranscript(transcriptOf(recorded(`qwen-code/${name}.jsonl`))),
);

test('recorded hooks are Qwen’s, and all understood that we ask for', () => {
  expect(new Set(payloads.map((payload) => whoIs(payload)))).toEqual(new Set(['qwen-code']));
  expect(all.flatMap(({ skipped }) => Object.keys(skipped))).toEqual(['hook SubagentStart']);
});

test('they show every edit of the transcripts, whole, under the same event', () => {
  const short = (one: { event: string; change: unknown }) => `${one.event} ${JSON.stringify(one.change)}`;
  const [seen, told] = [all, transcripts].map((list) => list.flatMap(({ edits }) => edits.map(short)).sort());
  expect(seen).toEqual(told);
  expect(all.flatMap(editWords).every((word) => word.startsWith('full '))).toBe(true);
});

test('they show a command when it begins and when it ends, under the transcript’s id', () => {
  expect(all.flatMap(commandWords).slice(0, 6)).toEqual([
    'sleep 0.5; echo p1 > ?',
    'sleep 0.5; echo p1 > 0',
    'echo p2 > p2.txt ?',
    'echo p2 > p2.txt 0',
    'pwd > where.txt ?',
    'pwd > where.txt 0',
  ]);
  const known = new Set(transcripts.flatMap(({ commands }) => commands.map(({ event }) => event)));
  expect(all.flatMap(({ commands }) => commands).filter(({ event }) => !known.has(event))).toEqual([]);
});

test('they know the same events by the same ids, and no prompts', () => {
  const known = new Set(transcripts.flatMap(({ events }) => events.map(({ id }) => id)));
  expect(all.flatMap(({ events }) => events.filter(({ id }) => !known.has(id)))).toEqual([]);
  const stop = all[payloads.findIndex((payload) => payload.hook_event_name === 'SubagentStop')];
  expect(stop?.transcript).toMatch(/\/subagents\//);
});

const shell = {
  hook_event_name: 'PostToolUse',
  session_id: 's',
  tool_name: 'run_shell_command',
  tool_input: { command: 'x' },
};
const edit = { ...shell, tool_name: 'write_file', tool_input: { file_path: '/r/a', content: 'x' } };

test('without the model’s id of a call, its print', () => {
  const [begun, ended] = ['PreToolUse', 'PostToolUse'].map((name) => decode({ ...shell, hook_event_name: name }));
  expect(begun?.commands[0]?.event).toBe(ended?.commands[0]?.event);
  expect(isLoose(decode(edit).edits[0]?.event ?? '')).toBe(true);
  expect(decode(edit).events).toEqual([]);
  expect(decode({ ...shell, tool_input: { command: 'x', is_background: true } }).commands).toEqual([]);
  expect(decode({ ...edit, hook_event_name: 'PreToolUse' })).toMatchObject({ edits: [], commands: [] });
});

test('ids that count are told apart by the session', () => {
  expect(decode({ ...edit, tool_call_id: 'functions.write_file:0' }).edits[0]?.event).toBe('s:functions.write_file:0');
});

test('what failed is no edit; a command that failed is a command with its exit code', () => {
  const failed = { hook_event_name: 'PostToolUseFailure', tool_call_id: 'call_1a2b3c4d5e' };
  expect(decode({ ...edit, ...failed, error: 'no' })).toMatchObject({ edits: [], commands: [] });
  const error = 'Command: x\nOutput: (empty)\nExit Code: 3\nSignal: (none)\nProcess Group PGID: (none)';
  expect(decode({ ...shell, ...failed, error, duration_ms: 500 }).commands).toMatchObject([
    { exitCode: 3, startedAt: AT - 500, endedAt: AT },
  ]);
});

test.each([null, [], 'x', {}, { hook_event_name: 'News' }, { ...shell, tool_input: 7 }, { ...shell, tool_name: '' }])(
  '%j is counted',
  (payload) => {
    expect(Object.keys(decode(payload).skipped)).toHaveLength(1);
  },
);

test('law: no payload is fatal', () => {
  fc.assert(
    fc.property(spoiled(payloads), (values) => void values.map((value) => decode(value))),
    { numRuns: 200 },
  );
});
