import { describe, expect, it } from 'vitest';
import { logDecoder, parseTouched } from '../../src/git/log.ts';
import { parseUnified } from '../../src/git/unified.ts';

const parse = (...lines: string[]) => parseUnified(Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1'));
const added = (...lines: string[]) =>
  parse(...lines).flatMap(({ kind, file, line, text }) => (kind === 'added' ? [[file, line, text]] : []));

describe('a unified diff', () => {
  it('has every line once, as it was', () => {
    const lines = [
      'diff --git a/x b/x',
      '--- a/x',
      '+++ b/x',
      '@@ -1,2 +1,2 @@ f()',
      ' a',
      '-b',
      '+c',
      '\\ No newline',
    ];
    expect(parse(...lines).map(({ text }) => text)).toEqual(lines);
    expect(parse(...lines).map(({ kind }) => kind)).toEqual(
      'meta meta meta frag context removed added context'.split(' '),
    );
  });

  it.each([
    ['plain', '+++ b/src/a.ts', 'src/a.ts'],
    ['blanks', '+++ b/a b.ts\t', 'a b.ts'],
    ['quoted', '+++ "b/t\\tab \\"q\\".ts"\t', 't\tab "q".ts'],
    ['UTF-8', '+++ "b/\\303\\251"', 'é'],
    ['no UTF-8', '+++ "b/\\377"', '"\\377"'],
  ])('names: %s', (_, header, file) => {
    expect(added('diff --git x y', '--- /dev/null', header, '@@ -0,0 +1 @@', '+x')).toEqual([[file, 1, '+x']]);
  });

  it('takes hunks by their counts, whatever stands in them', () => {
    const hunk = ['@@ -1,3 +1,5 @@', ' a', '+++ b/other', '+@@ -1 +1 @@', '', '---- x', '+diff --git a/x b/x'];
    const more = ['@@ -9 +10,2 @@', ' i', '+j\r'];
    expect(added('diff --git a/x b/x', '--- a/x', '+++ b/x', ...hunk, ...more)).toEqual([
      ['x', 2, '+++ b/other'],
      ['x', 3, '+@@ -1 +1 @@'],
      ['x', 5, '+diff --git a/x b/x'],
      ['x', 11, '+j'],
    ]);
  });

  it('shows a conflict as it is, without calling any line added', () => {
    expect(added('diff --cc x', '--- a/x', '+++ b/x', '@@@ -1,1 -1,1 +1,5 @@@', '++<<<<<<< HEAD', ' +b')).toEqual([]);
  });
});

describe('git log', () => {
  const fields = ['a'.repeat(40), 'aaaaaaa', 'Ädä', 'ada@example.com', '2026-01-02', '2026-01-02T00:00:00Z', '', 'x'];
  const bytes = Buffer.from([...fields, ...fields.map(() => 'y')].map((field) => `${field}\0`).join(''));

  it('is decoded from pieces of any size', () => {
    for (const size of [1, 7, 1000]) {
      const decode = logDecoder();
      const commits = [];
      for (let at = 0; at < bytes.length; at += size) commits.push(...decode(bytes.subarray(at, at + size)));
      expect(commits).toMatchObject([
        { id: 'a'.repeat(40), author: 'Ädä', subject: 'x' },
        { id: 'y', subject: 'y' },
      ]);
    }
  });

  it('touched files: raw lines only, whatever a file is called', () => {
    const zero = '0'.repeat(40);
    const raw = (name: string) => `:000000 100644 ${zero} ${'b'.repeat(40)} A\t${name}`;
    const out = ['commit a', '', raw('x'), raw('"commit b\\n"'), 'commit c', ''].join('\n');
    expect(parseTouched(Buffer.from(out))).toEqual(
      new Map([
        ['a', new Set(['x', 'commit b\n'])],
        ['c', new Set()],
      ]),
    );
  });
});
