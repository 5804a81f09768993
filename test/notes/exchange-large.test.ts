import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRepository } from '../../src/git/repository.ts';
import { appendNotes } from '../../src/notes/append.ts';
import { findPeer } from '../../src/notes/exchange/peer.ts';
import { type Exchange, pushNotes } from '../../src/notes/exchange.ts';
import { readAllNotes } from '../../src/notes/read.ts';
import { TRACE_REF } from '../../src/notes/refs.ts';
import { uniteNotes } from '../../src/notes/union.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, openRepository, type TestRepository } from '../support/repository.ts';

/** More than readers read of one note. */
const LARGE = 35_000_000;
/** What they still read, and what leaves no room for more. */
const NEARLY = (32 << 20) - 4;

let root: string;
let hub: TestRepository;
let commits: string[];

beforeEach(() => {
  root = makeFolder('large');
  fs.mkdirSync(path.join(root, 'hub.git'));
  hub = openRepository(path.join(root, 'hub.git'));
  hub.git('init', '-q', '--bare', '-b', 'main');
  const first = clone('first');
  commits = [first.commit(), first.commit()];
  first.git('push', '-q', 'origin', 'HEAD:main');
});
afterEach(() => removeFolder(root));

function clone(name: string): TestRepository {
  openRepository(root).git('clone', '-q', hub.dir, name);
  return openRepository(path.join(root, name));
}

async function exchangeOf({ dir }: TestRepository): Promise<Exchange> {
  const repository = await findRepository(dir);
  return { repository, peer: await findPeer(repository.place, 'origin', 'push'), talk: repository.place };
}

async function note({ dir }: TestRepository, line: string, nth = 0, ref = TRACE_REF): Promise<void> {
  await appendNotes(await findRepository(dir), ref, new Map([[commits[nth] ?? '', [line]]]));
}

function blobOf(repository: TestRepository, sign: string, size = LARGE): string {
  return repository.gitBytes(['hash-object', '-w', '--stdin'], Buffer.alloc(size, sign)).toString().trim();
}

/** As anybody can: without our programs, and by force. */
function pushLarge(sign: string, { size = LARGE, nth = 0 } = {}): string {
  const stranger = clone(`stranger-${sign}`);
  const blob = blobOf(stranger, sign, size);
  stranger.git('notes', '--ref=agent/trace', 'add', '-f', '-C', blob, commits[nth] ?? '');
  stranger.git('push', '-q', 'origin', `+${TRACE_REF}`);
  return blob;
}

async function linesOf({ dir }: TestRepository, nth = 0, ref = TRACE_REF): Promise<string[]> {
  return ((await readAllNotes({ cwd: dir }, [ref])).notes.get(commits[nth] ?? '') ?? []).toSorted();
}

const blobsIn = (repository: TestRepository, ref = TRACE_REF) =>
  repository.git('ls-tree', '-r', '--format=%(objectname)', ref).split('\n');
const treeOf = (repository: TestRepository, ref = TRACE_REF) => repository.git('rev-parse', `${ref}^{tree}`);

test('a note of theirs that is too large to be read: both stay, and everything is pushed', async () => {
  const large = pushLarge('x');
  const a = clone('a');
  await note(a, '{"a":1}');
  await note(a, '{"a":2}', 1);
  expect(await pushNotes(await exchangeOf(a))).toBe('pushed');
  expect(await linesOf(hub)).toEqual(['{"a":1}']);
  expect(await linesOf(hub, 1)).toEqual(['{"a":2}']);
  expect(blobsIn(hub)).toContain(large);
  expect(await pushNotes(await exchangeOf(a))).toBe('up to date');
  // git itself reads the two as one
  const shown = a.git('notes', '--ref=agent/trace', 'show', commits[0] ?? '');
  expect([shown.includes('xxx'), shown.includes('{"a":1}')]).toEqual([true, true]);
  expect(a.git('fsck', '--strict', '--no-dangling')).toBe('');
});

test('whoever has the large one and whoever meets it end with the same tree, and none of them moves again', async () => {
  const large = pushLarge('x');
  const [a, b] = [clone('a'), clone('b')];
  await note(a, '{"a":1}');
  await note(b, '{"b":1}');
  for (const one of [a, b, openRepository(path.join(root, 'stranger-x')), a, b]) await pushNotes(await exchangeOf(one));
  expect(await linesOf(hub)).toEqual(['{"a":1}', '{"b":1}']);
  expect(blobsIn(hub).filter((id) => id === large)).toHaveLength(1);
  for (const one of [a, b]) {
    expect(treeOf(one)).toBe(treeOf(hub));
    expect(await pushNotes(await exchangeOf(one))).toBe('up to date');
  }
});

test('two large ones on one commit, and one on a commit of which we say nothing: all of them stay', async () => {
  const one = pushLarge('x');
  const a = clone('a');
  const other = blobOf(a, 'y');
  a.git('notes', '--ref=agent/trace', 'add', '-C', other, commits[0] ?? '');
  expect(await pushNotes(await exchangeOf(a))).toBe('pushed');
  const b = clone('b');
  await note(b, '{"b":1}');
  expect(await pushNotes(await exchangeOf(b))).toBe('pushed');
  expect(blobsIn(hub)).toEqual(expect.arrayContaining([one, other]));
  expect(await linesOf(hub)).toEqual(['{"b":1}']);
});

test('what is appended where a large one stands can be read', async () => {
  const large = pushLarge('x');
  const a = clone('a');
  a.git('fetch', '-q', 'origin', `${TRACE_REF}:${TRACE_REF}`);
  await note(a, '{"a":1}');
  await note(a, '{"a":2}');
  await note(a, '{"a":2}');
  expect(await linesOf(a)).toEqual(['{"a":1}', '{"a":2}']);
  expect(blobsIn(a)).toHaveLength(2);
  expect(blobsIn(a)).toContain(large);
});

test('a note that leaves no room for ours does not hide it', async () => {
  pushLarge('x', { size: NEARLY });
  const a = clone('a');
  await note(a, '{"a":1}');
  expect(await pushNotes(await exchangeOf(a))).toBe('pushed');
  expect(await linesOf(hub)).toContain('{"a":1}');
  expect((await readAllNotes({ cwd: hub.dir }, [TRACE_REF])).skipped).toBe(0);
});

test('where no place beside it is left, ours stays and theirs is in the history', async () => {
  const a = clone('a');
  const [key = ''] = commits;
  const large = blobOf(a, 'x');
  // a file where the folder would be
  const entries = `100644 blob ${large}\t${key}\n100644 blob ${large}\t${key.slice(0, 2)}\n`;
  const tree = a.gitBytes(['mktree'], entries).toString().trim();
  const theirs = a.git('commit-tree', '-m', 'theirs', tree);
  a.git('update-ref', 'refs/notes/theirs', theirs);
  await note(a, '{"a":1}');
  const repository = await findRepository(a.dir);
  await uniteNotes(repository, TRACE_REF, 'refs/notes/theirs');
  expect(await linesOf(a)).toEqual(['{"a":1}']);
  expect(a.git('rev-list', TRACE_REF)).toContain(theirs);
});
