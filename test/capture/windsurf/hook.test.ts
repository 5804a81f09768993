import fc from 'fast-check';
import { expect, test } from 'vitest';
import { whoIs } from '../../../src/capture/identity.ts';
import { windsurf } from '../../../src/capture/windsurf/index.ts';
import { editWords, recordedValues, spoiled } from '../recorded.ts';

const payloads = recordedValues('windsurf/hooks.jsonl');
const AT = 1767348000000;
const decode = (payload: unknown, at = AT) => windsurf.decodeHook(payload, { at });
const SESSION = '0b4b1c9e-0000-4000-8000-000000000001';
const told = (action: string, info: unknown) => ({
  agent_action_name: action,
  trajectory_id: SESSION,
  execution_id: 'turn-1',
  timestamp: '2026-01-02T10:00:00Z',
  tool_info: info,
});

test('hooks in the documented shape', () => {
  const all = payloads.map((payload, i) => decode(payload, AT + i));
  expect(payloads.map((payload) => whoIs(payload))).toEqual(payloads.map(() => 'windsurf'));
  for (const captured of all)
    expect(captured).toMatchObject({ session: SESSION, tool: { name: 'windsurf' }, skipped: {} });
  expect(all.flatMap(editWords)).toEqual(['replace /repo/src/app.ts', 'write /repo/src/greet.ts']);
  expect(all.flatMap(({ events }) => events.map(({ type }) => type))).toEqual(
    'message fileOperation fileOperation terminalCommand message'.split(' '),
  );
  // a name that is shown to people is no id of a model
  expect(all.map(({ model }) => model)).toEqual(payloads.map(() => undefined));
});

test('both ends of a command have one id, and the event that of its run', () => {
  const [before, after] = [3, 4].map((i) => decode(payloads[i], AT + i));
  expect(before?.commands).toMatchObject([{ command: 'npm run gen', cwd: '/repo', startedAt: AT + 3 }]);
  expect(before?.commands[0]?.endedAt).toBeUndefined();
  expect(after?.commands).toMatchObject([{ event: before?.commands[0]?.event, endedAt: AT + 4 }]);
  expect(before?.events[0]?.id).toBe(`${before?.commands[0]?.event}-${AT + 3}`);
  expect(after?.events).toEqual([]);
});

test.each<[string, unknown, string[]]>([
  ['nothing told of it', { file_path: '/repo/a' }, ['replace /repo/a']],
  ['half told', { file_path: '/repo/a', edits: [{ old_string: 'x' }] }, ['replace /repo/a']],
  [
    'a text among others',
    {
      file_path: '/repo/a',
      edits: [
        { old_string: '', new_string: 'x' },
        { old_string: 'y', new_string: '' },
      ],
    },
    ['replace /repo/a'],
  ],
])('an edit: %s', (_, info, expected) => {
  const captured = decode(told('post_write_code', info));
  expect(editWords(captured)).toEqual(expected);
  expect(captured.edits.map(({ change }) => change)).toEqual([{ kind: 'replace', pairs: [] }]);
});

test('whatever is not understood is counted', () => {
  expect(decode(told('post_write_code', {}))).toMatchObject({ skipped: { 'hook post_write_code': 1 } });
  expect(decode(told('pre_read_code', {}))).toMatchObject({ skipped: { 'hook pre_read_code': 1 } });
  expect(decode(null)).toMatchObject({ session: '', skipped: { 'hook none': 1 } });
});

test('hooks go into the user’s file or the team’s', () => {
  const [file] = windsurf.hookFiles;
  expect(file?.user({ home: '/h', env: {} })).toBe('/h/.codeium/windsurf/hooks.json');
  expect(file?.project).toBe('.windsurf/hooks.json');
  const added = file?.add(undefined, (mode) => `agent-hook ${mode}`, new Map());
  const { hooks } = JSON.parse(added && 'text' in added ? added.text : '');
  const lists: [string, { command: string }[]][] = Object.entries(hooks);
  expect(lists.map(([event, [entry]]) => `${event} ${entry?.command.slice(11)}`)).toEqual([
    'pre_user_prompt event',
    'post_write_code event',
    'pre_run_command before',
    'post_run_command after',
    'post_cascade_response end',
  ]);
});

test('law: nothing that stands in a payload is fatal', () => {
  fc.assert(
    fc.property(spoiled(payloads), (values) => {
      for (const value of values) expect(decode(value).edits.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 300 },
  );
});
