import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continueCli } from '../../../src/capture/continue/index.ts';
import { whoIs } from '../../../src/capture/identity.ts';
import { commandWords, editWords, spoiled } from '../recorded.ts';

/** By hand: Claude Code's language, as Continue's own code would speak it. */
const base = {
  session_id: 's',
  transcript_path: '/h/.continue/sessions/s.json',
  cwd: '/repo',
  permission_mode: 'default',
};
const before = { ...base, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'make' } };
const after = { ...before, hook_event_name: 'PostToolUse', tool_response: '' };
const failed = { ...before, hook_event_name: 'PostToolUseFailure', error: 'Error (exit code 2)' };
const edit = { ...after, tool_name: 'Write', tool_input: { filepath: 'a', content: 'x' } };
const decode = (payload: unknown) => continueCli.decodeHook(payload, { at: 7 });

test('hooks of somebody else that it ran', () => {
  expect(whoIs(before, 'claude-code')).toBe('continue');
  expect(commandWords(decode(before))).toEqual(['make ?']);
  expect(commandWords(decode(failed))).toEqual(['make 2']);
  expect(decode(before).commands[0]?.event).toBe(decode(after).commands[0]?.event);
  expect(decode({ ...before, tool_use_id: 'c' }).commands[0]?.event).toBe('c');
  expect(editWords(decode(edit))).toEqual(['write a']);
  expect(decode({ ...edit, hook_event_name: 'PostToolUseFailure' }).edits).toEqual([]);
  expect(decode(edit).events).toEqual([]);
  expect(decode({ ...base, hook_event_name: 'Stop' })).toMatchObject({ session: 's', skipped: {}, commands: [] });
});

test.each([null, {}, { ...base, hook_event_name: 'PreToolUse' }])('%j is counted', (payload) => {
  expect(Object.keys(decode(payload).skipped)).toHaveLength(1);
});

test('law: no payload is fatal', () => {
  fc.assert(fc.property(spoiled([before, after, failed, edit]), (values) => void values.map(decode)));
});
