import fc from 'fast-check';
import { expect, test } from 'vitest';
import { whoIs } from '../../../src/capture/identity.ts';
import { pi } from '../../../src/capture/pi/index.ts';
import { commandWords, editWords, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const payloads = recordedValues('pi/hooks.jsonl') as Record<string, unknown>[];
const now = 1794866880000;
const decode = (payload: unknown) => pi.decodeHook(payload, { at: now });

test('recorded calls of our extension', () => {
  const all = payloads.map(decode);
  expect(new Set(payloads.map((payload) => whoIs(payload)))).toEqual(new Set(['pi']));
  expect(all.flatMap(editWords)).toEqual(['full /repo/src/greet.ts', 'full /repo/src/app.ts']);
  expect(all.flatMap(commandWords)).toEqual([
    "printf 'first note b ?",
    "printf 'first note b 0",
    "printf 'left behind  ?",
    "printf 'left behind  3",
  ]);
  expect(all.flatMap(({ skipped }) => Object.keys(skipped))).toEqual([]);
  expect(all.every(({ session }) => session === '01a1e666-feb2-740c-aeac-b4ec12481cd9')).toBe(true);
  expect(all[0]?.transcript).toMatch(/^\/home\/user\/\.pi\/agent\/sessions\/--repo--\/.*\.jsonl$/);
});

test('the transcript knows the same events by the same ids', () => {
  const [transcript] = pi.decodeTranscript(transcriptOf(recorded('pi/session.jsonl')));
  const known = new Set(transcript?.events.map(({ id }) => id));
  const told = payloads.flatMap((payload) => decode(payload).events.map(({ id }) => id));
  expect(told.filter((id) => !known.has(id))).toEqual([]);
  expect(told.length).toBe(7);
});

test('an edit was when the extension says, a command when the hook was called', () => {
  expect(decode(payloads[1]).edits[0]?.at).toBe(1794866872743);
  expect(decode({ ...payloads[1], at: now + 1 }).edits[0]?.at).toBe(now);
  expect(decode(payloads[2]).commands[0]?.startedAt).toBe(now);
  expect(decode(payloads[3]).commands[0]?.endedAt).toBe(now);
});

test('without texts the call itself tells', () => {
  const { before: _, after: __, ...rest } = payloads[6] ?? {};
  const patch = '--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n';
  const input = { edits: [{ oldText: 'x', newText: 'y' }] };
  expect(editWords(decode({ ...rest, tool_input: input }))).toEqual(['replace /repo/src/app.ts']);
  expect(editWords(decode({ ...rest, tool_input: input, details: { patch } }))).toEqual(['hunks /repo/src/app.ts']);
  expect(decode({ ...rest, tool_input: {} }).commands).toMatchObject([{ command: '' }]);
  expect(decode({ ...payloads[6], is_error: true })).toMatchObject({ edits: [], commands: [] });
});

test.each([null, [], 'x', {}, { hook: 'news' }, { hook: 'tool_result', tool_name: 1 }])('%j is counted', (payload) => {
  expect(Object.keys(decode(payload).skipped)).toHaveLength(1);
});

test('law: no payload is fatal', () => {
  fc.assert(
    fc.property(spoiled(payloads), (values) => void values.map(decode)),
    { numRuns: 500 },
  );
});
