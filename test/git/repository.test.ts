import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { atLeast, findRepository, gitVersion, repositoryName } from '../../src/git/repository.ts';
import { listWorktrees, parseWorktrees } from '../../src/git/worktrees.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, makeRepository, openRepository, type RepositoryOptions } from '../support/repository.ts';

const made: { remove(): void }[] = [];
afterEach(() => {
  for (const thing of made.splice(0)) thing.remove();
});

function repositoryFor(options?: RepositoryOptions) {
  const repository = makeRepository(options);
  made.push(repository);
  return repository;
}

function folderFor(name: string): string {
  const dir = makeFolder(name);
  made.push({ remove: () => removeFolder(dir) });
  return dir;
}

test('the main work tree, from a folder below the top', async () => {
  const { dir, write } = repositoryFor();
  write('sub/é/a', '');
  const found = await findRepository(path.join(dir, 'sub', 'é'));
  expect(found).toMatchObject({ worktree: dir, prefix: 'sub/é/', worktreeName: '', bare: false, objectFormat: 'sha1' });
  expect(found.gitDir).toBe(path.join(dir, '.git'));
  expect(found.commonDir).toBe(path.join(dir, '.git'));
});

test('a bare repository, and the inside of a git dir, have no work tree', async () => {
  const { dir } = repositoryFor({ bare: true, objectFormat: 'sha256' });
  expect(await findRepository(dir)).toMatchObject({ worktree: null, bare: true, gitDir: dir, objectFormat: 'sha256' });
  const inside = path.join(repositoryFor().dir, '.git');
  expect(await findRepository(inside)).toMatchObject({ worktree: null, bare: false, gitDir: inside });
});

test('linked work trees keep their name, wherever they are', async () => {
  const main = repositoryFor();
  const first = main.commit();
  const folder = folderFor('linked');
  main.git('worktree', 'add', '-q', '--detach', path.join(folder, 'two words'));
  main.git('worktree', 'add', '-q', '-b', 'side', path.join(folder, 'b'));
  const found = await findRepository(path.join(folder, 'two words'));
  expect(found).toMatchObject({ worktree: path.join(folder, 'two words'), worktreeName: 'two-words', prefix: '' });
  expect(found.commonDir).toBe(path.join(main.dir, '.git'));
  expect(found.gitDir).toBe(path.join(main.dir, '.git/worktrees/two-words'));
  main.git('worktree', 'move', path.join(folder, 'b'), path.join(folder, 'moved'));
  expect(await listWorktrees(found.place)).toEqual([
    { path: main.dir, name: '', head: first, branch: 'refs/heads/main', bare: false },
    { path: path.join(folder, 'moved'), name: 'b', head: first, branch: 'refs/heads/side', bare: false },
    { path: path.join(folder, 'two words'), name: 'two-words', head: first, bare: false },
  ]);
});

test('work trees of a bare repository, and before the first commit', async () => {
  const bare = repositoryFor({ bare: true });
  expect(await listWorktrees({ cwd: bare.dir })).toEqual([{ path: bare.dir, name: '', head: null, bare: true }]);
  const fresh = repositoryFor();
  expect((await listWorktrees({ cwd: fresh.dir }))[0]).toMatchObject({ head: null, branch: 'refs/heads/main' });
});

test('fields of work trees that are not known are skipped', () => {
  const out = 'worktree /a b\nHEAD 12\ndetached\nlocked because\nprunable gone\n\n';
  expect(parseWorktrees(out)).toEqual([{ path: '/a b', head: '12', bare: false }]);
});

test('a submodule is a repository of its own', async () => {
  const inner = repositoryFor();
  inner.commit();
  const outer = repositoryFor();
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'sub');
  const found = await findRepository(path.join(outer.dir, 'sub'));
  expect(found).toMatchObject({ worktree: path.join(outer.dir, 'sub'), worktreeName: '' });
  expect(found.commonDir).toBe(path.join(outer.dir, '.git/modules/sub'));
});

test('GIT_DIR and GIT_WORK_TREE decide, as they do for git', async () => {
  const { dir } = repositoryFor();
  const elsewhere = folderFor('elsewhere');
  const found = await findRepository(elsewhere, { GIT_DIR: path.join(dir, '.git'), GIT_WORK_TREE: elsewhere });
  expect(found).toMatchObject({ worktree: elsewhere, gitDir: path.join(dir, '.git') });
});

test('a line end in the name of a folder', async () => {
  const dir = path.join(folderFor('odd'), 'a\nb --next-value');
  fs.mkdirSync(path.join(dir, 'c\nd'), { recursive: true });
  openRepository(dir).git('init', '-q');
  const found = await findRepository(path.join(dir, 'c\nd'));
  expect(found).toMatchObject({ worktree: dir, prefix: 'c\nd/', gitDir: path.join(dir, '.git') });
});

test('outside a repository: one sentence, and the code for it', async () => {
  const dir = folderFor('none');
  const inNone = { GIT_CEILING_DIRECTORIES: path.dirname(dir) };
  await expect(findRepository(dir, inNone)).rejects.toMatchObject({ code: 'surroundings' });
  await expect(findRepository(dir, inNone)).rejects.toThrow(/not inside a git repository/);
  await expect(findRepository(path.join(dir, 'gone'))).rejects.toMatchObject({ code: 'surroundings' });
});

test("a repository of somebody else: git's own words", async () => {
  const { dir } = repositoryFor();
  const env = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
  await expect(findRepository(dir, env)).rejects.toThrow(/refuses this repository: .*(dubious|unsafe)/);
  await expect(findRepository(dir, env)).rejects.toMatchObject({ code: 'surroundings' });
});

test('versions', async () => {
  expect(await gitVersion({ cwd: '/' })).toMatch(/^2\.\d+/);
  const table: [string, string, boolean][] = [
    ['2.39.5', '2.39', true],
    ['2.39.5', '2.54', false],
    ['2.54.0', '2.54', true],
    ['2.100', '2.54', true],
    ['3', '2.54', true],
    ['2.9.1', '2.30', false],
  ];
  for (const [have, want, answer] of table) expect(atLeast(have, want), `${have} ${want}`).toBe(answer);
});

test.each([
  ['/home/a/tool/.git', 'tool'],
  ['/srv/tool.git', 'tool'],
  ['/home/a/tool', 'tool'],
  ['/home/a/all/.git/modules/tool', 'tool'],
  ['/home/a/tool/.jj/repo/store/git', 'tool'],
  ['/home/a/my.github/.git', 'my.github'],
])('the repository in %s is called %s', (commonDir, name) => expect(repositoryName({ commonDir })).toBe(name));
