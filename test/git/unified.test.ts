import { describe, expect, it } from 'vitest';
import { graphDecoder, logDecoder, parseTouched } from '../../src/git/log.ts';
import { parseUnified, patchParser } from '../../src/git/unified.ts';

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

describe('patches of commits', () => {
  const parseAll = (...lines: string[]) => {
    const answers = patchParser()(Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1'));
    return answers.map((one) => one && [one.id, ...one.files.map(({ file, lines }) => [file, lines.length])]);
  };

  it.each([
    ['plain', 'diff --git a/x b/x', 'x'],
    ['like the header itself', 'diff --git a/x b/x b/x b/x', 'x b/x'],
    ['quoted', 'diff --git "a/t\\tab" "b/t\\tab"', 't\tab'],
    ['UTF-8', 'diff --git "a/\\303\\251" "b/\\303\\251"', 'é'],
  ])('names: %s', (_, header, file) => {
    expect(parseAll('commit c', '', header, 'old mode 100644', '=')).toEqual([['c', [file, 2]]]);
  });

  it('a renamed file has its new name; raw lines are no part; contents are never structure', () => {
    const renamed = ['diff --git a/old b/new name', 'similarity index 90%', 'rename from old', 'rename to new name'];
    const hunk = ['--- a/old', '+++ b/new name\t', '@@ -1 +1,2 @@', ' =', '+commit x'];
    expect(parseAll('commit c', '', ':100644 ...', '', ...renamed, ...hunk, '=', '=', 'commit d', '=')).toEqual([
      ['c', ['new name', 9]],
      undefined,
      ['d'],
    ]);
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

  it('beside a graph, is decoded from pieces of any size; lines of the drawing alone come before a commit', () => {
    const commit = (drawn: string, subject: string) =>
      `${drawn}\x01${[...fields.slice(0, -1), subject].join('\x01')}\n`;
    const rows = (drawn: string) => `${drawn}\x02\n`.repeat(8);
    const drawing = `${commit('*   ', 'x') + rows('| | ')}|\\  \n${commit('| * ', 'odd \x02 y')}${rows('|/  ')}`;
    const all = Buffer.from(drawing);
    for (const size of [1, 7, 1000]) {
      const decode = graphDecoder();
      const commits = [];
      for (let at = 0; at < all.length; at += size) commits.push(...decode(all.subarray(at, at + size)));
      expect(commits).toMatchObject([
        { author: 'Ädä', subject: 'x', graph: { before: [], rows: ['*   ', ...Array(8).fill('| | ')] } },
        { subject: 'odd \x02 y', graph: { before: ['|\\  '], rows: ['| * ', ...Array(8).fill('|/  ')] } },
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
