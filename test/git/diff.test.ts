import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type CommitPlaces, diffTrees, type FileDiff, readDiffs, readPlaces } from '../../src/git/diff.ts';
import { hashBlob } from '../../src/git/objects.ts';
import { makeFolder, makeRepository, openRepository, type TestRepository } from '../support/repository.ts';

const made: TestRepository[] = [];
afterEach(() => {
  for (const repository of made.splice(0)) repository.remove();
});

function repositoryFor(...args: Parameters<typeof makeRepository>): TestRepository {
  const repository = makeRepository(...args);
  made.push(repository);
  return repository;
}

async function filesOf({ dir }: TestRepository, commit: string): Promise<readonly FileDiff[]> {
  const diffs = await readDiffs({ cwd: dir }, [commit]);
  const diff = diffs.get(commit);
  if (!diff) throw new Error('no diff');
  return diff.files;
}

async function placesOf({ dir }: TestRepository, commit: string) {
  const found: CommitPlaces[] = [];
  for await (const some of readPlaces({ cwd: dir }, [commit])) found.push(...some);
  return found.flatMap(({ files }) => files.map(({ added }) => added));
}

/** `path status: +start lines / -start lines`, for tables. */
function told(files: readonly FileDiff[]): string[] {
  return files.map(({ path: name, status, added, removed }) => {
    const blocks = (sign: string, list: FileDiff['added']) =>
      list.map(({ start, lines }) => ` ${sign}${start} ${lines.join('|')}`);
    return `${name} ${status}:${[...blocks('+', added), ...blocks('-', removed)].join('')}`;
  });
}

test('root, change, empty commit, and a commit that is not here, in one go', async () => {
  const repository = repositoryFor();
  repository.write('a', '1\n2\n3\n4\n5\n');
  const root = repository.commit();
  repository.write('a', '0\n1\n2\nthree\n4\n');
  const change = repository.commit();
  const empty = repository.commit();
  const diffs = await readDiffs({ cwd: repository.dir }, [empty, '1'.repeat(40), change, root]);
  expect([...diffs.keys()]).toEqual([empty, change, root]);
  expect(told(diffs.get(root)?.files ?? [])).toEqual(['a A: +1 1|2|3|4|5']);
  expect(told(diffs.get(change)?.files ?? [])).toEqual(['a M: +1 0 +4 three -3 3 -5 5']);
  expect(diffs.get(empty)).toEqual({ id: empty, parents: [change], files: [] });
  expect(diffs.get(root)?.parents).toEqual([]);
  const [file] = diffs.get(change)?.files ?? [];
  expect(file).toMatchObject({ oldMode: '100644', newMode: '100644', binary: false });
  expect(file?.newBlob).toBe(hashBlob('sha1', Buffer.from('0\n1\n2\nthree\n4\n')));
  expect(file?.oldBlob).toBe(hashBlob('sha1', Buffer.from('1\n2\n3\n4\n5\n')));
});

test('endings, bytes and lines that look like a patch', async () => {
  const repository = repositoryFor();
  const lines = [
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
    '=',
    '+',
    '-',
    '\\ No newline at end of file',
    '',
    '\f',
    'commit 1',
    ':100644',
  ];
  repository.write('patch', lines.map((line) => `${line}\n`).join(''));
  repository.write('crlf', 'a\r\nb\rc\r\n\r\n');
  repository.write('latin1', Buffer.from('\xe9\xff\n', 'latin1'));
  repository.write('open', 'no end');
  repository.write('z', 'last\n');
  expect(told(await filesOf(repository, repository.commit()))).toEqual([
    'crlf A: +1 a|b\rc|',
    'latin1 A: +1 \xe9\xff',
    'open A: +1 no end',
    `patch A: +1 ${lines.join('|')}`,
    'z A: +1 last',
  ]);
  repository.write('open', 'no end\n');
  repository.write(
    'patch',
    lines
      .reverse()
      .map((line) => `${line}\n`)
      .join(''),
  );
  const [open, patch] = await filesOf(repository, repository.commit());
  expect(told(open ? [open] : [])).toEqual(['open M: +1 no end -1 no end']);
  expect(patch?.added.reduce((sum, block) => sum + block.lines.length, 0)).toBeGreaterThan(5);
});

test('renames, modes, links, modules, binary files and changes of type', async () => {
  const repository = repositoryFor();
  const text = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('');
  repository.write('old name', text);
  repository.write('mode', 'x\n');
  repository.write('bin', Buffer.from([0, 1, 2]));
  repository.write('twin1', 'same\n');
  repository.write('becomes-file', '');
  fs.rmSync(path.join(repository.dir, 'becomes-file'));
  fs.symlinkSync('mode', path.join(repository.dir, 'becomes-file'));
  fs.symlinkSync('mode', path.join(repository.dir, 'link'));
  repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
  fs.mkdirSync(path.join(repository.dir, 'module'));
  const root = await filesOf(repository, repository.commit());
  expect(root.filter(({ added }) => added.length > 0).map((file) => file.path)).toEqual(['mode', 'old name', 'twin1']);
  expect(root.find((file) => file.path === 'bin')).toMatchObject({ binary: true, added: [] });

  repository.git('mv', 'old name', 'new\tname');
  repository.write('new\tname', text.replace('line 7\n', 'line seven\n'));
  fs.chmodSync(path.join(repository.dir, 'mode'), 0o755);
  repository.write('bin', Buffer.from([0, 9]));
  fs.rmSync(path.join(repository.dir, 'becomes-file'));
  repository.write('becomes-file', 'now text\n');
  repository.write('twin2', 'same again\n');
  repository.write('twin3', 'same again\n');
  fs.rmSync(path.join(repository.dir, 'twin1'));
  fs.symlinkSync('mode', path.join(repository.dir, 'twin1'));
  const files = await filesOf(repository, repository.commit());
  expect(told(files)).toEqual([
    'becomes-file T: +1 now text',
    'bin M:',
    'mode M:',
    'new\tname R: +8 line seven -8 line 7',
    'twin1 T: -1 same',
    'twin2 A: +1 same again',
    'twin3 A: +1 same again',
  ]);
  expect(files[3]).toMatchObject({ oldPath: 'old name', status: 'R' });
  expect(files[2]).toMatchObject({ oldMode: '100644', newMode: '100755' });

  repository.git('rm', '-q', '-r', '--cached', 'new\tname', 'module', 'bin');
  repository.git('commit', '-q', '-m', 'gone');
  const gone = await filesOf(repository, repository.git('rev-parse', 'HEAD'));
  expect(gone.map(({ path: name, status, removed }) => `${name} ${status} ${removed[0]?.lines.length ?? 0}`)).toEqual([
    'bin D 0',
    'module D 0',
    'new\tname D 20',
  ]);
  expect(gone[2]).toMatchObject({ newBlob: null, newMode: '000000' });
});

test('a merge has only the lines that come from no parent', async () => {
  const repository = repositoryFor();
  repository.write('f', 'a\nb\nc\nd\n');
  repository.write('same', 'x\n');
  repository.commit();
  repository.git('checkout', '-q', '-b', 'side');
  repository.write('f', 'a\nside\nc\nd\n');
  repository.write('from side', 'theirs\n');
  repository.commit();
  repository.git('checkout', '-q', 'main');
  repository.write('f', 'a\nmain\nc\nd\n');
  const first = repository.commit();
  expect(() => repository.git('merge', '-q', 'side')).toThrow();
  repository.write('f', 'a\nmain\nside\nnew\nd\n');
  repository.write('evil', 'by hand\n');
  const merge = repository.commit();
  const [diff] = (await readDiffs({ cwd: repository.dir }, [merge])).values();
  expect(told(diff?.files ?? [])).toEqual(['evil A: +1 by hand', 'f M: +4 new']);
  expect(diff?.parents).toEqual([first, repository.git('rev-parse', 'side')]);
  expect(diff?.files[1]?.oldBlob).toBe(repository.git('rev-parse', `${first}:f`));

  repository.git('checkout', '-q', '-b', 'third');
  repository.write('third', '3\n');
  repository.commit();
  repository.git('checkout', '-q', 'main');
  repository.write('f', 'a\nmain\nside\nnewer\nd\n');
  repository.commit();
  repository.git('merge', '-q', 'third');
  expect(await filesOf(repository, repository.git('rev-parse', 'HEAD'))).toEqual([]);
});

test('a merge that takes lines away at the end of a file: git counts them wrong there', async () => {
  const repository = repositoryFor();
  repository.write('f', 'a\nb\nc\nd\n');
  const base = repository.commit();
  repository.write('f', 'a\nmain\nc\nd\n');
  const first = repository.commit();
  repository.git('checkout', '-q', '--detach', base);
  repository.write('f', 'a\nside\nc\nd\n');
  const second = repository.commit();
  const merges = ['a\n', 'a\nnew\n', 'a\nnew\nnewer\n', ''].map((text) => {
    repository.write('f', text);
    repository.git('add', '-A');
    return repository.git('commit-tree', '-p', first, '-p', second, '-m', 'merge', repository.git('write-tree'));
  });
  const diffs = await readDiffs({ cwd: repository.dir }, [...merges, base]);
  expect([...diffs.values()].map(({ files }) => told(files))).toEqual([
    ['f M: -3 c|d'],
    ['f M: +2 new -3 c|d'],
    ['f M: +2 new|newer -3 c|d'],
    ['f M: -1 a -3 c|d'],
    ['f A: +1 a|b|c|d'],
  ]);
});

test('an octopus', async () => {
  const repository = repositoryFor();
  repository.write('f', 'base\n');
  const base = repository.commit();
  const sides = ['x', 'y', 'z'].map((name) => {
    repository.git('checkout', '-q', '--detach', base);
    repository.write(name, `${name}\n`);
    return repository.commit();
  });
  repository.write('f', 'nobody\nbase\n');
  for (const name of ['x', 'y']) repository.write(name, `${name}\n`);
  repository.git('add', '-A');
  const parents = sides.flatMap((side) => ['-p', side]);
  const merge = repository.git('commit-tree', ...parents, '-m', 'octopus', repository.git('write-tree'));
  expect(told(await filesOf(repository, merge))).toEqual(['f M: +1 nobody']);
});

test('an octopus of so many parents that git shows wrong lines, or none', async () => {
  const repository = repositoryFor();
  repository.write('f', 'base\n');
  const base = repository.commit();
  repository.write('f', 'known\nbase\n');
  repository.git('add', '-A');
  const known = repository.git('write-tree');
  repository.write('f', 'known\nbase\nnobody\n');
  repository.write('new', 'one\ntwo\n');
  repository.git('add', '-A');
  const tree = repository.git('write-tree');
  const parents = Array.from({ length: 70 }, (_, n) =>
    repository.git('commit-tree', '-p', base, '-m', `${n}`, n === 3 ? known : `${base}^{tree}`),
  );
  for (const count of [23, 24, 25, 31, 32, 61, 62, 63, 64, 65, 70]) {
    const some = parents.slice(0, count).flatMap((parent) => ['-p', parent]);
    const merge = repository.git('commit-tree', ...some, '-m', 'octopus', tree);
    expect([count, ...told(await filesOf(repository, merge))]).toEqual([count, 'f M: +3 nobody', 'new A: +1 one|two']);
    const places = await placesOf(repository, merge);
    expect([count, places]).toEqual([count, [[{ start: 3, end: 3 }], [{ start: 1, end: 2 }]]]);
  }
});

test("no setting of the user's makes a difference", async () => {
  const repository = repositoryFor();
  repository.write('dir/a', '1\n\n2\n3\n4\n5\n6\n7\n8\n9\n');
  repository.write('dir/ü', 'x\n');
  repository.commit();
  repository.git('mv', 'dir/a', 'dir/b');
  repository.write('dir/b', '1\n\ntwo\n3\n4\n5\n6\nseven\n8\n9\n');
  repository.write('dir/ü', 'y\n');
  repository.write('.gitattributes', '* diff=odd\n');
  const commit = repository.commit();
  const cwd = path.join(repository.dir, 'dir');
  const plain = [...(await readDiffs({ cwd: repository.dir }, [commit])).values()];
  expect(told(plain[0]?.files ?? [])).toContain('dir/b R: +3 two +8 seven -3 2 -8 7');
  const hostile = {
    'diff.noprefix': 'true', 'diff.mnemonicPrefix': 'true', 'diff.external': 'false', 'color.ui': 'always', 'diff.relative': 'true',
    'diff.renames': 'false', 'diff.orderFile': 'order', 'diff.algorithm': 'patience', 'diff.odd.textconv': 'false',
    'diff.odd.command': 'false', 'diff.submodule': 'log', 'diff.ignoreSubmodules': 'all', 'diff.suppressBlankEmpty': 'true',
    'diff.interHunkContext': '9', 'diff.context': '5', 'core.quotePath': 'false', 'core.abbrev': '4', 'diff.renameLimit': '1',
    'diff.indentHeuristic': 'false', 'diff.colorMoved': 'zebra', 'log.showSignature': 'true', 'diff.wordRegex': '.',
  }; // biome-ignore format: a table
  for (const [key, value] of Object.entries(hostile)) repository.git('config', key, value);
  const env = { GIT_EXTERNAL_DIFF: 'false', GIT_DIFF_OPTS: '--unified=3' };
  expect([...(await readDiffs({ cwd, env }, [commit])).values()]).toEqual(plain);
});

test('paths with any byte', async () => {
  const repository = repositoryFor();
  const blob = repository.gitBytes(['hash-object', '-w', '--stdin'], 'x\n').toString().trim();
  const names = ['a\nb', '"q"', 'tab\t', '\xff', 'b c', ':(top)x', '-x', '*'];
  const index = names.map((name) => Buffer.from(`100644 ${blob}\t${name}\0`, 'latin1'));
  repository.gitBytes(['update-index', '-z', '--index-info'], Buffer.concat(index));
  repository.git('commit', '-q', '-m', 'odd');
  const files = await filesOf(repository, repository.git('rev-parse', 'HEAD'));
  expect(files.map((file) => file.path).sort()).toEqual(
    ['a\nb', '"\\"q\\""', 'tab\t', '"\\377"', 'b c', ':(top)x', '-x', '*'].sort(),
  );
  for (const file of files) expect(told([file])[0]).toMatch(/ A: \+1 x$/);
});

test('sha256', async () => {
  const repository = repositoryFor({ objectFormat: 'sha256' });
  repository.write('a', '1\n');
  const commit = repository.commit();
  const [file] = await filesOf(repository, commit);
  expect(file?.newBlob).toBe(hashBlob('sha256', Buffer.from('1\n')));
});

test('a shallow clone ends without parents; a partial one leaves out what it lacks', async () => {
  const source = repositoryFor();
  source.git('config', 'uploadpack.allowFilter', 'true');
  source.write('a', '1\n');
  source.commit();
  source.write('a', '1\n2\n');
  const second = source.commit();
  const empty = source.commit();
  const shallow = openRepository(makeFolder('clone'));
  const partial = openRepository(makeFolder('clone'));
  made.push(shallow, partial);
  shallow.git('clone', '-q', '--depth=2', `file://${source.dir}`, '.');
  partial.git('clone', '-q', '--filter=blob:none', '--no-checkout', `file://${source.dir}`, '.');
  const cut = (await readDiffs({ cwd: shallow.dir }, [second])).get(second);
  expect(cut?.parents).toEqual([]);
  const found = await readDiffs({ cwd: partial.dir }, [second, empty, source.git('rev-parse', 'HEAD~2')]);
  expect([...found.keys()]).toEqual([empty]);
  const trees = ['HEAD~2^{tree}', 'HEAD^{tree}'].map((name) => partial.git('rev-parse', name));
  const [pair] = await diffTrees({ cwd: partial.dir }, [[trees[0] ?? '', trees[1] ?? '']]);
  expect(pair?.map((entry) => entry.path)).toEqual(['a']);
});

test('pairs of trees: regular files alone', async () => {
  const repository = repositoryFor();
  repository.write('a', '1\n');
  repository.write('sub/b', '2\n');
  fs.symlinkSync('a', path.join(repository.dir, 'link'));
  repository.commit();
  const before = repository.git('rev-parse', 'HEAD^{tree}');
  repository.git('mv', 'a', 'c');
  repository.write('sub/b', '3\n');
  fs.rmSync(path.join(repository.dir, 'link'));
  repository.commit();
  const after = repository.git('rev-parse', 'HEAD^{tree}');
  const missing = '2'.repeat(40);
  const answers = await diffTrees({ cwd: repository.dir }, [
    [before, after],
    [before, before],
    [missing, after],
    [after, before],
  ]);
  const short = answers.map((entries) => entries?.map(({ status, path: name }) => `${status} ${name}`));
  expect(short).toEqual([['D a', 'A c', 'M sub/b'], [], undefined, ['A a', 'D c', 'M sub/b']]);
  expect(answers[0]?.[2]).toEqual({
    path: 'sub/b',
    status: 'M',
    oldBlob: hashBlob('sha1', Buffer.from('2\n')),
    newBlob: hashBlob('sha1', Buffer.from('3\n')),
    oldMode: '100644',
    newMode: '100644',
  });
});

test('a file of a million lines', async () => {
  const repository = repositoryFor();
  repository.write('big', 'a line\n'.repeat(1_000_000));
  const [file] = await filesOf(repository, repository.commit());
  expect(file?.added.map(({ start, lines }) => [start, lines.length])).toEqual([[1, 1_000_000]]);
});

test('contents that look like the end of an answer end none, however the output is cut', async () => {
  const repository = repositoryFor();
  const commits = ['=', '\n=', '= '].map((line) => {
    repository.write('ends', `${line}\n`.repeat(50_000));
    return repository.commit();
  });
  const missing = '1'.repeat(40);
  const asked = [missing, ...commits, missing];
  const places: CommitPlaces[] = [];
  for await (const some of readPlaces({ cwd: repository.dir }, asked)) places.push(...some);
  const diffs = [...(await readDiffs({ cwd: repository.dir }, asked)).values()];
  expect(places.map(({ id }) => id)).toEqual(commits);
  const lengths = ({ files }: (typeof diffs)[number]) =>
    files.flatMap(({ added }) => added.map(({ start, lines }) => ({ start, end: start + lines.length - 1 })));
  expect(places.map(({ files }) => files.flatMap(({ added }) => added))).toEqual(diffs.map(lengths));
});
