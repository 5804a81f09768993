import { describe, expect, test } from 'vitest';
import { filesOf, isEdit, newsOf, withUpdate } from '../../src/acp/call.ts';
import { parseDiffs } from '../../src/acp/diff.ts';

const header = (path: string) => `diff --git ${path} ${path}\n--- ${path}\n+++ ${path}\n`;
const patchOf = (text: string, format = 'git_patch') => ({ patch: { format, text } });
const modify = (path: string) => ({ operation: 'modify', path });
const INSERT = '@@ -1,2 +1,3 @@\n one\n+agent\n two\n';

describe('diffs of the draft of version 2', () => {
  test.each([
    ['operations alone', { changes: [modify('/r/a')] }, { changed: ['/r/a'] }],
    [
      'a patch of two files',
      {
        changes: [modify('/r/a'), { operation: 'add', path: '/r/b c' }],
        ...patchOf(
          `${header('/r/a')}${INSERT}diff --git /r/b c /r/b c\n--- /dev/null\n+++ /r/b c\t\n@@ -0,0 +1 @@\n+new\n`,
        ),
      },
      {
        changed: ['/r/a', '/r/b c'],
        stated: [
          { path: '/r/a', old: 'one\ntwo\n', new: 'one\nagent\ntwo\n' },
          { path: '/r/b c', new: 'new\n' },
        ],
      },
    ],
    [
      'a quoted path',
      { changes: [modify('/r/ä')], ...patchOf(`${header('"/r/\\303\\244"')}${INSERT}`) },
      { changed: ['/r/ä'], stated: [{ path: '/r/ä', old: 'one\ntwo\n', new: 'one\nagent\ntwo\n' }] },
    ],
    [
      'a patch of what no operation names',
      { changes: [modify('/r/a')], ...patchOf(`${header('/r/z')}${INSERT}`) },
      { changed: ['/r/a'] },
    ],
    ['another format', { changes: [modify('/r/a')], ...patchOf('x', '_own') }, { changed: ['/r/a'] }],
    ['a patch cut short', { changes: [modify('/r/a')], ...patchOf('@@ -1,9 +1,9 @@\n') }, { changed: ['/r/a'] }],
    ['a move', { changes: [{ operation: 'move', oldPath: '/r/a', path: '/r/b' }] }, { moves: true }],
    ['nonsense', { changes: [null, 5, {}], patch: null }, {}],
  ])('%s', (_, diff, expected) => {
    const nothing = { stated: [], changed: [], moves: false };
    expect(parseDiffs([{ type: 'diff', ...diff }])).toEqual({ ...nothing, ...expected });
  });

  test('pieces are added, a list replaces; each file begins once', () => {
    const diff = (path: string) => ({ type: 'diff', changes: [modify(path)] });
    const chunk = { sessionUpdate: 'tool_call_content_chunk', toolCallId: 't' };
    const one = withUpdate(undefined, { toolCallId: 't', kind: 'edit', content: [diff('/r/a')] }, 1);
    const two = withUpdate(one, { ...chunk, content: diff('/r/b') }, 2);
    const three = withUpdate(two, { toolCallId: 't', content: [diff('/r/c')] }, 3);
    if (!one || !two || !three) throw new Error('no call');
    expect([one, two, three].map(filesOf)).toEqual([['/r/a'], ['/r/a', '/r/b'], ['/r/c']]);
    expect([newsOf(undefined, one).paths, newsOf(one, two).paths]).toEqual([['/r/a'], ['/r/b']]);
    expect(isEdit({ ...one, kind: 'other' })).toBe(true);
  });
});
