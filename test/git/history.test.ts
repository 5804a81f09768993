import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { newCommits, pathHistory, readReflog, readTips } from '../../src/git/history.ts';
import { hashBlob } from '../../src/git/objects.ts';
import { listWorktrees } from '../../src/git/worktrees.ts';
import { makeFolder, makeRepository, openRepository, type TestRepository } from '../support/repository.ts';

const made: TestRepository[] = [];
afterEach(() => {
  for (const repository of made.splice(0)) repository.remove();
});

function keep(repository: TestRepository): TestRepository {
  made.push(repository);
  return repository;
}

const blob = (text: string) => hashBlob('sha1', Buffer.from(text));

/** Commits at a time of our own. */
function commitAt(repository: TestRepository, seconds: number): string {
  repository.git('add', '-A');
  process.env.GIT_COMMITTER_DATE = `${seconds} +0000`;
  try {
    return repository.commit();
  } finally {
    delete process.env.GIT_COMMITTER_DATE;
  }
}

async function tipsOf({ dir: cwd }: TestRepository) {
  return readTips({ cwd }, await listWorktrees({ cwd }));
}

test('tips: branches, and the HEAD of every work tree', async () => {
  const repository = keep(makeRepository());
  expect(await tipsOf(repository)).toEqual(new Map());
  const first = repository.commit();
  const linked = keep(openRepository(path.join(makeFolder('linked'), 'wt')));
  repository.git('worktree', 'add', '-q', '--detach', linked.dir);
  const second = linked.commit();
  repository.git('branch', 'side/é');
  repository.git('tag', 'not-a-tip');
  expect(await tipsOf(linked)).toEqual(
    new Map([
      ['refs/heads/main', first],
      ['refs/heads/side/é', first],
      ['HEAD@', first],
      ['HEAD@wt', second],
    ]),
  );
});

test('new commits: oldest first, without what is seen, pushed or gone', async () => {
  const repository = keep(makeRepository());
  const ids = Array.from({ length: 5 }, () => repository.commit());
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids;
  const ask = (tips: string[], seen: string[], limit = 100) =>
    newCommits({ cwd: repository.dir }, { tips, seen, limit });
  expect(await ask([fifth], [])).toEqual(ids);
  expect(await ask([fifth], [second])).toEqual([third, fourth, fifth]);
  expect(await ask([fifth], [], 2)).toEqual([fourth, fifth]);
  const gone = '3'.repeat(40);
  expect(await ask([fifth, gone], [fourth, gone])).toEqual([fifth]);
  expect(await ask([gone], [])).toEqual([]);
  expect(await ask([], [])).toEqual([]);
  expect(await ask(['--all', 'main'], [])).toEqual([]);
  repository.git('update-ref', 'refs/remotes/origin/main', third);
  expect(await ask([fifth], [first])).toEqual([fourth, fifth]);
});

test('new commits of a shallow clone', async () => {
  const source = keep(makeRepository());
  const ids = Array.from({ length: 4 }, () => source.commit());
  const clone = keep(openRepository(makeFolder('clone')));
  clone.git('clone', '-q', '--depth=2', `file://${source.dir}`, '.');
  const own = clone.commit();
  expect(await newCommits({ cwd: clone.dir }, { tips: [own], seen: [ids[0] ?? ''], limit: 9 })).toEqual([own]);
});

test('the blobs that were committed at a path since then, and when', async () => {
  const repository = keep(makeRepository());
  const at = (seconds: number, text: string) => {
    repository.write('a', text);
    return commitAt(repository, seconds);
  };
  at(1_700_000_000, 'one\n');
  at(1_700_000_100, 'two\n');
  repository.write('dir/[x]*', 'odd\n');
  at(1_700_000_200, 'three\n');
  at(1_700_000_300, 'two\n');
  const from = at(1_700_000_400, 'four\n');
  at(1_700_000_500, 'after\n');
  const paths = ['a', 'dir/[x]*', 'dir/*', 'none', 'dir'];
  const ask = (since: number, cwd = repository.dir) => pathHistory({ cwd }, { from, since, paths });
  const expected = new Map([
    [
      'a',
      new Map([
        [blob('three\n'), 1_700_000_200_999],
        [blob('two\n'), 1_700_000_300_999],
        [blob('four\n'), 1_700_000_400_999],
      ]),
    ],
    ['dir/[x]*', new Map([[blob('odd\n'), 1_700_000_200_999]])],
    ['dir/*', new Map()],
    ['none', new Map()],
    ['dir', new Map()],
  ]);
  expect(await ask(1_700_000_150)).toEqual(expected);
  const hostile = { 'log.follow': 'true', 'log.diffMerges': 'off', 'log.showRoot': 'false', 'log.date': 'relative' };
  for (const [key, value] of Object.entries(hostile)) repository.git('config', key, value);
  expect(await ask(1_700_000_150, path.join(repository.dir, 'dir'))).toEqual(expected);
  expect([...((await ask(0)).get('a')?.keys() ?? [])].length).toBe(4);
  expect((await ask(1_800_000_000)).get('a')).toEqual(new Map());
});

test('both sides of a merge count', async () => {
  const repository = keep(makeRepository());
  repository.write('a', 'base\n');
  repository.commit();
  repository.git('checkout', '-q', '-b', 'side');
  repository.write('a', 'side\n');
  repository.commit();
  repository.git('checkout', '-q', 'main');
  repository.git('merge', '-q', '--no-ff', '-s', 'ours', 'side', '-m', 'merge');
  repository.git('config', 'log.diffMerges', 'first-parent');
  const found = await pathHistory({ cwd: repository.dir }, { from: 'HEAD', since: 0, paths: ['a'] });
  expect(new Set(found.get('a')?.keys())).toEqual(new Set([blob('base\n'), blob('side\n')]));
});

test('a thousand paths of any bytes, and a history that is not here', async () => {
  const repository = keep(makeRepository());
  const names = Array.from({ length: 1000 }, (_, i) => `folder/with a rather long name/${'x'.repeat(150)}/${i}`);
  for (const name of names) repository.write(name, `${name}\n`);
  repository.write('line\nend?', 'odd\n');
  repository.write('line end?', 'other\n');
  repository.commit();
  const paths = [...names, 'line\nend?', '"\\377"'];
  const found = await pathHistory({ cwd: repository.dir }, { from: 'HEAD', since: 0, paths });
  expect([...found.values()].filter((blobs) => blobs.size === 1).length).toBe(1001);
  expect([...(found.get('line\nend?')?.keys() ?? [])]).toEqual([blob('odd\n')]);
  const nothing = await pathHistory({ cwd: repository.dir }, { from: '4'.repeat(40), since: 0, paths: ['a'] });
  expect(nothing).toEqual(new Map([['a', new Map()]]));
});

test('reflogs: whole lines alone', () => {
  const [a, b] = ['a'.repeat(40), 'b'.repeat(40)];
  const text = [
    `${'0'.repeat(40)} ${a} N <m> 1700000000 +0000\tcommit (initial): subject: more`,
    `${a} ${b} N > <m> 1700000001 -0130\tcheckout`,
    `${b} ${a} N <m> 1700000002 +0000`,
    'junk',
    `${a} ${b} N <m> 17`,
  ].join('\n');
  expect(readReflog(text).map(({ time, action, message }) => [time, action, message])).toEqual([
    [1700000000, 'commit (initial)', 'subject: more'],
    [1700000001, 'checkout', ''],
    [1700000002, '', ''],
  ]);
  const repository = keep(makeRepository());
  const first = repository.commit('one');
  repository.git('commit', '-q', '--amend', '--allow-empty', '-m', 'two');
  const log = readReflog(fs.readFileSync(path.join(repository.dir, '.git/logs/HEAD'), 'utf8'));
  expect(log.map(({ action }) => action)).toEqual(['commit (initial)', 'commit (amend)']);
  expect(log[1]).toMatchObject({ old: first, new: repository.git('rev-parse', 'HEAD'), message: 'two' });
});
