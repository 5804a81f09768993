import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flatHooks } from '../../src/capture/flat-hooks.ts';

const { add, remove } = flatHooks([
  { event: 'pre', mode: 'before', more: { show_output: false } },
  { event: 'post', mode: 'after', more: { show_output: false } },
  { event: 'post', mode: 'end' },
]);
const command = (mode: string) => `agent-hook ${mode}`;
const isOurs = (one: string) => one.startsWith('agent-hook ');
const put = (text: string | undefined) => {
  const done = add(text, command, new Map());
  if ('refused' in done) throw new Error(done.refused);
  return done.text;
};
const take = (text: string) => {
  const done = remove(text, isOurs);
  if ('refused' in done) throw new Error(done.refused);
  return done.text;
};

test('a file of our own comes and goes as a whole', () => {
  const text = put(undefined);
  expect(JSON.parse(text)).toEqual({
    hooks: {
      pre: [{ command: 'agent-hook before', show_output: false }],
      post: [{ command: 'agent-hook after', show_output: false }, { command: 'agent-hook end' }],
    },
  });
  expect(put(text)).toBe(text);
  expect(take(text)).toBeUndefined();
});

const THEIRS = [
  '{}',
  '{ }\n',
  '{"hooks":{}}',
  '{"hooks": {"post": []}}',
  '{\n  "hooks": {\n    "post": [\n      { "command": "mine" }\n    ]\n  }\n}\n',
  '{\r\n\t"version": 1,\r\n\t"hooks": {\r\n\t\t"other": [{"command": "x", "show_output": true}]\r\n\t}\r\n}',
  '\uFEFF{"a":[1, 2]}',
];

describe('a file of the user’s', () => {
  test.each(THEIRS)('%j is as it was', (text) => {
    const ours = put(text);
    expect(JSON.parse(ours.replace(/^\uFEFF/, '')).hooks.post.at(-1)).toEqual({ command: 'agent-hook end' });
    expect(put(ours)).toBe(ours);
    expect(take(ours)).toBe(text);
  });

  test('what was added behind ours stays', () => {
    const last = '"agent-hook end" }';
    const text = put('{"hooks":{"post":[{"command":"mine"}]}}').replace(last, `${last}, {"command":"late"}`);
    expect(text).toContain('late');
    expect(JSON.parse(take(text) ?? '').hooks.post.map((entry: { command: string }) => entry.command)).toEqual([
      'mine',
      'late',
    ]);
  });

  test.each<[string, string]>([
    ['{', 'it is not JSON'],
    ['[]', 'it is not a JSON object'],
    ['{"hooks":[]}', '"hooks" is not an object'],
    ['{"hooks":{"post":{}}}', '"hooks" is not an object of lists'],
    ['{"hooks":{},"hooks":{}}', 'it has "hooks" twice'],
  ])('%s is left alone', (text, why) => {
    expect(add(text, command, new Map())).toEqual({ refused: why });
    expect(remove(text, isOurs)).toEqual({ refused: why });
  });
});

test('law: out of any settings we go as we came', () => {
  const entry = fc.record({ command: fc.string() }, { requiredKeys: [] });
  const hooks = fc.dictionary(fc.constantFrom('pre', 'post', 'x'), fc.array(entry, { maxLength: 3 }));
  const settings = fc.record({ hooks, other: fc.jsonValue({ maxDepth: 2 }) }, { requiredKeys: [] });
  fc.assert(
    fc.property(settings, fc.constantFrom(0, 1, 2, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(take(put(text))).toBe(text);
    }),
  );
});
