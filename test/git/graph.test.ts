import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { withGraph } from '../../src/git/graph.ts';
import type { GitPlace } from '../../src/git/run.ts';
import { readSpans } from '../../src/git/spans.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, openRepository, type TestRepository } from '../support/repository.ts';

const made: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of made.splice(0)) removeFolder(folder);
});

/** Two files that grow by turns, on two branches that meet, under names that change. */
function history(name = 'repository', ...options: string[]): TestRepository {
  const root = makeFolder('graph');
  made.push(root);
  const dir = path.join(root, name);
  fs.mkdirSync(dir);
  const repository = openRepository(dir);
  repository.git('init', '-q', '-b', 'main', ...options);
  const lines = (word: string, count: number) => Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join('');
  for (let i = 1; i < 6; i++) {
    repository.write('sub/a.txt', lines('a', 3 * i));
    if (i % 2) repository.write('b"\u00e9.txt', lines('b', 2 * i));
    repository.commit(`${i}`);
  }
  repository.git('checkout', '-q', '-b', 'side', 'HEAD~2');
  repository.write('sub/a.txt', `on the side\n${repository.read('sub/a.txt')}`);
  repository.commit('side');
  repository.git('checkout', '-q', 'main');
  repository.git('mv', 'b"\u00e9.txt', 'c.txt');
  repository.commit('renamed');
  repository.git('merge', '-q', '-m', 'merge', 'side');
  return repository;
}

/** The lines of both files, as git tells them with a graph of ours; `used`: whether it took one. */
async function throughGraph(place: GitPlace, revision: string, patience = 500) {
  return withGraph(place, revision, async (at) => {
    for (let tries = 0; at() === place && tries < patience; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const file = at().env?.GIT_OBJECT_DIRECTORY;
    const used = file !== undefined && fs.existsSync(path.join(file, 'info', 'commit-graph'));
    return { used, spans: [await readSpans(at(), revision, 'sub/a.txt'), await readSpans(at(), revision, 'c.txt')] };
  });
}

async function expectSame(repository: TestRepository, used = true): Promise<void> {
  const revision = repository.git('rev-parse', 'HEAD');
  const place = { cwd: repository.dir };
  const plain = [await readSpans(place, revision, 'sub/a.txt'), await readSpans(place, revision, 'c.txt')];
  expect(plain.flat().length).toBeGreaterThan(4);
  expect(await throughGraph(place, revision)).toEqual({ used, spans: plain });
}

describe('with a graph of our own git tells the same', () => {
  it('over renames and merges', () => expectSame(history()));
  it('in a repository of SHA-256', () => expectSame(history('sha256', '--object-format=sha256')));
  it('in a folder whose name has the marks of a list in it', () => expectSame(history('a:b "c" \\d')));

  it('where the repository has one, that tells nothing of paths', async () => {
    const repository = history();
    repository.git('commit-graph', 'write', '--reachable');
    await expectSame(repository);
  });

  it('in a clone that takes its objects from elsewhere, in a work tree of it, and in a bare one', async () => {
    const repository = history();
    const clones = ['shared', 'linked', 'bare'].map((name) => openRepository(path.join(repository.dir, '..', name)));
    const [shared, linked, bare] = clones as [TestRepository, TestRepository, TestRepository];
    repository.git('clone', '-q', '--shared', '.', shared.dir);
    shared.git('worktree', 'add', '-q', linked.dir, 'HEAD');
    repository.git('clone', '-q', '--bare', '.', bare.dir);
    for (const clone of clones) await expectSame(clone);
  });

  it('where git takes none: in a shallow clone, and where it is told to', async () => {
    const repository = history();
    const shallow = openRepository(path.join(repository.dir, '..', 'shallow'));
    repository.git('clone', '-q', '--depth=4', `file://${repository.dir}`, shallow.dir);
    await expectSame(shallow, false);
    repository.git('config', 'core.commitGraph', 'false');
    const revision = repository.git('rev-parse', 'HEAD');
    expect((await throughGraph({ cwd: repository.dir }, revision, 20)).used).toBe(false);
  });
});

it('where nothing can be kept for the time being, it goes without', async () => {
  const { dir } = history();
  vi.stubEnv('TMPDIR', '/nowhere');
  const place = { cwd: dir };
  expect(await withGraph(place, 'HEAD', async (at) => at())).toBe(place);
});

it('nothing stays of it, whatever happens, and who is done does not wait for it', async () => {
  const repository = history();
  const place = { cwd: repository.dir };
  const revision = repository.git('rev-parse', 'HEAD');
  const temporary = path.join(repository.dir, '..', 'temporary');
  fs.mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  const objects = repository.git('count-objects', '-v');
  await throughGraph(place, revision);
  expect(await withGraph(place, revision, async (at) => at())).toBe(place);
  await expect(withGraph(place, revision, () => Promise.reject(new Error('enough')))).rejects.toThrow('enough');
  expect(fs.readdirSync(temporary)).toEqual([]);
  expect(repository.git('count-objects', '-v')).toBe(objects);
  expect(fs.existsSync(path.join(repository.dir, '.git/objects/info/commit-graph'))).toBe(false);
});
