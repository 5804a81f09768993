import { describe, expect, test } from 'vitest';
import type { FileDiff } from '../../src/git/diff.ts';
import { shownTexts } from '../../src/pending/known-texts.ts';

const [OLD, NEW] = ['a'.repeat(40), 'b'.repeat(40)];
const lines = ['one', 'two'];

function file(more: Partial<FileDiff>): FileDiff {
  return {
    path: 'a.js',
    status: 'A',
    oldBlob: null,
    newBlob: NEW,
    oldMode: '000000',
    newMode: '100644',
    binary: false,
    added: [{ start: 1, lines }],
    removed: [],
    ...more,
  };
}

describe('what a patch shows of a text', () => {
  test('all of a new file, also in a root commit', () => {
    for (const parents of [[], [OLD]]) {
      expect(shownTexts({ parents, files: [file({})] })).toEqual(new Map([[NEW, lines]]));
    }
  });

  test.each([
    ['a file that was there before', [OLD], file({ oldBlob: OLD, status: 'M' })],
    ['a file that is gone', [OLD], file({ newBlob: null, status: 'D', added: [] })],
    ['a binary file', [OLD], file({ binary: true, added: [] })],
    ['lines that do not begin at the first', [OLD], file({ added: [{ start: 2, lines }] })],
    ['a merge: lines of the other parent are not shown', [OLD, NEW], file({})],
  ])('not %s', (_, parents, one) => {
    expect(shownTexts({ parents, files: [one] }).size).toBe(0);
  });
});
