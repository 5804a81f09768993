import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codex } from '../../../src/capture/codex/index.ts';
import { whoIs } from '../../../src/capture/identity.ts';
import type { JsonObject } from '../../../src/json.ts';
import { commandWords, editWords, recordedValues, spoiled } from '../recorded.ts';

const recorded = recordedValues('codex/hooks.jsonl') as { at: number; payload: JsonObject }[];
const decode = (payload: unknown, at = 1) => codex.decodeHook(payload, { at });
const all = recorded.map(({ at, payload }) => ({ payload, captured: decode(payload, at) }));

test('every payload says that it is Codex’s', () => {
  expect(new Set(recorded.map(({ payload }) => whoIs(payload, 'claude-code')))).toEqual(new Set(['codex']));
  expect(whoIs({ ...recorded[0]?.payload, transcript_path: null }, 'codex')).toBe('codex');
});

test('recorded calls: what a patch did once it was applied; a command at its beginning and at its end', () => {
  const ofTool = (event: string, name: string) =>
    all.filter(({ payload }) => payload.hook_event_name === event && payload.tool_name === name);
  expect(ofTool('PostToolUse', 'apply_patch').map(({ captured }) => editWords(captured))).toEqual([
    ['write /repo/a.txt', 'write /repo/gone.txt', 'write /repo/old/name.txt'],
    [
      'replace /repo/a.txt',
      'replace /repo/crlf.txt',
      'write /repo/gone.txt',
      'replace /repo/long.txt',
      'replace /repo/new/name.txt',
      'replace /repo/nonl.txt',
    ],
    ['replace /repo/long.txt'],
    ['write /repo/a.txt'],
    ['write /repo/helper.txt'],
  ]);
  const begun = ofTool('PreToolUse', 'Bash').flatMap(({ captured }) => captured.commands);
  const ended = ofTool('PostToolUse', 'Bash').flatMap(({ captured }) => captured.commands);
  expect(begun.every(({ endedAt }) => endedAt === undefined)).toBe(true);
  expect(ended.every(({ endedAt }) => endedAt !== undefined)).toBe(true);
  // one outlived its call; the patch in a heredoc is no command
  const open = begun.filter(({ event }) => !ended.some((other) => other.event === event));
  expect(open.map(({ command }) => command)).toEqual(['sleep 3; echo late > late.txt']);
  expect(ended.filter(({ event }) => !begun.some((other) => other.event === event))).toEqual([]);
  const edited = all.filter(({ captured }) => captured.edits.length > 0).map(({ payload }) => payload.tool_name);
  expect(new Set(edited)).toEqual(new Set(['apply_patch']));
});

test('ids are those of the transcript', () => {
  const transcript = ['odd', 'subagent', 'delegating'].flatMap((name) => {
    const text = recordedValues(`codex/${name}.jsonl`).map((value) => JSON.stringify(value));
    const file = { worktrees: ['/repo'], lines: () => text };
    return codex.decodeTranscript({ ...file, path: '', modified: 0, text: () => '', read: () => '', rows: () => [] });
  });
  const ids = (captured: (typeof transcript)[number]) =>
    [...captured.edits, ...captured.commands].map(({ event }) => `${captured.session} ${event}`);
  const known = new Set(transcript.flatMap(ids));
  expect(all.flatMap(({ captured }) => ids(captured)).filter((id) => !known.has(id))).toEqual([]);
  const prompts = (captured: (typeof transcript)[number]) =>
    captured.events.flatMap((event) => (event.type === 'message' && event.role === 'user' ? [event.id] : []));
  expect(all.flatMap(({ captured }) => prompts(captured))).toEqual(
    ['odd', 'delegating'].flatMap((_, i) => prompts(transcript[i * 2] ?? decode({}))),
  );
});

test('a sub-agent is a session of its own', () => {
  const helper = all.filter(({ payload }) => payload.agent_id !== undefined);
  expect(helper).toHaveLength(6);
  for (const { payload, captured } of helper) {
    expect(captured).toMatchObject({ session: payload.agent_id, parentSession: payload.session_id });
    expect(captured.transcript).toContain(String(payload.agent_id));
  }
});

const post = { hook_event_name: 'PostToolUse', session_id: 's', cwd: '/repo', tool_use_id: 'c' };
const PATCH = '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch';

test.each<[string, object, string[], string[]]>([
  ['a patch', { tool_name: 'apply_patch', tool_input: { command: PATCH } }, ['write /repo/a'], []],
  [
    'a patch that failed',
    { tool_name: 'apply_patch', tool_input: { command: PATCH }, tool_response: 'Exit code: 1\nOutput:\nno' },
    [],
    [],
  ],
  ['a patch that cannot be read', { tool_name: 'apply_patch', tool_input: { command: 'odd' } }, [], ['?']],
  ['a patch without words', { tool_name: 'apply_patch' }, [], ['?']],
  ['a command', { tool_name: 'Bash', tool_input: { command: 'make' } }, [], ['make ?']],
  ['a server’s tool', { tool_name: 'mcp__x', tool_input: { path: 'a' } }, [], ["mcp__x 'a' ?"]],
  ['another tool', { tool_name: 'x', tool_input: { command: 'make' } }, [], []],
])('after %s', (_, fields, edits, commands) => {
  const captured = decode({ ...post, ...fields });
  expect([editWords(captured), commandWords(captured)]).toEqual([edits, commands]);
  expect(captured.skipped).toEqual({});
});

test('other calls of ours, and of nobody', () => {
  expect(decode({ ...post, hook_event_name: 'SessionEnd' }).ended).toBe(true);
  expect(decode({ hook_event_name: 'Stop', session_id: 's' })).toMatchObject({ session: 's', skipped: {} });
  expect(decode({ ...post, hook_event_name: 'Novelty' }).skipped).toEqual({ 'hook Novelty': 1 });
  expect(decode({ ...post, tool_use_id: 7, tool_name: 'Bash' }).skipped).toEqual({ 'hook PostToolUse': 1 });
  expect(decode(7)).toMatchObject({ session: '', skipped: { payload: 1 } });
});

test('never throws', () => {
  fc.assert(
    fc.property(spoiled(recorded.map(({ payload }) => payload)), (payloads) => {
      for (const payload of payloads) decode(payload);
    }),
    { numRuns: 100 },
  );
});
