import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { findRepository } from '../../src/git/repository.ts';
import { appendNotes } from '../../src/notes/append.ts';
import { readAllNotes, readNotes } from '../../src/notes/read.ts';
import { TRACE_REF } from '../../src/notes/refs.ts';
import { makeProgram } from '../git/program.ts';
import { removeFolder } from '../support/remove.ts';
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

async function append({ dir }: TestRepository, additions: Record<string, string[]>, ref = TRACE_REF): Promise<number> {
  return appendNotes(await findRepository(dir), ref, new Map(Object.entries(additions)));
}

const key = (n: number, format = 'sha1') => createHash(format).update(String(n)).digest('hex');
const note = (repository: TestRepository, id: string) =>
  repository.gitBytes(['notes', '--ref=agent/trace', 'show', id]);

test('a note that git reads, added to, and not written twice', async () => {
  const repository = repositoryFor();
  const commit = repository.commit();
  expect(await append(repository, { [commit]: ['{"a":1}', '', '{"b":"é"}', '{"a":1}'] })).toBe(1);
  expect(note(repository, commit).toString()).toBe('{"a":1}\n{"b":"é"}\n');
  expect(await append(repository, { [commit]: ['{"c":3}', '{"a":1}'], [key(1)]: [] })).toBe(1);
  expect(note(repository, commit).toString()).toBe('{"a":1}\n{"b":"é"}\n{"c":3}\n');
  const tip = repository.git('rev-parse', TRACE_REF);
  expect(await append(repository, { [commit]: ['{"b":"é"}'] })).toBe(0);
  expect(await append(repository, {})).toBe(0);
  expect(repository.git('rev-parse', TRACE_REF)).toBe(tip);
  expect(repository.git('rev-list', '--count', TRACE_REF)).toBe('2');
  expect(repository.git('log', '-1', '--format=%an %ce', TRACE_REF)).toBe('Ada ada@example.com');
});

test.each(['sha1', 'sha256'] as const)(
  '%s: the tree is the one that git makes, at every size',
  async (objectFormat) => {
    const repository = repositoryFor({ objectFormat });
    const blob = repository.gitBytes(['hash-object', '-w', '--stdin'], '{}\n').toString().trim();
    repository.git('notes', '--ref=git', 'add', '-C', blob, key(0, objectFormat));
    await append(repository, { [key(0, objectFormat)]: ['{}'] });
    let count = 1;
    for (const size of [1, 60, 86, 87, 88, 89, 100, 101, 400, 2000]) {
      const ids = Array.from({ length: size - count }, (_, i) => key(count + i, objectFormat));
      await append(repository, Object.fromEntries(ids.map((id) => [id, ['{}']])));
      const copies = ids.map((id) => `${key(0, objectFormat)} ${id}\n`).join('');
      repository.gitBytes(['notes', '--ref=git', 'copy', '--stdin'], copies);
      const trees = [TRACE_REF, 'refs/notes/git'].map((ref) => repository.git('rev-parse', `${ref}^{tree}`));
      expect(trees[0], `${size} notes`).toBe(trees[1]);
      count = size;
    }
    expect(repository.git('ls-tree', '--name-only', TRACE_REF).split('\n')[0]).toMatch(/^..$/);
    expect(repository.git('notes', '--ref=agent/trace', 'list').split('\n').length).toBe(2000);
    expect(repository.git('fsck', '--strict', '--no-dangling')).toBe('');
    const { notes } = await readAllNotes({ cwd: repository.dir }, [TRACE_REF]);
    expect(notes.size).toBe(2000);
  },
);

test('git and we take turns', async () => {
  const repository = repositoryFor();
  const many = Array.from({ length: 80 }, (_, n): [string, string[]] => [key(n), [`{"n":${n}}`]]);
  await append(repository, Object.fromEntries(many));
  for (let n = 80; n < 100; n += 2) {
    await append(repository, { [key(n)]: [`{"n":${n}}`] });
    repository.git('notes', '--ref=agent/trace', 'add', '-m', `{"n":${n + 1}}`, key(n + 1));
  }
  const ids = Array.from({ length: 100 }, (_, n) => key(n));
  const { notes } = await readNotes({ cwd: repository.dir }, [TRACE_REF], ids);
  expect(ids.map((id) => notes.get(id))).toEqual(ids.map((_, n) => [`{"n":${n}}`]));
});

test('what is there stays byte for byte: junk in notes, and entries that are no notes', async () => {
  const repository = repositoryFor();
  const junk = Buffer.from('\xff\0\r\n\n  \nno end', 'latin1');
  const blob = repository.gitBytes(['hash-object', '-w', '--stdin'], junk).toString().trim();
  const tree = repository.gitBytes(['mktree'], `100644 blob ${blob}\tREADME\n`).toString().trim();
  const entries = [
    `100644 blob ${blob}\tREADME`,
    `100755 blob ${blob}\t${key(1)}`,
    `100644 blob ${blob}\tab`,
    `040000 tree ${tree}\tdocs`,
    `120000 blob ${blob}\t${key(3)}x`,
  ].join('\n');
  const root = repository.gitBytes(['mktree'], `${entries}\n`).toString().trim();
  repository.git('update-ref', TRACE_REF, repository.git('commit-tree', '-m', 'odd', root));
  const ids = Array.from({ length: 300 }, (_, n) => key(n));
  await append(repository, Object.fromEntries(ids.map((id) => [id, ['{"new":1}']])));
  expect(note(repository, key(1))).toEqual(Buffer.concat([junk, Buffer.from('\n{"new":1}\n')]));
  const list = repository.git('ls-tree', '-r', TRACE_REF);
  for (const name of ['README', 'ab', 'docs/README', `${key(3)}x`]) expect(list).toContain(`${blob}\t${name}`);
  expect(list.split('\n').filter((line) => /\/.{38}$/.test(line)).length).toBeGreaterThan(290);
  expect(repository.git('notes', '--ref=agent/trace', 'list').split('\n').length).toBe(300);
  expect(repository.git('fsck', '--no-dangling')).toBe('');
});

test('a tree that is fanned out here and flat there', async () => {
  const repository = repositoryFor();
  const blob = (text: string) => repository.gitBytes(['hash-object', '-w', '--stdin'], text).toString().trim();
  const id = key(5);
  const deep = repository
    .gitBytes(['mktree'], `100644 blob ${blob('{"deep":1}\n')}\t${id.slice(2)}\n`)
    .toString()
    .trim();
  const both = `100644 blob ${blob('{"flat":1}\n')}\t${id}\n040000 tree ${deep}\t${id.slice(0, 2)}\n`;
  const root = repository.gitBytes(['mktree'], both).toString().trim();
  repository.git('update-ref', TRACE_REF, repository.git('commit-tree', '-m', 'mixed', root));
  expect(await append(repository, { [id]: ['{"deep":1}', '{"flat":1}'] })).toBe(0);
  const neighbour = `${id.slice(0, 2)}${key(6).slice(2)}`;
  expect(await append(repository, { [id]: ['{"new":1}'], [neighbour]: ['{"x":1}'], [key(7)]: ['{"y":1}'] })).toBe(3);
  const { notes } = await readNotes({ cwd: repository.dir }, [TRACE_REF], [id, neighbour, key(7)]);
  expect(notes.get(id)?.toSorted()).toEqual(['{"deep":1}', '{"flat":1}', '{"new":1}']);
  expect([notes.get(neighbour), notes.get(key(7))]).toEqual([['{"x":1}'], ['{"y":1}']]);
  expect(note(repository, key(7)).toString()).toBe('{"y":1}\n');
});

test('a person without a name, hostile settings, a bare repository', async () => {
  const repository = repositoryFor({ bare: true });
  for (const [name, value] of [
    ['core.notesRef', 'refs/notes/other'],
    ['notes.displayRef', 'none'],
    ['commit.gpgSign', 'true'],
    ['user.useConfigOnly', 'true'],
  ] as const) {
    repository.git('config', name, value);
  }
  const nobody = {
    GIT_AUTHOR_NAME: undefined,
    GIT_AUTHOR_EMAIL: undefined,
    GIT_COMMITTER_NAME: undefined,
    GIT_COMMITTER_EMAIL: undefined,
    EMAIL: undefined,
  };
  const found = await findRepository(repository.dir, nobody);
  expect(await appendNotes(found, TRACE_REF, new Map([[key(1), ['{}']]]))).toBe(1);
  expect(repository.git('log', '-1', '--format=%an', TRACE_REF)).toBe('unknown');
  expect((await readNotes(found.place, [TRACE_REF], [key(1)])).notes.get(key(1))).toEqual(['{}']);
  expect(repository.git('fsck', '--strict')).toBe('');
});

test('ids and lines that are none are refused before anything is written', async () => {
  const repository = repositoryFor();
  for (const id of ['HEAD', 'a'.repeat(39), 'A'.repeat(40), `${'a'.repeat(39)}/`, 'a'.repeat(64)]) {
    await expect(append(repository, { [id]: ['{}'] }), id).rejects.toMatchObject({ code: 'bug' });
  }
  await expect(append(repository, { [key(1)]: ['{}\n{}'] })).rejects.toMatchObject({ code: 'bug' });
  expect(repository.git('for-each-ref')).toBe('');
});

const program = makeProgram(`
import { createHash } from 'node:crypto';
import { findRepository } from 'src/git/repository.ts';
import { appendNotes } from 'src/notes/append.ts';
const [, , dir, name, times] = process.argv;
const repository = await findRepository(dir);
const key = (n) => createHash('sha1').update(String(n)).digest('hex');
// on a busy machine one of eight waits for longer than a person would: it is told so, has written nothing, and tries again
const tooLong = (error) => /is still writing/.test(error.message);
for (let n = 0; n < Number(times); ) {
  const lines = new Map([[key(n % 5), ['{"by":"' + name + '","n":' + n + '}']], [key(name + n), ['{}']]]);
  const done = await appendNotes(repository, 'refs/notes/agent/trace', lines).then(() => true, (error) => {
    if (!tooLong(error)) throw error;
  });
  if (done) n++;
}
`);
afterAll(() => program.remove());

test('200 appends by eight processes lose nothing, while somebody else moves the ref too', async () => {
  const repository = repositoryFor();
  const writers = Array.from({ length: 8 }, (_, i) => program.run(repository.dir, `p${i}`, '25'));
  for (let n = 0; n < 10; n++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const tip = repository.git('for-each-ref', '--format=%(objectname)', TRACE_REF);
    if (tip) moveAlong(repository, tip);
  }
  await Promise.all(writers);
  const shared = Array.from({ length: 5 }, (_, n) => key(n));
  const { notes } = await readNotes({ cwd: repository.dir }, [TRACE_REF], shared);
  expect([...notes.values()].flat().length).toBe(200);
  const all = await readAllNotes({ cwd: repository.dir }, [TRACE_REF]);
  expect(all.notes.size).toBe(205);
  expect(repository.git('fsck', '--no-dangling')).toBe('');
}, 300_000);

/** Puts an empty commit on top, as somebody does who does not know our lock, if nobody was faster. */
function moveAlong(repository: TestRepository, tip: string): void {
  const commit = repository.git('commit-tree', '-p', tip, '-m', 'elsewhere', `${tip}^{tree}`);
  try {
    repository.git('update-ref', TRACE_REF, commit, tip);
  } catch {
    // the writer was faster: that is the point
  }
}

test('a repository that cannot be written to: one clear sentence', async () => {
  const repository = repositoryFor();
  const found = await findRepository(repository.dir);
  const objects = path.join(repository.dir, '.git/objects');
  // a file where a folder must be stops even the user who may do everything
  fs.renameSync(objects, `${objects}.away`);
  fs.writeFileSync(objects, '');
  await expect(appendNotes(found, TRACE_REF, new Map([[key(1), ['{}']]]))).rejects.toMatchObject({ name: 'Fault' });
  fs.rmSync(objects);
  fs.renameSync(`${objects}.away`, objects);
  removeFolder(path.join(repository.dir, '.git/agent'));
  fs.writeFileSync(path.join(repository.dir, '.git/agent'), '');
  await expect(appendNotes(found, TRACE_REF, new Map([[key(1), ['{}']]]))).rejects.toThrow(
    /agent cannot be written to/,
  );
});

test.skipIf(process.getuid?.() !== 0)('read-only for this user: one clear sentence (needs root)', async () => {
  const repository = repositoryFor();
  const safe = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
  fs.chmodSync(repository.dir, 0o755);
  const found = await findRepository(repository.dir, safe);
  process.seteuid?.(65534);
  try {
    const tried = appendNotes(found, TRACE_REF, new Map([[key(1), ['{}']]]));
    await expect(tried).rejects.toThrow(/agent cannot be written to \(EACCES\)/);
    await expect(readNotes(found.place, [TRACE_REF], [key(1)])).resolves.toMatchObject({
      notes: new Map(),
      skipped: 0,
    });
  } finally {
    process.seteuid?.(0);
  }
});
