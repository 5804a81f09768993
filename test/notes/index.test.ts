import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fingerprint } from '../../src/anchor/keys.ts';
import { findRepository } from '../../src/git/repository.ts';
import { lineHash } from '../../src/lines/hash.ts';
import { openIndex } from '../../src/notes/index/index.ts';
import { TRACE_REF } from '../../src/notes/refs.ts';
import { removeFolder } from '../support/remove.ts';
import {
  makeFolder,
  makeRepository,
  openRepository,
  type RepositoryOptions,
  type TestRepository,
} from '../support/repository.ts';
import { answers, append, appendMany, cacheOf, initialised, key, noteOf, numbers, open } from './index-notes.ts';

const REMOTE_REF = 'refs/notes/origin/agent/trace';
const made: TestRepository[] = [];
afterEach(() => {
  for (const repository of made.splice(0)) repository.remove();
});
function keep(repository: TestRepository): TestRepository {
  made.push(repository);
  return repository;
}
const repositoryFor = (options?: RepositoryOptions) => keep(initialised(makeRepository(options)));
const segments = (repository: TestRepository) =>
  fs.readdirSync(cacheOf(repository)).filter((name) => name.endsWith('.segment'));
const fresh = async (repository: TestRepository, refs?: string[]) => {
  removeFolder(cacheOf(repository));
  return open(repository, refs);
};

test.each(['sha1', 'sha256'] as const)('%s: notes by line, patch and change', async (objectFormat) => {
  const repository = repositoryFor({ objectFormat });
  const ids = numbers(0, 100).map((n) => key(n, objectFormat));
  await append(
    repository,
    numbers(0, 100).map((n) => [key(n, objectFormat), noteOf(n, undefined, objectFormat)]),
  );
  const index = await open(repository);
  const found = index.findLines([
    lineHash('line 7'),
    lineHash('}'),
    lineHash('none'),
    'short',
    'no hash!',
    lineHash('line 7'),
  ]);
  expect([...found.keys()]).toEqual([lineHash('line 7'), lineHash('}')]);
  expect(found.get(lineHash('line 7'))).toEqual({ commits: [ids[7]], many: false });
  expect(found.get(lineHash('}'))).toEqual({ commits: [...ids].sort().slice(0, 64), many: true });
  const patch = fingerprint(new Map([['file-2', lineHash('line 7') + lineHash('}')]])) ?? '';
  expect(index.findPatch(patch)).toEqual([ids[7]]);
  expect([index.findPatch('0'.repeat(16)), index.findPatch('no')]).toEqual([[], []]);
  expect(index.findChange('change-7')).toEqual([ids[7], ids[57]].sort());
  expect(index.findChange('change-x')).toEqual([]);
  expect(index.since).toBe(1_700_000_000_000);
  expect(index.stats).toMatchObject({ notes: 100, segments: 1 });
  expect(index.stats.built).toBeGreaterThan(0);
  const again = await open(repository);
  expect(again.stats).toEqual({ ...index.stats, built: 0 });
  expect(again.findLines([lineHash('line 7')])).toEqual(index.findLines([lineHash('line 7')]));
});

test('nothing there is nothing found, and nothing written', async () => {
  const repository = repositoryFor();
  for (const refs of [[], [TRACE_REF]]) {
    const index = await open(repository, refs);
    expect([index.since, index.findLines([lineHash('}')]).size, index.stats.bytes]).toEqual([undefined, 0, 0]);
  }
  expect(fs.existsSync(cacheOf(repository))).toBe(false);
});

test('brought up to date step by step it says the same as built at once, in few files', async () => {
  const repository = repositoryFor();
  let count = 0;
  for (const step of [1, 1, 1, 3, 80, 1, 300, 1, 1, 90, 2]) {
    await appendMany(repository, count, count + step);
    count += step;
    const index = await open(repository);
    expect(index.findLines([lineHash(`line ${count - 1}`)]).size).toBe(1);
    expect(index.stats.segments).toBeLessThanOrEqual(8);
  }
  const stepwise = answers(await open(repository), count);
  expect(stepwise.lines.filter((one) => one)).toHaveLength(count + 1);
  expect(stepwise).toEqual(answers(await fresh(repository), count));
});

test('what fills several files goes to the disk on the way, and is found', async () => {
  const repository = repositoryFor();
  const lines = (n: number) => numbers(0, 150_000).map((i) => lineHash(`${n} ${i}`));
  const large = (n: number) => {
    const [record = ''] = noteOf(n, ['alone']);
    return record.replace(lineHash('alone'), lines(n).join('')).replace('"end":1,', '"end":150000,');
  };
  await append(
    repository,
    numbers(0, 7).map((n) => [key(n), [large(n)]]),
  );
  const asked = numbers(0, 7).map((n) => lineHash(`${n} 149999`));
  const built = await open(repository);
  expect([built.findLines(asked).size, built.stats.segments, segments(repository).length]).toEqual([7, 2, 2]);
  const again = await open(repository);
  expect([again.findLines(asked), again.stats]).toEqual([built.findLines(asked), { ...built.stats, built: 0 }]);
});

test('a note that grows is found by its new lines, and by its old ones', async () => {
  const repository = repositoryFor();
  await appendMany(repository, 0, 120);
  await open(repository);
  await append(repository, [[key(3), noteOf(3, ['another', 'line'])]]);
  const found = (await open(repository)).findLines([lineHash('another'), lineHash('line 3')]);
  expect([...found.values()].map(({ commits }) => commits)).toEqual([[key(3)], [key(3)]]);
});

test('what came in another fan-out is not read again', async () => {
  const repository = repositoryFor();
  await appendMany(repository, 0, 40);
  const { bytes } = (await open(repository)).stats;
  const listing = repository.git('ls-tree', '-r', TRACE_REF).replace(/\t(..)/g, '\t$1/');
  const inFolders = path.join(repository.dir, 'index');
  execFileSync('git', ['update-index', '--add', '--index-info'], {
    cwd: repository.dir,
    input: `${listing}\n`,
    env: { ...process.env, GIT_INDEX_FILE: inFolders },
  });
  const tree = execFileSync('git', ['write-tree'], {
    cwd: repository.dir,
    env: { ...process.env, GIT_INDEX_FILE: inFolders },
  })
    .toString()
    .trim();
  repository.git('update-ref', TRACE_REF, repository.git('commit-tree', '-m', 'x', tree));
  expect(repository.git('ls-tree', '-r', TRACE_REF)).toContain('/');
  const index = await open(repository);
  expect([index.stats.bytes, index.stats.segments]).toEqual([bytes, 1]);
  await appendMany(repository, 40, 41);
  expect(answers(await open(repository), 41)).toEqual(answers(await fresh(repository), 41));
});

test('a ref that went back, or elsewhere, is indexed anew', async () => {
  const repository = repositoryFor();
  await appendMany(repository, 0, 10);
  const early = repository.git('rev-parse', TRACE_REF);
  await appendMany(repository, 10, 100);
  await open(repository);
  repository.git('update-ref', TRACE_REF, early);
  expect(answers(await open(repository), 100)).toEqual(answers(await fresh(repository), 100));
  expect((await open(repository)).stats.notes).toBe(10);
  repository.git('update-ref', '-d', TRACE_REF);
  await appendMany(repository, 200, 230);
  expect((await open(repository)).stats.notes).toBe(30);
});

test('the tip that was indexed is gone from the repository', async () => {
  const repository = repositoryFor();
  await appendMany(repository, 0, 20);
  await open(repository);
  repository.git('update-ref', '-d', TRACE_REF);
  repository.git('-c', 'gc.reflogExpire=now', '-c', 'gc.reflogExpireUnreachable=now', 'gc', '-q', '--prune=now');
  await appendMany(repository, 5, 25);
  expect(answers(await open(repository), 25)).toEqual(answers(await fresh(repository), 25));
});

test('several refs: what they share is read once', async () => {
  const repository = repositoryFor();
  await appendMany(repository, 0, 100);
  repository.git('update-ref', REMOTE_REF, TRACE_REF);
  await appendMany(repository, 100, 110);
  await appendMany(repository, 110, 120, REMOTE_REF);
  const both = await open(repository, [TRACE_REF, REMOTE_REF, 'refs/notes/none/agent/trace']);
  expect(both.stats.notes).toBe(120);
  expect(answers(both, 120).lines.filter((one) => one)).toHaveLength(121);
  await appendMany(repository, 120, 121, REMOTE_REF);
  const later = answers(await open(repository, [TRACE_REF, REMOTE_REF]), 121);
  expect(later).toEqual(answers(await fresh(repository, [REMOTE_REF, TRACE_REF]), 121));
});

test('tips that the caller knows are taken from there', async () => {
  const repository = repositoryFor();
  await appendMany(repository, 0, 3);
  const tip = repository.git('rev-parse', TRACE_REF);
  await appendMany(repository, 3, 5);
  const index = await openIndex(await findRepository(repository.dir), [TRACE_REF], new Map([[TRACE_REF, tip]]));
  expect(index.stats.notes).toBe(3);
});

test('notes of others, of nobody, of huge size, and what is no note', async () => {
  const repository = repositoryFor();
  const huge = numbers(0, 100_000).map((n) => `huge ${n}`);
  const size = Buffer.byteLength(noteOf(9, huge).join('\n'));
  expect(size).toBeGreaterThan(800_000);
  await append(repository, [
    [
      key(1),
      [
        'not json',
        '{"version":"0.1.0","files":[]}',
        '[]',
        '{"files":1,"metadata":{"dev.git-agent-blame":[]}}',
        '\u0001',
      ],
    ],
    [key(2), [...noteOf(2), 'x'.repeat(5 << 20)]],
    [key(3), ['{"version":"0.1.0","id":"x","files":[{"path":"a","conversations":[]}]}']],
    [key(9), noteOf(9, huge)],
  ]);
  const blob = repository.gitBytes(['hash-object', '-w', '--stdin'], noteOf(4).join('\n')).toString().trim();
  const tree = repository.gitBytes(
    ['mktree'],
    `100644 blob ${blob}\tREADME\n100644 blob ${blob}\t${key(4).toUpperCase()}\n120000 blob ${blob}\t${key(4)}\n`,
  );
  repository.git('update-ref', REMOTE_REF, repository.git('commit-tree', '-m', 'x', tree.toString().trim()));
  const index = await open(repository, [TRACE_REF, REMOTE_REF]);
  expect(index.stats.notes).toBe(2);
  expect(index.findLines([lineHash('line 4')]).size).toBe(0);
  expect(index.findLines([lineHash('line 2')]).get(lineHash('line 2'))?.commits).toEqual([key(2)]);
  expect(index.findLines(huge.map(lineHash)).size).toBe(100_000);
});

test('a ref that is no tree of notes', async () => {
  const repository = repositoryFor();
  const blob = repository.gitBytes(['hash-object', '-w', '--stdin'], 'x').toString().trim();
  repository.git('update-ref', 'refs/notes/blob', blob);
  await appendMany(repository, 0, 2);
  const index = await open(repository, ['refs/notes/blob', TRACE_REF]);
  expect(answers(index, 2).lines.filter((one) => one)).toHaveLength(3);
});

test('a partial clone: what is not here is not found until it comes, and nothing is fetched', async () => {
  const source = repositoryFor();
  source.git('config', 'uploadpack.allowFilter', 'true');
  source.commit();
  await appendMany(source, 0, 120);
  const clone = keep(openRepository(makeFolder('clone')));
  clone.git('clone', '-q', '--filter=blob:none', `file://${source.dir}`, '.');
  clone.git('fetch', '-q', 'origin', `+${TRACE_REF}:${REMOTE_REF}`);
  initialised(clone);
  await appendMany(clone, 200, 203);
  const index = await open(clone, [TRACE_REF, REMOTE_REF]);
  expect([index.stats.notes, index.findLines([lineHash('line 201')]).size]).toEqual([3, 1]);
  expect(clone.git('rev-list', '--objects', '--missing=print', '--all').match(/^\?/gm)?.length).toBe(120);
  expect((await open(clone, [TRACE_REF, REMOTE_REF])).stats.built).toBe(0);
  clone.git('cat-file', '-p', `${REMOTE_REF}:${clone.git('ls-tree', '-r', '--name-only', REMOTE_REF).split('\n')[0]}`);
  expect((await open(clone, [TRACE_REF, REMOTE_REF])).stats.notes).toBe(4);
});

test('without a folder of ours it works in memory, and makes none', async () => {
  const repository = keep(makeRepository());
  await appendMany(repository, 0, 30);
  removeFolder(path.join(repository.dir, '.git', 'agent'));
  expect(answers(await open(repository), 30).lines.filter((one) => one)).toHaveLength(31);
  expect(fs.existsSync(path.join(repository.dir, '.git', 'agent'))).toBe(false);
});

test('where nothing can be written it works in memory', async () => {
  const repository = repositoryFor();
  await appendMany(repository, 0, 30);
  await open(repository);
  const [before] = segments(repository);
  // a folder in the way of the manifest: renaming onto it fails for everybody
  const manifest = path.join(cacheOf(repository), 'manifest.json');
  fs.rmSync(manifest);
  fs.mkdirSync(path.join(manifest, 'in the way'), { recursive: true });
  await appendMany(repository, 30, 35);
  expect(answers(await open(repository), 35).lines.filter((one) => one)).toHaveLength(36);
  expect(segments(repository)).toContain(before);
  removeFolder(path.join(repository.dir, '.git', 'agent', 'cache'));
  fs.writeFileSync(path.join(repository.dir, '.git', 'agent', 'cache'), 'a file');
  expect(answers(await open(repository), 35).lines.filter((one) => one)).toHaveLength(36);
});
