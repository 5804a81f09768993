import fc from 'fast-check';
import { expect, test } from 'vitest';
import { opencode } from '../../../src/capture/opencode/index.ts';
import { removeFolder } from '../../support/remove.ts';
import { makeFolder } from '../../support/repository.ts';
import { commandWords, editWords, recordedValues, spoiled } from '../recorded.ts';
import { databaseOf, realDatabase } from './rows.ts';

type Row = Record<string, unknown>;
const rows = recordedValues('opencode/session.jsonl') as Row[];
const decode = (values: readonly unknown[], worktrees?: string[]) =>
  opencode.decodeTranscript(databaseOf(values, worktrees));
const [main, child, fork] = decode(rows);

const EDITS = [
  'full /repo/a.txt',
  'hunks /repo/a.txt',
  'write /repo/a.txt',
  'full /repo/b.txt',
  'full /repo/c.txt',
  'full /repo/new/deep.txt',
  'full /repo/rel.txt',
];

test('a recorded session: its edits and commands, what failed left out', () => {
  expect(main).toMatchObject({
    session: 'ses_e199b1ec5ffeh53wIwoXRxX3ez',
    tool: { name: 'opencode', version: '1.18.33' },
    cwd: '/repo',
    startedAt: 1794866733370,
    childSessions: [child?.session],
    skipped: {},
  });
  expect(main && editWords(main)).toEqual(EDITS);
  expect(main && commandWords(main)).toEqual(['echo sh > sh.txt; ex 3', 'git add -A; git comm 0']);
  expect(main?.edits[0]?.change).toEqual({ kind: 'full', before: null, after: 'one\ntwo\nthree\n' });
  expect(main?.edits[1]).toMatchObject({ event: 'call_a2237560a93d4157', at: 1794866744594 });
});

test('the conversation: prompts without the quotes of `run`, answers, failures', () => {
  const words = main?.events.map((event) =>
    event.type === 'message' && 'role' in event ? `${event.role}: ${event.content}` : event.type,
  );
  expect(words?.[0]).toBe('user: Do all the things now.');
  expect(words?.at(-1)).toBe('assistant: All done.');
  expect(main?.events.filter((event) => 'status' in event && event.status === 'error')).toHaveLength(2);
  expect(main?.model).toBeUndefined();
});

test('a sub-agent is a session of its own', () => {
  expect(child).toMatchObject({ parentSession: main?.session, cwd: '/repo' });
  expect(child && editWords(child)).toEqual(['full /repo/sub.txt']);
});

test('a fork comes after what it copied, with the same calls; tokens are counted where they were spent', () => {
  expect(fork?.edits.map(({ event }) => event)).toEqual(main?.edits.map(({ event }) => event));
  expect(main?.tokens).toMatchObject({ inputTokens: 1300, outputTokens: 260 });
  expect(child?.tokens).toMatchObject({ inputTokens: 200, outputTokens: 40 });
  expect(fork?.tokens).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  const turned = decode([...rows].reverse()).map(({ session }) => session);
  expect(turned).toEqual([main, child, fork].map((one) => one?.session));
});

test('ids that only count are of one session each, and copies of them are left out', () => {
  const counted = rows.map((row) => ({ ...row, data: String(row.data).replaceAll('call_a2237560a93d4157', 'edit:0') }));
  const [first, , copy] = decode(counted);
  expect(first?.edits[1]?.event).toBe(`${main?.session}.edit:0`);
  expect(copy?.edits.map(({ event }) => event)).not.toContain(`${copy?.session}.edit:0`);
  expect(copy?.edits).toHaveLength(EDITS.length - 1);
});

test.each([
  [['/repo'], 3],
  [['/repo/sub/tree'], 3],
  [['/'], 3],
  [['/other', '/repository'], 0],
  [[], 0],
])('for the work trees %j there are %i sessions', (worktrees, count) => {
  expect(decode(rows, worktrees)).toHaveLength(count);
});

test('the questions are ones that SQLite understands, of no table but three', () => {
  const folder = makeFolder('opencode-database');
  const file = realDatabase(folder, rows);
  const asked: string[] = [];
  const rowsOf: typeof file.rows = (sql, given) => {
    asked.push(sql);
    return file.rows(sql, given);
  };
  expect(opencode.decodeTranscript({ ...file, rows: rowsOf })).toEqual([main, child, fork]);
  expect(asked.every((sql) => /FROM (?:sqlite_master|session|message|part)\b/.test(sql))).toBe(true);
  file.close();
  removeFolder(folder);
});

test('a database without these tables has no sessions', () => {
  expect(opencode.decodeTranscript({ ...databaseOf(rows), rows: () => [] })).toEqual([]);
});

const patched = (change: (data: Row, row: Row) => void) =>
  rows.map((row) => {
    const data = row.data === undefined ? {} : JSON.parse(String(row.data));
    change(data, row);
    return row.data === undefined ? row : { ...row, data: JSON.stringify(data) };
  });

test('models of providers that models.dev knows', () => {
  const named = (providerID: string, modelID: string) =>
    decode(patched((data) => void Object.assign(data, data.role === 'assistant' && { providerID, modelID })))[0]?.model;
  expect(named('anthropic', 'claude-sonnet-4-5')).toBe('anthropic/claude-sonnet-4-5');
  expect(named('github-copilot', 'claude-sonnet-4.5')).toBe('github-copilot/claude-sonnet-4.5');
  expect(named('openrouter', 'anthropic/claude-sonnet-4.5')).toBe('openrouter/anthropic/claude-sonnet-4.5');
  expect(named('kilo', 'kilo/auto')).toBeUndefined();
  expect(named('azure', 'my-gpt')).toBeUndefined();
  expect(named('lmstudio', 'qwen3')).toBeUndefined();
});

test('a command that the person typed is none of the agent’s', () => {
  const prompt = rows.find((row) => String(row.data).includes('Do all the things'));
  const typed = patched((data, row) => {
    if (row.id === prompt?.id)
      Object.assign(data, { text: 'The following tool was executed by the user', synthetic: true });
  });
  expect(decode(typed)[0]).toMatchObject({ edits: [], commands: [] });
});

test('a call that the user did not allow never ran', () => {
  const refused = patched((data) => {
    if (data.tool === 'bash')
      data.state = {
        ...(data.state as Row),
        status: 'error',
        error: 'The user rejected permission to use this specific tool call.',
      };
  });
  expect(decode(refused)[0]?.commands.map((command) => command.refused)).toEqual([true, true]);
});

test('what is broken is counted', () => {
  const broken = rows.map((row, i) => (i % 5 === 4 && row.data !== undefined ? { ...row, data: '{"type":' } : row));
  expect(decode(broken)[0]?.skipped['broken row']).toBeGreaterThan(3);
  const odd = patched((data) => {
    if (data.type === 'tool') delete data.callID;
    else if (data.type === 'text') Object.assign(data, { type: 'news' });
  });
  expect(decode(odd)[0]?.skipped).toMatchObject({ 'call without id, name or state': 13, 'part type news': 1 });
  const timeless = patched((data) => void delete data.time);
  expect(decode(timeless)[0]?.skipped).toMatchObject({ 'message without time': 14 });
});

test('law: no row is fatal', () => {
  const parsed = rows.map((row) => ({
    ...row,
    data: row.data === undefined ? undefined : JSON.parse(String(row.data)),
  }));
  const printed = (values: readonly unknown[]) =>
    values.map((value) => {
      const row = value as Row | null;
      return row?.data === undefined ? value : { ...row, data: JSON.stringify(row.data) };
    });
  fc.assert(
    fc.property(spoiled(parsed), (values) => void decode(printed(values))),
    { numRuns: 300 },
  );
});
