import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { TOOL_PROPERTY } from '../../src/agentlog/call-name.ts';
import { parseDocument } from '../../src/agentlog/parse.ts';
import { printDocument } from '../../src/agentlog/print.ts';
import { EVENT_NAMES, findEntries, findEventKind, type Query } from '../../src/audit/find.ts';
import { narrowDocument } from '../../src/audit/narrow.ts';
import { parseGlob, parseNamePattern } from '../../src/report/glob.ts';
import { command, edit, event, prompt, session } from './session.ts';

const glob = (pattern: string) => {
  const parsed = parseGlob(pattern);
  if (!('glob' in parsed)) throw new Error(parsed.problem);
  return parsed.glob;
};
const name = (pattern: string) => {
  const parsed = parseNamePattern(pattern);
  if (!('glob' in parsed)) throw new Error(parsed.problem);
  return parsed.glob;
};

const DOCUMENT = session('s', [
  prompt('p', 0, 'Fix the "Parser"'),
  edit('in', 1, 'a.ts'),
  edit('up', 2, '../top.md'),
  edit('out', 3, '/etc/hosts'),
  command('cmd', 4, "sed -i 's/x/y/' ../docs/guide.md > log.txt"),
  event('call', 5, { type: 'toolCall', name: 'mcp__db', input: { file_path: '/repo/db.sql' }, status: 'success' }),
  event('own', 6, { type: 'opaque', raw: { type: 'weather', id: 'own', sky: 'grey' } }),
  event('odd', 0, { type: 'error', message: 'no time', resolved: false, timestamp: 'yesterday' }),
]);
const ids = (query: Query) => findEntries(DOCUMENT, query, ['/repo']).map((entry) => entry.event);

test('a session of another machine is found by the paths of its own project', () => {
  const far = { ...DOCUMENT, project: { name: 'p', workingDirectory: '/home/other/app' } };
  const found = (pattern: string) => findEntries(far, { path: glob(pattern) }, ['/repo']).map((entry) => entry.event);
  expect([found('/a.ts'), found('home/other/app/a.ts'), found('/top.md')]).toEqual([['in'], ['in'], []]);
});

describe('entries', () => {
  it.each([
    ['src/a.ts', ['in']],
    ['*.md', ['up', 'cmd']],
    ['docs/**', ['cmd']],
    ['/top.md', ['up']],
    ['/etc/hosts', ['out']],
    ['log.txt', ['cmd']],
    ['*.sql', ['call']],
    ['src', ['in', 'cmd']],
  ])('with a path like %s', (pattern, found) => {
    // the sed script is a word of the command, and lies in the folder the command ran in
    expect(ids({ path: glob(pattern) })).toEqual(found);
  });

  it('by words, whatever their case, in all texts and in no names', () => {
    expect(ids({ words: ['"parser"', 'fix'] })).toEqual(['p']);
    expect(ids({ words: ['grey'] })).toEqual(['own']);
    expect(ids({ words: ['fileoperation'] })).toEqual([]);
  });

  it('by time: one that nobody can read is in none', () => {
    const at = Date.UTC(2026, 0, 1);
    expect(ids({ since: at + 2000, until: at + 4000 })).toEqual(['up', 'out', 'cmd']);
    expect(ids({ until: at + 1e12 })).not.toContain('odd');
    expect(ids({})).toContain('odd');
  });

  it('by tool: the agent did all of it, the tool what it was called for', () => {
    expect(ids({ tool: name('claude*') })).toHaveLength(DOCUMENT.events.length);
    expect(ids({ tool: name('mcp__*') })).toEqual(['call']);
  });

  it('by the tool of a call that became an edit or a command', () => {
    const events = [
      event('w', 1, {
        type: 'fileOperation',
        operation: 'create',
        path: 'a',
        properties: { [TOOL_PROPERTY]: 'Write' },
      }),
      event('b', 2, { type: 'terminalCommand', command: 'ls', properties: { [TOOL_PROPERTY]: 'Bash' } }),
    ];
    const found = findEntries(session('s', events), { tool: name('Write') }, ['/repo']);
    expect(found).toMatchObject([{ event: 'w', name: 'Write', text: 'create a' }]);
  });

  it('by type', () => {
    expect(ids({ events: [{ type: 'message', role: 'user' }] })).toEqual(['p']);
    expect(ids({ events: [{ type: 'message', role: 'assistant' }] })).toEqual([]);
    expect(findEventKind('TOOL_call')).toEqual({ type: 'toolCall' });
    expect(findEventKind('constructor')).toBeUndefined();
    expect(EVENT_NAMES.filter((one) => findEventKind(one) === undefined)).toEqual([]);
  });
});

const word = fc.constantFrom('a', 'B"q', 'ü', '\\', 'x.ts', '../y/x.ts', '/repo/z', '\u2028', 'type');
const time = fc.constantFrom(0, 1, 2, 3);
const anyEvent = fc.oneof(
  fc.tuple(word, time).map(([text, at]) => prompt(`p${text}${at}`, at, text)),
  fc.tuple(word, time).map(([text, at]) => edit(`e${text}${at}`, at, text)),
  fc.tuple(word, time).map(([text, at]) => command(`c${text}${at}`, at, `run ${text} b`)),
);
const anyQuery = fc.record(
  {
    since: time.map((at) => Date.UTC(2026, 0, 1) + at * 1000),
    until: time.map((at) => Date.UTC(2026, 0, 1) + at * 1000),
    events: fc.subarray([{ type: 'message', role: 'user' }, { type: 'fileOperation' }, { type: 'error' }]),
    words: fc.array(
      word.map((one) => one.toLowerCase()),
      { maxLength: 2 },
    ),
    path: fc.constantFrom('x.ts', 'y/*', '*.ts', 'src/**', '/z', '[xz]*', '{x.ts,z}', 'nowhere').map(glob),
    tool: fc.constantFrom('claude-code', 'x').map(name),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Query>;

test('law: looking at the text first finds the same', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 6 }), anyQuery, (events, query) => {
      const text = printDocument(session('s', events));
      const [whole, narrow] = [parseDocument(text), narrowDocument(text, query)];
      const found = (parsed: typeof narrow) =>
        parsed?.kind === 'document' ? findEntries(parsed.document, query, ['/repo']) : [];
      expect(found(narrow)).toEqual(found(whole));
    }),
    { numRuns: 500 },
  );
});

test('hostile documents are passed over, not fallen over', () => {
  const deep = `{"id":"s","status":"active","agent":{"name":"a"},"events":[{"type":"message","timestamp":"2026-01-01T00:00:00.000Z","x":${'['.repeat(5000)}${']'.repeat(5000)}}]}`;
  for (const text of [deep, '', '[]', '{"events":[null,1,{"timestamp":1}],"type":"message"}', '\0']) {
    const parsed = narrowDocument(text, { events: [{ type: 'message' }], since: 0, until: 8e15 });
    expect(parsed?.kind).not.toBe('document');
  }
});
