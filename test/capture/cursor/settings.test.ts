import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settings } from '../../../src/capture/cursor/settings.ts';

const command = (mode: string) =>
  `[ ! -f "$HOME/x/agent-hook" ] || exec sh "$HOME/x/agent-hook" cursor ${mode}; cat >/dev/null`;
const isOurs = (text: string) => text.includes('agent-hook');

function added(text: string | undefined): string {
  const result = settings.add(text, command, new Map());
  if ('refused' in result) throw new Error(result.refused);
  return result.text;
}

function removed(text: string): string | undefined {
  const result = settings.remove(text, isOurs);
  if ('refused' in result) throw new Error(result.refused);
  return result.text;
}

interface Entry {
  readonly command: string;
  readonly matcher?: string;
  readonly timeout?: number;
}

test('a new file has exactly our hooks', () => {
  const { version, hooks } = JSON.parse(added(undefined)) as { version: number; hooks: Record<string, Entry[]> };
  const rows = Object.entries(hooks).flatMap(([event, entries]) =>
    entries.map((entry) => [event, entry.matcher, / cursor (\w+);/.exec(entry.command)?.[1], entry.timeout]),
  );
  expect(version).toBe(1);
  expect(rows).toEqual([
    ['beforeSubmitPrompt', undefined, 'event', 10],
    ['preToolUse', 'Shell', 'before', 15],
    ['postToolUse', 'Shell', 'after', 15],
    ['postToolUse', 'Write|Delete', 'event', 10],
    ['postToolUseFailure', 'Shell', 'after', 15],
    ['afterFileEdit', undefined, 'event', 10],
    ['stop', undefined, 'end', 10],
    ['sessionEnd', undefined, 'end', 10],
  ]);
  // Cursor takes two slashes for a comment, inside texts too
  expect(added(undefined)).not.toContain('//');
  expect(removed(added(undefined))).toBeUndefined();
});

describe('texts of people', () => {
  test.each([
    '{}',
    '{ }',
    '{\n}\n',
    '{"version":1}',
    '{"version": 1, "hooks": {}}',
    '{"hooks":{},"version":1}',
    '{ "hooks": { }, "version": 1 }',
    '{\n  "hooks": {\n  },\n  "version": 1\n}\n',
    '\uFEFF{\r\n\t"version": 1,\r\n\t"hooks": {\r\n\t\t"stop": [{ "command": "./a.sh" }]\r\n\t}\r\n}\r\n',
    '{\n  "hooks": {\n    "stop": [],\n    "afterFileEdit": [{"command": "prettier", "matcher": "Write"}]\n  },\n  "version": 1\n}',
    '{"other": true}',
  ])('%j comes back byte for byte', (text) => {
    const once = added(text);
    expect(() => JSON.parse(once.replace('\uFEFF', ''))).not.toThrow();
    expect(added(once)).toBe(once);
    expect(removed(once)).toBe(text);
    expect(removed(text)).toBe(text);
  });

  test.each([
    '',
    'x',
    '{"a":1,}',
    '// c\n{}',
    '[]',
    '{"hooks":[]}',
    '{"hooks":{"stop":{}}}',
    '{"hooks":{},"hooks":{}}',
  ])('%j is refused', (text) => {
    expect(settings.add(text, command, new Map())).toEqual({ refused: expect.any(String) });
    expect(settings.remove(text, isOurs)).toEqual({ refused: expect.any(String) });
  });

  test('what was put beside ours stays, with the version', () => {
    const once = JSON.parse(added(undefined)) as { hooks: Record<string, Entry[]> };
    once.hooks.stop = [{ command: 'theirs' }, ...(once.hooks.stop ?? []), { command: 'theirs too' }];
    expect(JSON.parse(removed(JSON.stringify(once, null, 2)) ?? '')).toEqual({
      hooks: { stop: [{ command: 'theirs' }, { command: 'theirs too' }] },
      version: 1,
    });
  });
});

const entry = fc.oneof(fc.record({ command: fc.string(), timeout: fc.nat(60) }), fc.jsonValue());
const event = fc.constantFrom('preToolUse', 'postToolUse', 'stop', 'beforeReadFile', 'afterFileEdit');
const file = fc
  .record({
    version: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
    hooks: fc.option(fc.dictionary(event, fc.array(entry, { maxLength: 3 })), { nil: undefined }),
    last: fc.option(fc.jsonValue(), { nil: undefined }),
    front: fc.boolean(),
  })
  .map(({ version, hooks, last, front }) => ({
    ...(front && version !== undefined && { version }),
    ...(hooks && { hooks }),
    ...(!front && version !== undefined && { version }),
    ...(last !== undefined && { last }),
  }));
const text = fc
  .tuple(file, fc.constantFrom(undefined, 2, 4, '\t'), fc.constantFrom('', '\n'))
  .map(([value, indent, end]) => JSON.stringify(value, null, indent) + end);

test('law: added and removed again gives the same bytes; added twice is added once; what was there stays', () => {
  fc.assert(
    fc.property(text, (before) => {
      const once = added(before);
      expect(removed(once)).toBe(before);
      expect(added(once)).toBe(once);
      const [old, now] = [before, once].map((json) => JSON.parse(json));
      for (const [key, value] of Object.entries(old)) if (key !== 'hooks') expect(now[key]).toEqual(value);
      for (const [name, entries] of Object.entries<unknown[]>(old.hooks ?? {}))
        expect(now.hooks[name].slice(0, entries.length)).toEqual(entries);
    }),
    { numRuns: 300 },
  );
});
