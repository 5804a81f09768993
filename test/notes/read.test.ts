import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { findRepository } from '../../src/git/repository.ts';
import { appendNotes } from '../../src/notes/append.ts';
import { appendLines, noteLines } from '../../src/notes/lines.ts';
import { readNotes } from '../../src/notes/read.ts';
import { LOG_REF, readNoteRefs, TRACE_REF } from '../../src/notes/refs.ts';
import { makeFolder, makeRepository, openRepository, type TestRepository } from '../support/repository.ts';

const made: TestRepository[] = [];
afterEach(() => {
  for (const repository of made.splice(0)) repository.remove();
});

function keep(repository: TestRepository): TestRepository {
  made.push(repository);
  return repository;
}

const key = (n: number) => createHash('sha1').update(String(n)).digest('hex');

function add(repository: TestRepository, ref: string, id: string, bytes: string | Buffer): void {
  const blob = repository.gitBytes(['hash-object', '-w', '--stdin'], bytes).toString().trim();
  repository.git('notes', `--ref=${ref}`, 'add', '-f', '-C', blob, id);
}

test('ours first, then those of remotes, whatever the remotes are called', async () => {
  const repository = keep(makeRepository());
  expect(await readNoteRefs({ cwd: repository.dir })).toEqual({ trace: [], log: [], seal: [], replaced: false });
  const theirs = ['refs/notes/origin/agent/trace', 'refs/notes/a/b/agent/trace', 'refs/notes/origin/agent/log'];
  for (const ref of [...theirs, TRACE_REF, 'refs/notes/commits', 'refs/notes/agent/tracer'])
    add(repository, ref, key(1), 'x\n');
  expect(await readNoteRefs({ cwd: repository.dir })).toEqual({
    trace: [TRACE_REF, 'refs/notes/a/b/agent/trace', 'refs/notes/origin/agent/trace'],
    log: ['refs/notes/origin/agent/log'],
    seal: [],
    replaced: false,
  });
  repository.git('update-ref', 'refs/replace/x/agent/seal', TRACE_REF);
  expect(await readNoteRefs({ cwd: repository.dir })).toMatchObject({ seal: [], replaced: true });
  expect(LOG_REF).toBe('refs/notes/agent/log');
});

test('the union over all refs; commits that do not exist; no notes at all', async () => {
  const repository = keep(makeRepository());
  const place = { cwd: repository.dir };
  const commit = repository.commit();
  const refs = [TRACE_REF, 'refs/notes/origin/agent/trace', 'refs/notes/none/agent/trace'];
  expect(await readNotes(place, refs, [commit])).toEqual({ notes: new Map(), skipped: 0, unread: refs });
  add(repository, refs[0] ?? '', commit, '{"a":1}\n\n{"b":1}\n');
  add(repository, refs[1] ?? '', commit, '{"b":1}\n{"c":1}\n\n\n{"a":1}');
  add(repository, refs[1] ?? '', key(1), '{"gone":"é"}\r\n');
  add(repository, refs[1] ?? '', key(2), '\n \n');
  repository.git('config', 'notes.displayRef', 'refs/notes/commits');
  repository.git('config', 'i18n.logOutputEncoding', 'ISO-8859-1');
  const { notes, skipped } = await readNotes(place, refs, [commit, key(1), key(2), key(3), commit, 'no id']);
  expect([...notes]).toEqual([
    [commit, ['{"a":1}', '{"b":1}', '{"c":1}']],
    [key(1), ['{"gone":"é"}\r']],
  ]);
  expect(skipped).toBe(0);
  expect(JSON.parse(notes.get(key(1))?.[0] ?? '')).toEqual({ gone: 'é' });
});

test('a note with a NUL or with bytes that are no UTF-8 does not hide its other lines', async () => {
  const repository = keep(makeRepository());
  add(repository, TRACE_REF, key(1), Buffer.from('\xff\0\n{"a":1}\n\xfe\n', 'latin1'));
  const { notes } = await readNotes({ cwd: repository.dir }, [TRACE_REF], [key(1)]);
  expect(notes.get(key(1))).toEqual(['\ufffd\0', '{"a":1}', '\ufffd']);
});

test('a note of more than 32 MiB is skipped and counted', async () => {
  const repository = keep(makeRepository());
  add(repository, TRACE_REF, key(1), Buffer.alloc((32 << 20) + 1, 'x'));
  add(repository, TRACE_REF, key(2), '{}\n');
  const { notes, skipped } = await readNotes({ cwd: repository.dir }, [TRACE_REF], [key(1), key(2)]);
  expect([[...notes.keys()], skipped]).toEqual([[key(2)], 1]);
});

test('a ref that is no tree of notes has none, and one that cannot be read is named', async () => {
  const repository = keep(makeRepository());
  const blob = repository.gitBytes(['hash-object', '-w', '--stdin'], 'x').toString().trim();
  repository.git('update-ref', 'refs/notes/blob', blob);
  repository.write('a/b', 'x');
  repository.git('update-ref', 'refs/notes/other', repository.commit());
  const read = await readNotes({ cwd: repository.dir }, ['refs/notes/blob', 'refs/notes/other'], [key(1)]);
  expect(read).toEqual({ notes: new Map(), skipped: 0, unread: ['refs/notes/blob'] });
});

test('a partial clone: what was not fetched is counted, and nothing is fetched', async () => {
  const source = keep(makeRepository());
  source.git('config', 'uploadpack.allowFilter', 'true');
  const commit = source.commit();
  const repository = await findRepository(source.dir);
  const additions = Array.from({ length: 120 }, (_, n): [string, string[]] => [key(n), [`{"n":${n}}`]]);
  await appendNotes(repository, TRACE_REF, new Map([[commit, ['{}']], ...additions]));
  const clone = keep(openRepository(makeFolder('clone')));
  clone.git('clone', '-q', '--filter=blob:none', `file://${source.dir}`, '.');
  clone.git('fetch', '-q', 'origin', '+refs/notes/agent/*:refs/notes/origin/agent/*');
  add(clone, TRACE_REF, key(1), '{"own":1}\n');
  const { trace } = await readNoteRefs({ cwd: clone.dir });
  const { notes, skipped } = await readNotes({ cwd: clone.dir }, trace, [commit, key(1), key(2)]);
  expect([[...notes], skipped]).toEqual([[[key(1), ['{"own":1}']]], 3]);
  expect(clone.git('rev-list', '--objects', '--missing=print', '--all').match(/^\?/gm)?.length).toBe(121);
  const found = await findRepository(clone.dir);
  const tried = appendNotes(found, 'refs/notes/origin/agent/trace', new Map([[key(2), ['{}']]]));
  await expect(tried).rejects.toThrow(/is not here/);
});

const line = fc.string({ unit: fc.constantFrom('a', 'b', '{', ' ', 'é', '\r'), maxLength: 3 });
const lines = fc.array(line, { maxLength: 6 });
const asSet = (bytes: Buffer) => new Set(noteLines(bytes));

test('law: adding is a union; it commutes, and twice is once', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), lines, lines, (start, a, b) => {
      const bytes = Buffer.from(start);
      const put = (to: Buffer, some: string[]) => appendLines(to, some) ?? to;
      const ab = put(put(bytes, a), b);
      expect(asSet(ab)).toEqual(asSet(put(put(bytes, b), a)));
      expect(appendLines(ab, [...a, ...b])).toBeUndefined();
      expect(ab.subarray(0, bytes.length)).toEqual(bytes);
    }),
  );
});
