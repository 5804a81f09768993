import fc from 'fast-check';
import { expect, test } from 'vitest';
import { geminiCli } from '../../../src/capture/gemini-cli/index.ts';
import { whoIs } from '../../../src/capture/identity.ts';
import { isLoose } from '../../../src/capture/print.ts';
import { commandWords, editWords, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const payloads = recordedValues('gemini-cli/hooks.jsonl') as Record<string, unknown>[];
const AT = 1_794_866_000_000;
const decode = (payload: unknown, at = AT) => geminiCli.decodeHook(payload, { at });
const all = payloads.map((payload, i) => decode(payload, AT + i));
const CHATS = '/home/user/.gemini/tmp/repo/chats';
const transcripts = ['session.jsonl', 'subagent.jsonl'].flatMap((name) =>
  geminiCli.decodeTranscript(
    transcriptOf(recorded(`gemini-cli/${name}`), {
      path:
        name === 'session.jsonl' ? `${CHATS}/session-x.jsonl` : `${CHATS}/7b158b87-7616-42a9-9c22-72aeb416c763/x.jsonl`,
    }),
  ),
);

test('recorded hooks are Gemini’s, understood, and tell nothing of the conversation', () => {
  expect(new Set(payloads.map((payload) => whoIs(payload)))).toEqual(new Set(['gemini-cli']));
  expect(all.flatMap(({ skipped, events }) => [...Object.keys(skipped), ...events])).toEqual([]);
  expect(new Set(all.map(({ session }) => session))).toEqual(new Set([transcripts[0]?.session]));
});

test('they show every edit of the transcripts, whole, by the same print', () => {
  const byPrint = (one: { print?: string; path: string; change: unknown }) =>
    `${one.print} ${one.path} ${JSON.stringify(one.change)}`;
  const [seen, told] = [all, transcripts].map((list) => list.flatMap(({ edits }) => edits));
  expect(seen?.map(byPrint).sort()).toEqual(told?.map(byPrint).sort());
  expect(seen?.every(({ event }) => isLoose(event))).toBe(true);
  expect(new Set(seen?.map(({ event }) => event)).size).toBe(seen?.length);
  expect(new Set(all.flatMap(editWords).map((word) => word.split(' ')[0]))).toEqual(new Set(['full']));
});

test('they show a command when it begins and when it ends, under one id; one in the background only begins', () => {
  expect(all.flatMap(commandWords)).toEqual([
    'sleep 0.5; echo p1 > ?',
    'echo p2 > p2.txt ?',
    'echo p2 > p2.txt 0',
    'sleep 0.5; echo p1 > 0',
    'pwd > where.txt ?',
    'pwd > where.txt 0',
    'sleep 2; echo late > ?',
    'kill -9 $$ ?',
    'kill -9 $$ ?',
    'echo helper > helper ?',
    'echo helper > helper 0',
  ]);
  const [begun, ended] = all.flatMap(({ commands }) => commands).filter(({ command }) => command.startsWith('pwd'));
  expect(begun?.event).toBe(ended?.event);
  expect([begun?.endedAt, ended?.endedAt]).toEqual([undefined, expect.any(Number)]);
});

const shell = {
  hook_event_name: 'AfterTool',
  session_id: 's',
  tool_name: 'run_shell_command',
  tool_input: { command: 'x' },
};
const edit = { ...shell, tool_name: 'write_file', tool_input: { file_path: '/r/a', content: 'x' } };

test('what failed is no edit; a command that failed is a command', () => {
  const failed = { tool_response: { llmContent: 'no', returnDisplay: 'no', error: { message: 'no', type: 'x' } } };
  expect(decode({ ...edit, ...failed })).toMatchObject({ edits: [], commands: [] });
  expect(decode({ ...shell, ...failed }).commands).toMatchObject([{ command: 'x' }]);
  expect(decode({ ...edit, hook_event_name: 'BeforeTool' })).toMatchObject({ edits: [], commands: [] });
});

test('answers in parts, or none', () => {
  const parts = { tool_response: { llmContent: [{ text: 'Output: x\nExit Code: 4\nProcess Group PGID: 1' }] } };
  expect(decode({ ...shell, ...parts }).commands).toMatchObject([{ exitCode: 4 }]);
  expect(editWords(decode(edit))).toEqual(['write /r/a']);
  expect(decode({ ...edit, tool_input: {} }).commands).toMatchObject([{ command: '' }]);
});

test.each([null, [], 'x', {}, { hook_event_name: 'News' }, { ...shell, tool_input: 7 }, { ...shell, tool_name: '' }])(
  '%j is counted',
  (payload) => {
    expect(Object.keys(decode(payload).skipped)).toHaveLength(1);
  },
);

test('a session that ends', () => {
  expect(decode({ hook_event_name: 'SessionEnd', session_id: 's' })).toMatchObject({
    session: 's',
    ended: true,
    endedAt: AT,
  });
});

test('law: no payload is fatal', () => {
  fc.assert(
    fc.property(spoiled(payloads), (values) => void values.map((value) => decode(value))),
    { numRuns: 200 },
  );
});
