import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settings as file } from '../../../src/capture/gemini-cli/settings.ts';
import { withoutComments } from '../../../src/json-text.ts';

const command = (mode: string) => `[ ! -f "$HOME/x/agent-hook" ] || exec sh "$HOME/x/agent-hook" gemini-cli ${mode}`;
const isOurs = (text: string) => text.includes('agent-hook');

function added(text: string | undefined): string {
  const result = file.add(text, command, new Map());
  if ('refused' in result) throw new Error(result.refused);
  return result.text;
}

function removed(text: string): string | undefined {
  const result = file.remove(text, isOurs);
  if ('refused' in result) throw new Error(result.refused);
  return result.text;
}

const parsed = (text: string) => JSON.parse(withoutComments(text).replace('\uFEFF', ''));

test('a new file has exactly our hooks, in milliseconds', () => {
  type Group = { matcher?: string; hooks: { name: string; command: string; timeout: number }[] };
  const { hooks } = parsed(added(undefined)) as { hooks: Record<string, Group[]> };
  const rows = Object.entries(hooks).flatMap(([event, groups]) =>
    groups.map(({ matcher, hooks: [one] }) => [
      event,
      matcher,
      one?.command.split(' ').at(-1),
      one?.timeout,
      one?.name,
    ]),
  );
  expect(rows).toEqual([
    ['BeforeTool', '^(run_shell_command|mcp_.*)$', 'before', 15000, 'git-agent-blame'],
    ['AfterTool', '^(run_shell_command|mcp_.*)$', 'after', 15000, 'git-agent-blame'],
    ['AfterTool', '^(write_file|replace)$', 'event', 10000, 'git-agent-blame'],
    ['AfterAgent', undefined, 'end', 10000, 'git-agent-blame'],
    ['SessionEnd', undefined, 'end', 10000, 'git-agent-blame'],
  ]);
  expect(removed(added(undefined))).toBeUndefined();
});

describe('settings with comments', () => {
  const texts = [
    '// mine\n{}\n',
    '{ // nothing yet\n}',
    '{/* nothing */}',
    '{"a": 1 // about a\n}',
    '\uFEFF// top\r\n{\r\n\t/* in front */ "a": "// no comment", // behind\r\n\t"b": [1, /* two */ 2]\r\n}\r\n// end',
    '{\n  // "hooks": {"Stop": []},\n  "hooks": { /* none */ }\n}\n',
    '{\n  "hooks": {\n    // theirs\n    "AfterTool": [ /* one */ {"hooks": [{"type": "command", "command": "x // y"}]} // last\n    ]\n  }\n}\n',
    '{"a": "\\"/*", "b": "*/"}',
  ];
  test.each(texts)('%j comes back byte for byte', (text) => {
    const once = added(text);
    expect(parsed(once)).toMatchObject({ hooks: { AfterAgent: [{}] } });
    expect(added(once)).toBe(once);
    expect(removed(once)).toBe(text);
    expect(removed(text)).toBe(text);
  });

  test.each(['{"a": 1,}', '{} /* open', '/ {}', '// {}', '{"a": 1} // x\n}'])(
    '%j is refused, as Gemini does',
    (text) => {
      expect(file.add(text, command, new Map())).toEqual({ refused: expect.any(String) });
      expect(file.remove(text, isOurs)).toEqual({ refused: expect.any(String) });
    },
  );

  test('a comment that was written into ours, or between, stays', () => {
    const ours = added(undefined).replace('"AfterAgent"', '// about agents\n    "AfterAgent"');
    expect(removed(ours)).toContain('// about agents');
    expect(parsed(removed(ours) ?? '')).toEqual({});
    const both = added('{\n  "a": 1\n}\n').replace('"hooks"', '// about hooks\n  "hooks"');
    expect(removed(both)).toContain('// about hooks');
    expect(parsed(removed(both) ?? '')).toEqual({ a: 1 });
  });
});

const space = fc.constantFrom('', ' ', '\n  ', '/* c */', '// c\n', ' // "x": {\n', '/**/', '\t/* // */ ');
const token = (text: string) => fc.tuple(space, space).map(([before, after]) => before + text + after);
const scalar = fc
  .oneof(fc.integer(), fc.string(), fc.constantFrom('//', '/*', '*/', '\\', '"'))
  .map((one) => JSON.stringify(one));
const group = fc.tuple(space, space).map(([a, b]) => `{${a}"hooks":${b}[{"type": "command", "command": "theirs"}]}`);
const listOf = (items: fc.Arbitrary<string>) =>
  fc.tuple(space, fc.array(items.chain(token), { maxLength: 3 })).map(([gap, list]) => `[${gap}${list.join(',')}]`);
const hooks = fc
  .tuple(
    space,
    fc.uniqueArray(fc.constantFrom('AfterTool', 'Stop', 'SessionEnd'), { maxLength: 3 }),
    listOf(group),
    listOf(group),
  )
  .map(
    ([gap, events, one, other]) =>
      `{${gap}${events.map((event, i) => `"${event}": ${i === 0 ? one : other}`).join(',')}}`,
  );
const documents = fc
  .tuple(space, space, fc.array(scalar.chain(token), { maxLength: 3 }), fc.option(hooks.chain(token)), space)
  .map(([top, gap, values, inner, end]) => {
    const members = [...values.map((value, i) => `"k${i}":${value}`), ...(inner === null ? [] : [`"hooks":${inner}`])];
    return `${top}{${gap}${members.join(',')}}${end}`;
  });

test('law: whatever comments there are, added and removed again gives the same bytes; added twice is added once', () => {
  fc.assert(
    fc.property(documents, (text) => {
      const before = parsed(text);
      const once = added(text);
      expect(removed(once)).toBe(text);
      expect(added(once)).toBe(once);
      const after = parsed(once);
      for (const [key, value] of Object.entries(before)) if (key !== 'hooks') expect(after[key]).toEqual(value);
    }),
    { numRuns: 500 },
  );
});
