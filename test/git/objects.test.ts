import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type BatchAnswer, batchDecoder } from '../../src/git/batch.ts';
import { decodeCommit, readCommits } from '../../src/git/commits.ts';
import { hashBlob, openObjects, readObjects } from '../../src/git/objects.ts';
import { decodeTree, encodeTree, readHeadFiles } from '../../src/git/trees.ts';
import { makeFolder, makeRepository, openRepository } from '../support/repository.ts';

const repository = makeRepository();
const place = { cwd: repository.dir };
afterAll(() => repository.remove());

function decodeIn(pieces: readonly Buffer[], bodies = true): BatchAnswer[] {
  const answers: BatchAnswer[] = [];
  const decode = batchDecoder(bodies, (answer) => answers.push(answer));
  for (const piece of pieces) decode(piece);
  return answers;
}

test('the pieces in which the output comes make no difference', () => {
  const id = 'ab'.repeat(20);
  const bytes = Buffer.from(
    `${id} blob 3\na\nb\nno such thing missing\n${id} tree 0\n\n${id} blob 12\n${id.slice(0, 12)}\n`,
  );
  const whole = decodeIn([bytes]);
  expect(whole.map((answer) => answer && `${answer.type} ${answer.bytes}`)).toEqual([
    'blob a\nb',
    undefined,
    'tree ',
    `blob ${id.slice(0, 12)}`,
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 10 }), (cuts) => {
      const points = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const pieces = points.slice(1).map((end, i) => bytes.subarray(points[i], end));
      expect(decodeIn(pieces)).toEqual(whole);
    }),
  );
});

test('a name that looks like an answer is none', () => {
  const out = Buffer.from('aaaa blob 5 missing\nbbbb ambiguous\nabcd submodule\n');
  expect(decodeIn([out])).toEqual([undefined, undefined, undefined]);
});

test('objects by any name, each in one process; what is missing is undefined', async () => {
  const junk = Buffer.from([0, 255, 10, 13, 0]);
  repository.write('junk', junk);
  repository.write('empty', '');
  const commit = repository.commit();
  const names = ['HEAD:junk', 'HEAD:empty', commit, 'HEAD:none', '0'.repeat(40), 'no such name', 'HEAD:junk'];
  const objects = await readObjects(place, names);
  expect(objects.get('HEAD:junk')).toMatchObject({ type: 'blob', bytes: junk, id: hashBlob('sha1', junk) });
  expect(objects.get('HEAD:empty')?.bytes.length).toBe(0);
  expect(objects.get(commit)).toMatchObject({ type: 'commit', id: commit });
  for (const name of names.slice(3, 6)) expect([objects.has(name), objects.get(name)]).toEqual([true, undefined]);
  await expect(readObjects(place, ['a\nb'])).rejects.toMatchObject({ code: 'bug' });
});

test('objects above the limit are left unread', async () => {
  repository.write('small', 'x'.repeat(100));
  repository.write('large', 'x'.repeat(101));
  repository.commit();
  const objects = await readObjects(place, ['HEAD:small', 'HEAD:large', 'HEAD:none'], { maxBytes: 100 });
  expect([...objects.values()].map((object) => object?.bytes.length)).toEqual([100, undefined, undefined]);
});

test('git is stopped at what is too large, and what comes behind it is read all the same', async () => {
  const store = (bytes: Buffer) => repository.gitBytes(['hash-object', '-w', '--stdin'], bytes).toString().trim();
  const large = Array.from({ length: 5 }, (_, i) => store(Buffer.alloc((8 << 20) + i)));
  const small = Array.from({ length: 20 }, (_, i) => store(Buffer.from(`small ${i}`)));
  const reader = openObjects(place);
  const names = [...small.slice(0, 3), ...large.slice(0, 3), ...small.slice(3), ...large.slice(3), 'HEAD:none', 'HEAD'];
  const objects = await reader.read(names, { maxBytes: 1 << 20 });
  expect(large.map((id) => objects.get(id))).toEqual(large.map(() => undefined));
  expect(small.map((id) => String(objects.get(id)?.bytes))).toEqual(small.map((_, i) => `small ${i}`));
  expect([objects.get('HEAD:none'), objects.get('HEAD')?.type]).toEqual([undefined, 'commit']);
  // what asks next is not troubled
  expect((await reader.read(large.slice(0, 1))).get(large[0] ?? '')?.bytes.length).toBe(8 << 20);
  reader.close();
});

test('one process answers in rounds, also to two who ask at once', async () => {
  const reader = openObjects(place);
  const [a, b] = await Promise.all([reader.read(['HEAD^{tree}']), reader.read(['HEAD:small', 'HEAD:none'])]);
  expect([a.size, b.size]).toEqual([1, 2]);
  expect(b.get('HEAD:small')?.bytes.length).toBe(100);
  expect((await reader.read(['HEAD'])).get('HEAD')?.type).toBe('commit');
  reader.close();
});

test('many and large objects', async () => {
  const ids = repository
    .gitBytes(['hash-object', '-w', '--stdin'], Buffer.alloc(5 << 20, 'line\n'))
    .toString()
    .trim();
  const all = await readObjects(place, [ids, ...Array.from({ length: 3000 }, (_, i) => `HEAD~${i + 5}`)]);
  expect(all.size).toBe(3001);
  expect(hashBlob('sha1', all.get(ids)?.bytes ?? Buffer.alloc(0))).toBe(ids);
});

test('outside a repository git fails in its own words', async () => {
  const dir = makeFolder('none');
  const nowhere = { cwd: dir, env: { GIT_CEILING_DIRECTORIES: dir.replace(/[^/]+$/, '') } };
  await expect(readObjects(nowhere, ['HEAD'])).rejects.toMatchObject({ code: 'git' });
});

test('a partial clone: nothing is fetched, and what is here is found', async () => {
  const source = makeRepository();
  source.write('a', 'first\n');
  source.commit();
  source.write('a', 'second\n');
  source.commit();
  source.git('config', 'uploadpack.allowFilter', 'true');
  const clone = openRepository(makeFolder('clone'));
  clone.git('clone', '-q', '--filter=blob:none', '--no-checkout', `file://${source.dir}`, '.');
  const wanted = ['HEAD:a', 'HEAD~1:a', 'HEAD', 'HEAD^{tree}'];
  const objects = await readObjects({ cwd: clone.dir }, wanted);
  expect(wanted.map((name) => objects.get(name)?.type)).toEqual([undefined, undefined, 'commit', 'tree']);
  const limited = await readObjects({ cwd: clone.dir }, wanted, { maxBytes: 1000 });
  expect(wanted.map((name) => limited.get(name)?.type)).toEqual([undefined, undefined, 'commit', 'tree']);
  expect(clone.git('rev-list', '--objects', '--missing=print', 'HEAD').match(/^\?/gm)?.length).toBe(2);
  source.remove();
  clone.remove();
});

test('sha256 ids', async () => {
  const wide = makeRepository({ objectFormat: 'sha256' });
  wide.write('a/b', 'text\n');
  const commit = wide.commit();
  const [read] = (await readCommits({ cwd: wide.dir }, [commit])).values();
  expect(read?.id).toBe(commit);
  expect(await readHeadFiles({ cwd: wide.dir }, 'HEAD', ['a/b'])).toEqual(
    new Map([['a/b', { mode: '100644', blob: hashBlob('sha256', Buffer.from('text\n')) }]]),
  );
  wide.remove();
});

test('commits as they are written', async () => {
  const first = repository.git('rev-parse', 'HEAD');
  const second = repository.commit('subject\n\nbody é\n');
  const commits = await readCommits(place, [first, second, '0'.repeat(40), `${second}^{tree}`]);
  expect([...commits.keys()]).toEqual([first, second]);
  expect(commits.get(second)).toMatchObject({
    parents: [first],
    tree: repository.git('rev-parse', 'HEAD^{tree}'),
    author: { name: 'Ada', mail: 'ada@example.com', zone: '+0000' },
    message: 'subject\n\nbody é\n',
  });
  expect(commits.get(second)?.author.time).toBe(Number(repository.git('log', '-1', '--format=%at')));
});

test('headers of several lines, change ids, encodings, odd people', () => {
  const id = 'c'.repeat(40);
  const read = (text: string) => decodeCommit({ id, bytes: Buffer.from(text, 'latin1') });
  const jj = read(
    'tree 1\nauthor A <a> 5 +0100\ncommitter B <b> -6 -0230\njj:trees 1 2\n 3\nchange-id klmn\ngpgsig -----\n \n x\n\nm\n\nn',
  );
  expect(jj).toMatchObject({
    changeId: 'klmn',
    parents: [],
    message: 'm\n\nn',
    committer: { time: -6, zone: '-0230' },
  });
  expect(jj.headers).toContainEqual(['jj:trees', '1 2\n3']);
  expect(jj.headers).toContainEqual(['gpgsig', '-----\n\nx']);
  expect(read('author \xe9 <a> 5 +0100\nencoding ISO-8859-1\n\n\xe9').message).toBe('é');
  expect(read('author \xe9 <a> 5 +0100\nencoding ISO-8859-1\n\n\xe9').author.name).toBe('é');
  expect(read('author \xe9 <a>\nencoding none-such\n\n\xe9').message).toBe('\xe9');
  expect(read('author <>\n').author).toEqual({ name: '', mail: '', time: 0, zone: '+0000' });
  expect(read('author a > <b <c>> 7 +0000\n').author).toMatchObject({ time: 7 });
  expect(read('').message).toBe('');
});

test('trees: writing what was read changes nothing', async () => {
  for (const file of ['a', 'a.b', 'a0', 'b/c', 'b.c', 'b0', 'é']) repository.write(`sorted/${file}`, file);
  repository.git('add', 'sorted');
  repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sorted/module`);
  repository.git('commit', '-q', '-m', 'tree');
  const [object] = (await readObjects(place, ['HEAD:sorted'])).values();
  const tree = decodeTree(object?.bytes ?? Buffer.alloc(0), 20);
  expect(tree.size).toBe(8);
  const shuffled = new Map([...tree].reverse());
  expect(encodeTree(shuffled)).toEqual(object?.bytes);
  expect(decodeTree(Buffer.from('100644 a\0short'), 20).size).toBe(0);
});

test('files of a revision by their exact path', async () => {
  const odd = Buffer.from('sorted/\xff\n"', 'latin1');
  const blob = repository.gitBytes(['hash-object', '-w', '--stdin'], 'odd').toString().trim();
  repository.gitBytes(
    ['update-index', '-z', '--index-info'],
    Buffer.concat([Buffer.from(`100755 ${blob}\t`), odd, Buffer.of(0)]),
  );
  repository.git('update-index', '--add', '--cacheinfo', `120000,${blob},link`);
  repository.git('commit', '-q', '-m', 'odd');
  const paths = [
    'sorted/b/c',
    'sorted/*',
    'sorted',
    'sorted/b',
    'junk',
    'junk/x',
    'link',
    'sorted/module',
    '"sorted/\\377\\012\\""',
    '',
  ];
  const files = await readHeadFiles(place, 'HEAD', paths);
  const found = [...files].filter(([, file]) => file).map(([path, file]) => `${path} ${file?.mode}`);
  expect(found).toEqual(['sorted/b/c 100644', 'junk 100644', '"sorted/\\377\\012\\"" 100755']);
  expect(files.size).toBe(paths.length);
  expect([...(await readHeadFiles(place, 'no-such-revision', ['a'])).values()]).toEqual([undefined]);
});
