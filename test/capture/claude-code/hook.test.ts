import { describe, expect, test } from 'vitest';
import { decodeHook } from '../../../src/capture/claude-code/hook.ts';
import { decodeTranscript } from '../../../src/capture/claude-code/transcript.ts';
import { whoIs } from '../../../src/capture/identity.ts';
import { recordedHooks, recordedLines } from '../fixtures.ts';

const AT = 1_800_000_000_000;
const hooks = recordedHooks();
const decoded = hooks.map((payload, i) => decodeHook(payload, { at: AT + i * 1000 }));
const session = decodeTranscript(recordedLines('session.jsonl'));
const sub = decodeTranscript(recordedLines('subagent.jsonl'));

describe('recorded hooks', () => {
  test('are all Claude Code’s and all understood', () => {
    expect(hooks.map((payload) => whoIs(payload))).toEqual(hooks.map(() => 'claude-code'));
    const odd = decoded.flatMap(({ skipped }) => Object.keys(skipped));
    expect(new Set(odd)).toEqual(new Set(['hook SubagentStart']));
  });

  test('show every edit of the transcripts, whole, under the same event', () => {
    const edits = decoded.flatMap((captured) => captured.edits);
    expect(edits.map((edit) => edit.event).sort()).toEqual(
      [...session.edits, ...sub.edits].map((edit) => edit.event).sort(),
    );
    expect(new Set(edits.map((edit) => edit.change.kind))).toEqual(new Set(['full']));
    for (const told of session.edits) {
      if (told.change.kind === 'full')
        expect(edits.find((edit) => edit.event === told.event)?.change).toEqual(told.change);
    }
  });

  test('show a command when it begins and when it ends', () => {
    const commands = decoded.flatMap((captured) => captured.commands);
    const [begun, ended] = commands.filter((command) => command.command.startsWith('echo half'));
    expect(begun).toMatchObject({ event: ended?.event, background: false });
    expect(begun?.endedAt).toBeUndefined();
    expect(ended).toMatchObject({ exitCode: 3 });
    expect((ended?.endedAt ?? 0) - (ended?.startedAt ?? 0)).toBeGreaterThan(0);
    const late = commands.filter((command) => command.command.startsWith('sleep'));
    expect(late.map(({ background, endedAt }) => [background, endedAt])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });

  test('give a prompt the id that it has in the transcript', () => {
    const ids = decoded.flatMap((captured) =>
      captured.events.filter((event) => event.type === 'message').map((event) => event.id),
    );
    const told = session.events
      .filter((event) => event.type === 'message' && event.role === 'user')
      .map((event) => event.id);
    expect(ids).toEqual(told);
  });

  test('name the sub-agent and end the session', () => {
    const below = decoded.filter((captured) => captured.edits.some((edit) => edit.path === '/repo/GUIDE.md'));
    expect(below).toHaveLength(2);
    for (const { events, session: id } of below) {
      expect(id).toBe(session.session);
      expect(events[0]).toHaveProperty(['properties', 'claude-code:agentId'], expect.any(String));
    }
    expect(decoded.some((captured) => captured.ended)).toBe(true);
  });
});

describe('other payloads', () => {
  test.each([
    null,
    7,
    'x',
    [],
    {},
    { hook_event_name: 'PostToolUse' },
    { hook_event_name: 'Tomorrow', session_id: '../..' },
  ])('%j makes nothing', (payload) => {
    const captured = decodeHook(payload, { at: AT });
    expect(captured).toMatchObject({ session: '', events: [], edits: [], commands: [] });
    expect(Object.values(captured.skipped)).toEqual([1]);
  });
});
