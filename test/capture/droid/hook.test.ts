import fc from 'fast-check';
import { expect, test } from 'vitest';
import { droid } from '../../../src/capture/droid/index.ts';
import { whoIs } from '../../../src/capture/identity.ts';
import { commandWords, editWords, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const payloads = recordedValues('droid/hooks.jsonl') as Record<string, unknown>[];
const now = 1794867717000;
const decode = (payload: unknown) => droid.decodeHook(payload, { at: now });
const all = payloads.map(decode);
const [transcript] = droid.decodeTranscript(transcriptOf(recorded('droid/session.jsonl')));

test('recorded calls of our hooks; a command that failed has a beginning only', () => {
  expect(new Set(payloads.map((payload) => whoIs(payload)))).toEqual(new Set(['droid']));
  expect(all.flatMap(editWords)).toEqual(['write /repo/src/greet.ts', 'hunks /repo/src/app.ts']);
  const commands = all.flatMap(({ commands: some }) => some).filter(({ command }) => command !== 'true');
  expect(commandWords({ commands })).toEqual([
    "printf 'first note b ?",
    "printf 'first note b 0",
    "printf 'left behind  ?",
  ]);
  expect(commands[0]?.event).toBe(commands[1]?.event);
  expect(commands[0]?.event).not.toBe(commands[2]?.event);
  expect(all.flatMap(({ skipped }) => Object.keys(skipped))).toEqual([]);
  expect(all.at(-1)?.ended).toBe(true);
});

test('the transcript has the conversation; its edits have the same prints', () => {
  expect(all.flatMap(({ events }) => events)).toEqual([]);
  const prints = all.flatMap(({ edits }) => edits.map(({ print }) => print));
  expect(prints).toEqual(transcript?.edits.map(({ print }) => print));
});

test('the end of a turn is a moment at which nothing runs', () => {
  const [stop] = all.filter((_, i) => payloads[i]?.hook_event_name === 'Stop');
  expect(stop?.commands).toMatchObject([{ command: 'true', startedAt: now, endedAt: now }]);
});

test.each([null, {}, { hook_event_name: 'News' }, { hook_event_name: 'PostToolUse', tool_name: 'Edit' }])(
  '%j is counted',
  (payload) => expect(Object.keys(decode(payload).skipped)).toHaveLength(1),
);

test.each([
  { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: {} },
  { hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input: {} },
  { hook_event_name: 'SessionStart' },
])('%j tells nothing', (payload) => {
  expect(decode(payload)).toMatchObject({ edits: [], commands: [], skipped: {} });
});

test('law: no payload is fatal', () => {
  fc.assert(
    fc.property(spoiled(payloads), (values) => void values.map(decode)),
    { numRuns: 500 },
  );
});
