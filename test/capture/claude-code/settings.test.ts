import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CommandFor } from '../../../src/capture/adapter.ts';
import { settings as file } from '../../../src/capture/claude-code/settings.ts';

const addHooks = (text: string | undefined, made: CommandFor) => file.add(text, made, new Map());
const removeHooks = file.remove;

const command = (mode: string) => `sh "$HOME/x/agent-hook" claude-code ${mode}`;
const isOurs = (text: string) => text.includes('agent-hook');

function added(text: string | undefined): string {
  const result = addHooks(text, command);
  if ('refused' in result) throw new Error(result.refused);
  return result.text;
}

function removed(text: string): string | undefined {
  const result = removeHooks(text, isOurs);
  if ('refused' in result) throw new Error(result.refused);
  return result.text;
}

interface Group {
  matcher?: string;
  hooks: { type: string; command: string; timeout: number }[];
}

test('a new file has exactly our hooks', () => {
  const { hooks } = JSON.parse(added(undefined)) as { hooks: Record<string, Group[]> };
  const rows = Object.entries(hooks).flatMap(([event, groups]) =>
    groups.map(({ matcher, hooks: [handler] }) => [
      event,
      matcher,
      handler?.command.split(' ').at(-1),
      handler?.timeout,
    ]),
  );
  expect(rows).toEqual([
    ['UserPromptSubmit', undefined, 'event', 10],
    ['PreToolUse', 'Bash|PowerShell|mcp__(?!acp__).*', 'before', 15],
    ['PostToolUse', 'Bash|PowerShell|mcp__(?!acp__).*', 'after', 15],
    ['PostToolUse', 'Edit|Write|MultiEdit|NotebookEdit', 'event', 10],
    ['PostToolUseFailure', 'Bash|PowerShell|mcp__(?!acp__).*', 'after', 15],
    ['Stop', undefined, 'end', 10],
    ['SubagentStop', undefined, 'event', 10],
    ['SessionEnd', undefined, 'end', 10],
  ]);
  expect(added(undefined).endsWith('}\n')).toBe(true);
  expect(removed(added(undefined))).toBeUndefined();
});

describe('texts of people', () => {
  const texts = [
    '{}',
    '{ }',
    '{\n}\n',
    '\uFEFF{\r\n\t"theme": "dark"\r\n}\r\n',
    '{"theme":"dark","hooks":{}}',
    '{\n    "hooks": {\n    },\n    "model": "opus"\n}',
    '{\n  "hooks": {\n    "PostToolUse": []\n  }\n}\n',
    '{\n  "hooks": { "PostToolUse": [ {"matcher": "Edit", "hooks": [{"type": "command", "command": "prettier"}]} ], "Stop": [] }, "x": "a \\"hooks\\": {"\n}\n',
  ];
  test.each(texts)('%j comes back byte for byte', (text) => {
    const once = added(text);
    expect(() => JSON.parse(once.replace('\uFEFF', ''))).not.toThrow();
    expect(added(once)).toBe(once);
    expect(removed(once)).toBe(text);
    expect(removed(text)).toBe(text);
  });

  test.each(texts)('%j: hooks of an older version give way', (text) => {
    const older = added(text).replaceAll('|mcp__(?!acp__).*', '');
    expect(added(older)).toBe(added(text));
    const theirs = older.replace('"matcher": "Bash|PowerShell"', '"matcher": "Bash"');
    expect(added(theirs)).toBe(added(text));
  });

  test.each([
    '',
    'x',
    '{"a":1,}',
    '// c\n{}',
    '[]',
    '7',
    '{"hooks":[]}',
    '{"hooks":{"Stop":{}}}',
    '{"hooks":{},"hooks":{}}',
    '{"hooks":{"Stop":[],"Stop":[]}}',
  ])('%j is refused', (text) => {
    expect(addHooks(text, command)).toEqual({ refused: expect.any(String) });
    expect(removeHooks(text, isOurs)).toEqual({ refused: expect.any(String) });
  });

  test('what was put beside ours stays', () => {
    const text = added('{}')
      .replace('"timeout": 10\n', '"timeout": 10\n')
      .replace('"hooks": [', '"hooks": [ {"type": "command", "command": "say done"},');
    const rest = removed(text) ?? '';
    expect(JSON.parse(rest).hooks.UserPromptSubmit).toEqual([{ hooks: [{ type: 'command', command: 'say done' }] }]);
    expect(rest).not.toContain('agent-hook');
  });

  test('an entry written before ours and one behind it both stay', () => {
    const once = JSON.parse(added(undefined)) as { hooks: Record<string, unknown[]> };
    const other = { hooks: [{ type: 'command', command: 'theirs' }] };
    const stop = once.hooks.Stop ?? [];
    once.hooks.Stop = [other, ...stop, other];
    expect(JSON.parse(removed(JSON.stringify(once, null, 2)) ?? '').hooks).toEqual({ Stop: [other, other] });
  });
});

const handler = fc.record({ type: fc.constant('command'), command: fc.string(), timeout: fc.nat(60) });
const group = fc.oneof(fc.record({ matcher: fc.string(), hooks: fc.array(handler, { maxLength: 2 }) }), fc.jsonValue());
const events = fc.constantFrom('PreToolUse', 'PostToolUse', 'Stop', 'SessionStart', 'UserPromptSubmit', 'SessionEnd');
const settings = fc
  .record({
    before: fc.dictionary(
      fc.string().filter((key) => key !== 'hooks' && key !== '__proto__'),
      fc.jsonValue(),
      { maxKeys: 3 },
    ),
    hooks: fc.option(fc.dictionary(events, fc.array(group, { maxLength: 3 })), { nil: undefined }),
    last: fc.option(fc.jsonValue(), { nil: undefined }),
  })
  .map(({ before, hooks, last }) => ({
    ...before,
    ...(hooks ? { hooks } : {}),
    ...(last === undefined ? {} : { last }),
  }));
const texts = fc
  .tuple(
    settings,
    fc.constantFrom(undefined, 1, 2, 4, '\t'),
    fc.constantFrom('', '\n', ' \r\n'),
    fc.constantFrom('', '\uFEFF'),
  )
  .map(([value, indent, end, start]) => start + JSON.stringify(value, null, indent) + end);

test('law: added and removed again gives the same bytes; added twice is added once; the rest keeps its meaning', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const once = added(text);
      expect(removed(once)).toBe(text);
      expect(added(once)).toBe(once);
      const [before, after] = [text, once].map((json) => JSON.parse(json.replace(/^\uFEFF/, '')));
      for (const [key, value] of Object.entries(before)) if (key !== 'hooks') expect(after[key]).toEqual(value);
      for (const [event, groups] of Object.entries<unknown[]>(before.hooks ?? {}))
        expect(after.hooks[event].slice(0, groups.length)).toEqual(groups);
    }),
    { numRuns: 300 },
  );
});
