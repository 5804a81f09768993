import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newRevisions, parseEvolog, type Version } from '../../src/jj/evolog.ts';
import { findJj, operationHeads } from '../../src/jj/find.ts';
import { parseWorkspaces } from '../../src/jj/workspaces.ts';
import { evolve } from '../../src/pending/evolution.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

const id = (digit: string) => digit.repeat(40);

test('evolog: recorded lines; what is no version is skipped', () => {
  const out = [
    `${id('a')} ${id('b')},${id('c')} ${id('d')}   1794855637991 default@ squash commits into ${id('b')}`,
    `${id('b')}  ${id('d')} eh w 1794855637724 two@ new empty commit`,
    `${id('c')}   c   `,
    `Hint: ${id('a')}`,
    '',
  ].join('\n');
  const said = parseEvolog(out.replace(`${id('c')}   c   `, `${id('c')}   c    `));
  expect(said).toEqual([
    {
      commit: id('a'),
      predecessors: [id('b'), id('c')],
      parents: [id('d')],
      empty: false,
      hidden: false,
      conflicted: false,
      workingCopy: false,
      made: { at: 1794855637991, workspace: 'default', description: `squash commits into ${id('b')}` },
    },
    expect.objectContaining({ commit: id('b'), predecessors: [], empty: true, hidden: true, workingCopy: true }),
    expect.objectContaining({ commit: id('c'), conflicted: true, parents: [] }),
  ]);
  expect(said[2]).not.toHaveProperty('made');
});

test('workspaces: the commit before all others is no parent, a foreign line no workspace', () => {
  const line = JSON.stringify(['default', '/a b', id('a'), [id('0'), id('b')]]);
  expect(parseWorkspaces(`${line}\n["x"]\n{"a":1}\nHint: x\n`)).toEqual([
    { name: 'default', root: '/a b', commit: id('a'), parents: [id('b')] },
  ]);
});

test('an earlier operation leaves out what was visible then', () => {
  expect(newRevisions(undefined)).not.toContain('at_operation');
  expect(newRevisions('abc')).toContain('at_operation(abc,');
});

test('a repository is found from below and by the file of a second workspace; not through another git repository', () => {
  const dir = makeFolder('find-jj');
  try {
    const repo = path.join(dir, 'one', '.jj', 'repo');
    for (const folder of ['store/git', 'op_heads/heads', '../../sub/deep']) {
      fs.mkdirSync(path.join(repo, folder), { recursive: true });
    }
    expect(findJj(path.join(dir, 'one'))).toBeUndefined();
    fs.writeFileSync(path.join(repo, 'store', 'git_target'), 'git');
    fs.writeFileSync(path.join(repo, 'op_heads', 'heads', id('a')), '');
    const one = findJj(path.join(dir, 'one', 'sub', 'deep'));
    expect(one).toEqual({
      root: path.join(dir, 'one'),
      repo,
      gitDir: path.join(repo, 'store', 'git'),
      colocated: false,
    });
    expect(operationHeads({ repo })).toEqual([id('a')]);
    fs.mkdirSync(path.join(dir, 'two', '.jj'), { recursive: true });
    fs.writeFileSync(path.join(dir, 'two', '.jj', 'repo'), '../../one/.jj/repo');
    expect(findJj(path.join(dir, 'two'))).toEqual({ ...one, root: path.join(dir, 'two') });
    fs.mkdirSync(path.join(dir, 'one', 'sub', '.git'));
    expect(findJj(path.join(dir, 'one', 'sub', 'deep'))).toBeUndefined();
    expect(findJj(dir)).toBeUndefined();
    expect(operationHeads({ repo: dir })).toEqual([]);
  } finally {
    removeFolder(dir);
  }
});

function version(commit: string, predecessors: string[], description: string, more: Partial<Version> = {}): Version {
  const made = { at: 100, workspace: 'default', description };
  const flags = { empty: false, hidden: false, conflicted: false, workingCopy: false };
  return { commit, predecessors, parents: ['p'], ...flags, made, ...more };
}

const HIDDEN = { hidden: true };
const FIRST = version('first', [], 'new empty commit', { ...HIDDEN, empty: true });
const LOOK = version('look', ['first'], 'snapshot working copy', HIDDEN);

test.each<[string, Version[], Partial<Record<string, boolean>>]>([
  ['typed, looked at, described', [version('c', ['look'], 'describe commit x'), LOOK, FIRST], { c: true }],
  ['lines were brought in', [version('c', ['look'], 'restore into commit x'), LOOK, FIRST], { c: false }],
  [
    'it begins with somebody else’s lines',
    [version('c', ['x'], 'snapshot working copy'), version('x', [], 'fetch', HIDDEN)],
    { c: false },
  ],
  ['a version is gone', [version('c', ['gone'], 'describe commit x')], { c: false }],
  [
    'older than capture, moved to another parent',
    [
      version('c', ['o'], 'rebase commit'),
      { ...LOOK, commit: 'o', parents: ['q'], made: { at: 1, workspace: '', description: 'snapshot working copy' } },
      FIRST,
    ],
    { c: false },
  ],
  ['the working copy', [version('c', ['look'], 'describe commit x', { workingCopy: true }), LOOK, FIRST], {}],
  [
    'a conflict: what was before it',
    [version('c', ['look'], 'rebase commit', { conflicted: true }), LOOK, FIRST],
    { look: true },
  ],
  [
    'a conflict in the working copy',
    [version('c', ['look'], 'rebase commit', { conflicted: true, workingCopy: true }), LOOK, FIRST],
    {},
  ],
  ['fetched', [version('c', [], 'fetch from git remote')], {}],
])('due: %s', (_, versions, expected) => {
  const { due } = evolve(versions, { since: 50, isRecorded: () => false, worktreeOf: () => '' });
  expect(Object.fromEntries(due.map((one) => [one.id, one.typed]))).toEqual(expected);
});

test('the way back from a conflict, and from its resolution, ends at what was before it', () => {
  const conflict = version('x', ['look'], 'rebase commit', { conflicted: true });
  const known = { since: 0, isRecorded: () => false, worktreeOf: () => '' };
  const told = (...versions: Version[]) => evolve(versions, known).rewrites.map(({ old, new: to }) => `${old} ${to}`);
  expect(told(conflict, LOOK, FIRST)).toEqual(['look x']);
  const resolved = version('r', ['x'], 'snapshot working copy');
  expect(told(resolved, { ...conflict, ...HIDDEN }, LOOK, FIRST)).toContain('look r');
});

test('the way back ends at what is recorded, in jj’s order', () => {
  const versions = [
    version('c', ['b2', 'look'], 'squash commits'),
    version('b2', ['b1'], 'describe commit', HIDDEN),
    version('b1', ['b0'], 'snapshot working copy', HIDDEN),
    LOOK,
    version('first', ['d'], 'split commit', HIDDEN),
    version('d', [], 'whatever', HIDDEN),
  ];
  const recorded = new Set(['b1', 'd']);
  const { rewrites } = evolve(versions, { since: 0, isRecorded: (one) => recorded.has(one), worktreeOf: () => '' });
  expect(rewrites.map(({ old, new: to }) => `${old} ${to}`)).toEqual(['b1 c', 'd c']);
});
