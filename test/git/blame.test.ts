import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { blameArguments, blameReader, parseBlame, parseIncremental, readBlame } from '../../src/git/blame.ts';
import { wholeLines } from '../../src/git/pull.ts';
import { runGit } from '../../src/git/run.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

const made: TestRepository[] = [];
afterAll(() => {
  for (const repository of made) repository.remove();
});

function repositoryFor(...args: Parameters<typeof makeRepository>): TestRepository {
  const repository = makeRepository(...args);
  made.push(repository);
  return repository;
}

async function blame({ dir }: TestRepository, file: string, ...options: string[]) {
  return parseBlame(await runGit({ cwd: dir }, blameArguments({ options, file })));
}

const [A, B] = ['a'.repeat(40), 'b'.repeat(64)];

/** Porcelain of a commit with lines of two files (-C), of an uncommitted line, and of an id of another length. */
const RECORDED = [
  `${A} 7 1 2`,
  'author \u00c9va',
  'author-mail <eva@example.com>',
  'author-time 1700000000',
  'author-tz +0130',
  'committer C',
  'committer-mail <c>',
  'committer-time 1',
  'committer-tz +0000',
  'summary does a thing',
  'boundary',
  'filename "a\\tb"',
  '\tfirst\r',
  `${A} 8 2`,
  '\t\tsecond: author no header',
  `${'0'.repeat(40)} 3 3 1`,
  'author Not Committed Yet',
  'author-mail <not.committed.yet>',
  `previous ${A} "a\\tb"`,
  'filename f',
  '\t',
  `${A} 1 4 1`,
  `previous ${B} other`,
  'filename moved',
  '\tfourth',
  `${B} 1 5 1`,
  'author Z',
  'unblamable',
  'filename f',
  '\tlast',
].join('\n');

test('recorded bytes', () => {
  const lines = parseBlame(Buffer.from(RECORDED));
  expect(lines.map(({ line, originalLine, text }) => [line, originalLine, text])).toEqual([
    [1, 7, 'first'],
    [2, 8, '\tsecond: author no header'],
    [3, 3, ''],
    [4, 1, 'fourth'],
    [5, 1, 'last'],
  ]);
  const shared = {
    commit: A,
    author: 'Éva',
    authorMail: 'eva@example.com',
    authorTime: 1700000000,
    authorZone: '+0130',
  };
  for (const line of [lines[0], lines[1]]) {
    expect(line).toMatchObject({
      ...shared,
      originalFile: 'a\tb',
      boundary: true,
      summary: 'does a thing',
      uncommitted: false,
    });
    expect(line).not.toHaveProperty('previous');
  }
  expect(lines[2]).toMatchObject({ uncommitted: true, previous: { commit: A, file: 'a\tb' }, originalFile: 'f' });
  expect(lines[3]).toMatchObject({ ...shared, originalFile: 'moved', previous: { commit: B, file: 'other' } });
  expect(lines[4]).toMatchObject({ commit: B, author: 'Z', boundary: false });
});

test('bytes that end anywhere, or are anything, do not fail', () => {
  const bytes = Buffer.from(RECORDED);
  for (let end = 0; end < bytes.length; end++) expect(parseBlame(bytes.subarray(0, end)).length).toBeLessThan(6);
  fc.assert(
    fc.property(fc.uint8Array(), (junk) => {
      expect(parseBlame(Buffer.from(junk))).toEqual([]);
    }),
  );
});

test('each line once, in order, in both forms, whatever the file', async () => {
  const repository = repositoryFor();
  const name = 'd/ü "q"\tx';
  repository.write(name, Buffer.from('one\r\n\n\xff\ntab\there\n', 'latin1'));
  const first = repository.commit('first');
  repository.write(name, Buffer.from('one\r\n\n\xff\ntab\there\nfive\nno end', 'latin1'));
  const second = repository.commit('second');
  repository.write(name, Buffer.from('zero\none\r\n\n\xff\ntab\there\nfive\nno end', 'latin1'));
  const lines = await blame(repository, name);
  expect(lines.map((line) => line.line)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(lines.map((line) => line.text)).toEqual(['zero', 'one', '', '\xff', 'tab\there', 'five', 'no end']);
  expect(lines.map((line) => line.commit)).toEqual(['0'.repeat(40), first, first, first, first, second, second]);
  expect(lines.map((line) => line.uncommitted)).toEqual([true, false, false, false, false, false, false]);
  for (const line of lines) expect(line.originalFile).toBe(name);
  expect(lines[5]?.previous).toEqual({ commit: first, file: name });
  // the time of a line that is not committed is now
  const timeless = (some: typeof lines) =>
    some.map((line) => ({ ...line, authorTime: line.uncommitted ? 0 : line.authorTime }));
  expect(timeless(await blame(repository, name, '--line-porcelain'))).toEqual(timeless(lines));
  repository.git('config', 'core.quotePath', 'false');
  expect(timeless(await blame(repository, name))).toEqual(timeless(lines));
});

test('lines of one commit that come from two files', async () => {
  const repository = repositoryFor();
  const block = (letter: string) =>
    Array.from({ length: 12 }, (_, i) => `${letter} says something long in line ${i}\n`).join('');
  repository.write('a', block('a'));
  repository.write('b', block('b'));
  repository.commit();
  repository.write('c', block('b') + block('a'));
  repository.commit();
  const plain = await blame(repository, 'c', '-C', '-C');
  expect(new Set(plain.map((line) => line.originalFile))).toEqual(new Set(['a', 'b']));
  expect(await blame(repository, 'c', '-C', '-C', '--line-porcelain')).toEqual(plain);
});

test('sha256 ids keep their length', async () => {
  const repository = repositoryFor({ objectFormat: 'sha256' });
  repository.write('a', '1\n');
  const commit = repository.commit();
  repository.write('a', '1\n2\n');
  const lines = await blame(repository, 'a');
  expect(lines.map((line) => [line.commit, line.uncommitted])).toEqual([
    [commit, false],
    ['0'.repeat(64), true],
  ]);
});

test('a revision is never taken for an option, nor a file for a revision', () => {
  expect(blameArguments({ options: ['-w'], revision: 'HEAD~1', file: '-x' }).slice(-3)).toEqual(['HEAD~1', '--', '-x']);
  expect(() => blameArguments({ options: [], revision: '--output=x', file: 'a' })).toThrow(/not a revision/);
});

test('output that comes in pieces of any size is read as the whole', async () => {
  const bytes = Buffer.from(`${RECORDED}\n${RECORDED}`);
  const whole = readBlame(bytes);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), async (sizes) => {
      const chunks: Buffer[] = [];
      for (let [at, i] = [0, 0]; at < bytes.length; i++) {
        const size = sizes[i % sizes.length] ?? 1;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      const read = blameReader();
      const [lines, texts]: [unknown[], string[]] = [[], []];
      for await (const piece of wholeLines(chunks)) {
        const slice = read(piece);
        for (const place of slice.places) expect(slice.text[place]).toBe('\t');
        lines.push(...slice.lines);
        texts.push(slice.text);
      }
      expect(lines).toEqual(whole.lines);
      expect(texts.join('')).toBe(whole.text);
    }),
  );
});

test('who wrote which lines is the same without their texts', async () => {
  const repository = repositoryFor();
  const { dir } = repository;
  repository.write('a', 'one line\ntwo line\nthree line\nfour line\nfive line\n');
  repository.commit('first');
  repository.write('b', 'x\none line\ntwo line\nthree line\nfour line\n');
  repository.write('a', 'five line\nzero line\n');
  repository.commit('second');
  repository.git('mv', 'b', 'a name"\u00e9\t');
  repository.commit('third');
  repository.write('a name"\u00e9\t', 'x\nuncommitted\none line\ntwo line\nthree line\nfour line');
  const question = { options: ['-C', '-C', '-M'], file: 'a name"\u00e9\t' };
  const lines = parseBlame(await runGit({ cwd: dir }, blameArguments(question)));
  const spans = parseIncremental(await runGit({ cwd: dir }, blameArguments(question, '--incremental')));
  expect(new Set(lines.map(({ originalFile }) => originalFile)).size).toBeGreaterThan(1);
  const told = spans.flatMap(({ by, start, originalStart, count }) =>
    Array.from({ length: count }, (_, i) => ({ ...by, line: start + i, originalLine: originalStart + i })),
  );
  expect(told).toEqual(lines.map(({ text: _, ...line }) => line));
});
