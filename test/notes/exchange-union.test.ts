import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { findRepository } from '../../src/git/repository.ts';
import { appendNotes } from '../../src/notes/append.ts';
import { uniteBlobs } from '../../src/notes/exchange/unite-lines.ts';
import { noteLines } from '../../src/notes/lines.ts';
import { readAllNotes } from '../../src/notes/read.ts';
import { uniteNotes } from '../../src/notes/union.ts';
import { makeRepository, type RepositoryOptions, type TestRepository } from '../support/repository.ts';

const made: TestRepository[] = [];
afterEach(() => {
  for (const repository of made.splice(0)) repository.remove();
});

function repositoryFor(options?: RepositoryOptions): TestRepository {
  const repository = makeRepository(options);
  made.push(repository);
  return repository;
}

const key = (n: number | string, format = 'sha1') => createHash(format).update(String(n)).digest('hex');
type Notes = Record<string, string[]>;

async function append({ dir }: TestRepository, ref: string, notes: Notes): Promise<void> {
  await appendNotes(await findRepository(dir), `refs/notes/${ref}`, new Map(Object.entries(notes)));
}

async function unite({ dir }: TestRepository, into: string, from: string): Promise<boolean> {
  return uniteNotes(await findRepository(dir), `refs/notes/${into}`, `refs/notes/${from}`);
}

/** The lines of every note, sorted: what a union may not change. */
async function contents({ dir }: TestRepository, ref: string): Promise<Notes> {
  const { notes } = await readAllNotes({ cwd: dir }, [`refs/notes/${ref}`]);
  return Object.fromEntries([...notes].map(([id, lines]) => [id, lines.toSorted()] as const).toSorted());
}

const tip = (repository: TestRepository, ref: string) => repository.git('rev-parse', `refs/notes/${ref}`);
const tree = (repository: TestRepository, ref: string) => repository.git('rev-parse', `refs/notes/${ref}^{tree}`);

describe('laws', () => {
  const shared = makeRepository();
  afterAll(() => shared.remove());
  let round = 0;
  const notes = fc.dictionary(
    fc.constantFrom(...[1, 2, 3, 4].map((n) => key(n))),
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'é', ' d'), { minLength: 1, maxLength: 4 }),
    { maxKeys: 4 },
  );

  test('commutative, associative, idempotent; our bytes first', async () => {
    await fc.assert(
      fc.asyncProperty(notes, notes, notes, async (a, b, c) => {
        const name = (what: string) => `law${round}/${what}`;
        round++;
        for (const [what, some] of Object.entries({ a, b, c })) await append(shared, name(what), some);
        // the same commits under other names: what has another history has to be merged
        for (const [copy, of] of Object.entries({ ab_c: 'a', ba: 'b', bc: 'b', a_bc: 'a' })) {
          await unite(shared, name(copy), name(of));
        }
        const both = async (into: string, from: string) => unite(shared, name(into), name(from));
        await both('ab_c', 'b');
        await both('ba', 'a');
        expect(await contents(shared, name('ab_c'))).toEqual(await contents(shared, name('ba')));
        await both('ab_c', 'c');
        await both('bc', 'c');
        await both('a_bc', 'bc');
        const whole = await contents(shared, name('ab_c'));
        expect(await contents(shared, name('a_bc'))).toEqual(whole);
        const expected: Notes = {};
        for (const one of [a, b, c]) {
          for (const [id, lines] of Object.entries(one)) expected[id] = [...(expected[id] ?? []), ...lines];
        }
        const sorted = Object.entries(expected).map(([id, lines]) => [id, [...new Set(lines)].toSorted()] as const);
        expect(whole).toEqual(Object.fromEntries(sorted.toSorted()));
        for (const from of ['a', 'b', 'c', 'ab_c']) expect(await both('ab_c', from), from).toBe(false);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });

  test('of lines: nothing is lost, nothing doubles, what is there stays', () => {
    const bytes = fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' ', '\xff', '\0', '\r') });
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const [ours, theirs] = [Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1')];
        const united = uniteBlobs([ours], [theirs]);
        const lines = (buffer: Buffer) => [...new Set(noteLines(buffer))].toSorted();
        expect(lines(united)).toEqual([...new Set([...noteLines(ours), ...noteLines(theirs)])].toSorted());
        expect([a, b].some((text) => united.toString('latin1').startsWith(text))).toBe(true);
        expect(uniteBlobs([united], [theirs])).toEqual(uniteBlobs([theirs], [united]));
      }),
    );
  });
});

test('our bytes come first, theirs after; both are parents; git reads it', async () => {
  const repository = repositoryFor();
  const commit = repository.commit();
  await append(repository, 'ours', { [commit]: ['{"b":1}', '{"same":1}'], [key(1)]: ['{"only":"ours"}'] });
  await append(repository, 'theirs', { [commit]: ['{"same":1}', '{"a":"é"}'], [key(2)]: ['{"only":"theirs"}'] });
  const parents = [tip(repository, 'ours'), tip(repository, 'theirs')];
  expect(await unite(repository, 'ours', 'theirs')).toBe(true);
  expect(repository.git('notes', '--ref=ours', 'show', commit)).toBe('{"b":1}\n{"same":1}\n{"a":"é"}');
  expect(repository.git('notes', '--ref=ours', 'list').split('\n')).toHaveLength(3);
  expect(repository.git('log', '-1', '--format=%P', 'refs/notes/ours')).toBe(parents.join(' '));
  expect(tip(repository, 'theirs')).toBe(parents[1]);
  expect(repository.git('fsck', '--strict', '--no-dangling')).toBe('');
});

test('no notes there, none here, the same, ahead, behind', async () => {
  const repository = repositoryFor();
  expect(await unite(repository, 'ours', 'theirs')).toBe(false);
  await append(repository, 'theirs', { [key(1)]: ['a'] });
  expect(await unite(repository, 'ours', 'theirs')).toBe(true);
  expect(tip(repository, 'ours')).toBe(tip(repository, 'theirs'));
  expect(await unite(repository, 'ours', 'theirs')).toBe(false);
  await append(repository, 'ours', { [key(1)]: ['b'] });
  const ahead = tip(repository, 'ours');
  expect(await unite(repository, 'ours', 'theirs')).toBe(false);
  expect(tip(repository, 'ours')).toBe(ahead);
  expect(await unite(repository, 'theirs', 'ours')).toBe(true);
  expect(tip(repository, 'theirs')).toBe(ahead);
});

test('the same lines in another order: one order for all, and it stays', async () => {
  const repository = repositoryFor();
  await append(repository, 'ours', { [key(1)]: ['a', 'b'] });
  await append(repository, 'theirs', { [key(1)]: ['b', 'a'] });
  const first = tip(repository, 'ours');
  repository.git('update-ref', 'refs/notes/first', first);
  expect(await unite(repository, 'ours', 'theirs')).toBe(true);
  expect(repository.git('notes', '--ref=ours', 'show', key(1))).toBe('b\na');
  expect(await unite(repository, 'ours', 'first')).toBe(false);
  expect(await unite(repository, 'ours', 'theirs')).toBe(false);
});

test('a note that somebody removed from the history comes back', async () => {
  const repository = repositoryFor();
  await append(repository, 'ours', { [key(1)]: ['a'], [key(2)]: ['b'] });
  await unite(repository, 'theirs', 'ours');
  repository.git('notes', '--ref=theirs', 'remove', key(1));
  await unite(repository, 'ours', 'theirs');
  expect(await contents(repository, 'ours')).toEqual(
    Object.fromEntries([[key(1), ['a']] as const, [key(2), ['b']] as const].toSorted()),
  );
});

test.each(['sha1', 'sha256'] as const)(
  '%s: 300 notes flat here and in folders there, some on both sides',
  async (format) => {
    const repository = repositoryFor({ objectFormat: format });
    const blob = (text: string) => repository.gitBytes(['hash-object', '-w', '--stdin'], text).toString().trim();
    const ids = Array.from({ length: 300 }, (_, n) => key(n, format));
    const flat = blob('{"flat":1}\n');
    const entries = ids.slice(0, 200).map((id) => `100644 blob ${flat}\t${id}\n`);
    const root = repository.gitBytes(['mktree'], entries.join('')).toString().trim();
    repository.git('update-ref', 'refs/notes/flat', repository.git('commit-tree', '-m', 'flat', root));
    await append(repository, 'fanned', Object.fromEntries(ids.slice(100).map((id) => [id, [`{"fanned":"${id}"}`]])));
    expect(repository.git('ls-tree', '--name-only', 'refs/notes/fanned').split('\n')[0]).toMatch(/^..$/);
    const expected = Object.fromEntries(
      ids
        .map((id, n) => {
          const lines = [...(n >= 100 ? [`{"fanned":"${id}"}`] : []), ...(n < 200 ? ['{"flat":1}'] : [])];
          return [id, lines] as const;
        })
        .toSorted(),
    );
    repository.git('update-ref', 'refs/notes/other', 'refs/notes/fanned');
    await unite(repository, 'fanned', 'flat');
    await unite(repository, 'flat', 'other');
    expect(await contents(repository, 'fanned')).toEqual(expected);
    expect(await contents(repository, 'flat')).toEqual(expected);
    expect(repository.git('notes', '--ref=flat', 'list').split('\n')).toHaveLength(300);
    // one exchange later they agree on the folders too, and none of them moves again
    await unite(repository, 'flat', 'fanned');
    await unite(repository, 'fanned', 'flat');
    expect(tree(repository, 'flat')).toBe(tree(repository, 'fanned'));
    expect(await unite(repository, 'flat', 'fanned')).toBe(false);
  },
);

test('entries that are no notes: those of both sides stay, and all who meet end with the same', async () => {
  const repository = repositoryFor();
  const blob = (text: string) => repository.gitBytes(['hash-object', '-w', '--stdin'], text).toString().trim();
  const put = (ref: string, files: Record<string, string>) => {
    repository.git('read-tree', '--empty');
    for (const [file, text] of Object.entries(files)) {
      repository.git('update-index', '--add', '--cacheinfo', `100644,${blob(text)},${file}`);
    }
    const commit = repository.git('commit-tree', '-m', ref, repository.git('write-tree'));
    repository.git('update-ref', `refs/notes/${ref}`, commit);
  };
  put('ours', { [key(1)]: 'a\n', README: 'ours\n', 'docs/x': 'x\n', 'clash/file': '1\n', ab: 'a file\n' });
  put('theirs', { [key(1)]: 'b\n', README: 'theirs\n', 'docs/ü y': 'y\n', clash: '2\n', 'ab/file': 'in a folder\n' });
  repository.git('update-ref', 'refs/notes/copy', 'refs/notes/theirs');
  await unite(repository, 'ours', 'theirs');
  await unite(repository, 'copy', 'ours');
  for (const ref of ['ours', 'copy']) {
    const names = repository
      .git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', `refs/notes/${ref}`)
      .split('\n');
    for (const name of ['README', 'docs/x', 'docs/ü y']) expect(names).toContain(name);
    expect(await contents(repository, ref)).toEqual({ [key(1)]: ['a', 'b'] });
  }
  expect(tree(repository, 'copy')).toBe(tree(repository, 'ours'));
  expect(repository.git('fsck', '--no-dangling')).toBe('');
});

test('junk in notes stays byte for byte, and a ref that is no history is left alone', async () => {
  const repository = repositoryFor();
  const junk = Buffer.from('\xff\0\r\n\n  \nno end', 'latin1');
  const id = repository.gitBytes(['hash-object', '-w', '--stdin'], junk).toString().trim();
  repository.git('notes', '--ref=ours', 'add', '-C', id, key(1));
  await append(repository, 'theirs', { [key(1)]: ['{}'] });
  await unite(repository, 'ours', 'theirs');
  const note = repository.gitBytes(['notes', '--ref=ours', 'show', key(1)]);
  expect(note).toEqual(Buffer.concat([junk, Buffer.from('\n{}\n')]));
  repository.git('update-ref', 'refs/notes/odd', id);
  const before = tip(repository, 'ours');
  await expect(unite(repository, 'ours', 'odd')).rejects.toMatchObject({ code: 'refused' });
  expect(tip(repository, 'ours')).toBe(before);
});

test('five thousand notes there and one here cost a moment, and so does the other way round', async () => {
  const repository = repositoryFor();
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [key(n), [`{"n":${n}}`]]));
  await append(repository, 'many', many);
  await append(repository, 'one', { [key('x')]: ['{}'] });
  await append(repository, 'other', { [key('y')]: ['{}'] });
  const objects = () => Number(/^count: (\d+)/m.exec(repository.git('count-objects', '-v'))?.[1]);
  const before = objects();
  await unite(repository, 'one', 'many');
  await unite(repository, 'many', 'other');
  // a folder, perhaps another one inside it, the root and the commit, for each
  expect(objects() - before).toBeLessThanOrEqual(8);
  expect(Object.keys(await contents(repository, 'one'))).toHaveLength(5001);
  expect(Object.keys(await contents(repository, 'many'))).toHaveLength(5001);
});
