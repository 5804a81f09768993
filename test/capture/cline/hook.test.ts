import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cline } from '../../../src/capture/cline/index.ts';
import { whoIs } from '../../../src/capture/identity.ts';
import { commandWords, editWords, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const payloads = recordedValues('cline/hooks.jsonl') as Record<string, unknown>[];
const now = 1794869420000;
const decode = (payload: unknown) => cline.decodeHook(payload, { at: now });
const all = payloads.map(decode);

test('recorded calls of our hooks: the edit that failed is none', () => {
  expect(new Set(payloads.map((payload) => whoIs(payload)))).toEqual(new Set(['cline']));
  expect(all.flatMap(editWords)).toEqual(['full /repo/src/greet.ts', 'replace /repo/src/app.ts']);
  expect(all.flatMap(commandWords)).toEqual([
    "printf 'first note b ?",
    "printf 'first note b 0",
    "printf 'left behind  ?",
    "printf 'left behind  3",
  ]);
  expect(all.flatMap(({ skipped }) => Object.keys(skipped))).toEqual([]);
  expect(all.every(({ session, cwd }) => session === '1794869401940_zo0sn' && cwd === '/repo')).toBe(true);
});

test('the transcript knows the same events by the same ids', () => {
  const path = '/s/s.messages.json';
  const [transcript] = cline.decodeTranscript(transcriptOf(recorded('cline/session.messages.json'), { path }));
  const known = new Set(transcript?.events.map(({ id }) => id));
  const told = all.flatMap(({ events }) => events.map(({ id }) => id));
  expect(told.filter((id) => !known.has(id))).toEqual([]);
  expect(told.length).toBeGreaterThan(5);
});

test('an edit was when Cline says, a command ended when the hook was called', () => {
  expect(all[0]?.edits[0]?.at).toBeLessThan(now);
  expect(all[2]?.commands[0]?.endedAt).toBe(now);
  const [first] = payloads;
  const late = { ...(first?.tool_result as object), endedAt: '2099-01-01T00:00:00Z' };
  expect(decode({ ...first, tool_result: late }).edits[0]?.at).toBe(now);
});

test.each([null, [], {}, { hookName: 'news' }, { hookName: 'tool_result' }, { hookName: 'PreToolUse' }])(
  '%j is counted',
  (payload) => expect(Object.keys(decode(payload).skipped)).toHaveLength(1),
);

test('law: no payload is fatal', () => {
  fc.assert(
    fc.property(spoiled(payloads), (values) => void values.map(decode)),
    { numRuns: 500 },
  );
});

describe('files', () => {
  const command = (mode: string) => `exec sh "$HOME/x/agent-hook" cline ${mode}; cat >/dev/null`;
  test.each(cline.hookFiles.map((file) => [file.name, file] as const))('%s', (name, file) => {
    const added = file.add(undefined, command, new Map());
    if ('refused' in added) throw new Error(added.refused);
    expect(file.user({ home: '/h', env: {} })).toBe(`/h/.cline/hooks/${name}`);
    expect(file.executable).toBe(true);
    expect(added.text).toMatch(/^#!\/bin\/sh\n/);
    expect(added.text).toContain('agent-hook');
    expect(file.add(added.text, command, new Map())).toEqual(added);
    expect(file.remove(added.text, () => true)).toEqual({ text: undefined });
    expect(file.add('#!/bin/sh\necho mine\n', command, new Map())).toHaveProperty('refused');
  });
});
