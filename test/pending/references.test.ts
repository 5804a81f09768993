import { expect, test } from 'vitest';
import { addReferences } from '../../src/pending/references.ts';
import { isStaleLine, withoutText, withoutWords } from '../../src/pending/stale.ts';

const SESSIONS = new Set(['s1', 'a/b c', '__proto__', '0']);
const referred = (line: string) => {
  const found = new Set<string>();
  addReferences(found, line, SESSIONS);
  return [...found].sort();
};

test.each([
  ['{"id":"s1"}', ['s1']],
  ['{"relationships":{"childSessions":["s1","s2"]}}', ['s1']],
  ['{"url":"agentlog:a%2Fb%20c#event"}', ['a/b c']],
  ['{"url":"https://example.com/talk/a%2Fb%20c?at=s1"}', ['a/b c', 's1']],
  ['{"s1":1}', ['s1']],
  ['{"__proto__":{"x":1}}', ['__proto__']],
  ['{"id":"s12","url":"https://example.com/s12","n":0}', []],
  ['no JSON at all, but s1', ['s1']],
])('%s', (line, found) => expect(referred(line)).toEqual(found));

test('an edit without its text is still an edit', () => {
  const edit = {
    ...{ path: 'a.ts', worktree: '', session: 's', event: 'e', tool: { name: 'x' }, at: 5, source: 'hook' },
    ...{ kind: 'full', before: null, after: 'HEX', shell: { command: 'secret', from: 3, named: true } },
  };
  const line = JSON.stringify(edit);
  expect(JSON.parse(withoutText(line, () => true))).toEqual({
    ...{ path: 'a.ts', worktree: '', session: 's', event: 'e', tool: { name: 'x' }, at: 5, source: 'hook' },
    ...{ kind: 'untold', shell: { command: '', from: 3 } },
  });
  expect(withoutText(line, () => false)).toBe(line);
  const bare = withoutText(line, () => true);
  expect(withoutText(bare, () => true)).toBe(bare);
  expect(withoutText('{"torn', () => true)).toBe('{"torn');
});

test.each([
  ['ls -l', {}, undefined],
  ['ls -l', { background: true }, '(no longer kept)'],
  ['make', {}, '(no longer kept)'],
  ['make', { refused: true }, '(no longer kept)'],
  ['', {}, ''],
])('the command %j', (command, rest, left) => {
  const line = JSON.stringify({ event: 'e', session: 's', tool: { name: 'x' }, worktree: '', command, ...rest });
  const without = withoutWords(line, () => true);
  expect(without === undefined ? undefined : JSON.parse(without).command).toBe(left);
  expect(without === undefined || withoutWords(without, () => true) === without).toBe(true);
  expect(withoutWords(line, () => false)).toBe(line);
});

test.each([
  ['{"at":5,"agent":"x"}', true],
  ['{"at":50,"agent":"x"}', false],
  ['1970-01-01T00:00:00.005Z work: failed', true],
  ['1970-01-01T00:00:01.000Z work: failed', false],
  ['no time at all', false],
  ['{"at":"5"}', false],
])('the diagnostic %s is old: %s', (line, old) => expect(isStaleLine(line, 10)).toBe(old));
