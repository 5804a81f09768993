import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findRepository } from '../../src/git/repository.ts';
import { appendNotes } from '../../src/notes/append.ts';
import { findPeer } from '../../src/notes/exchange/peer.ts';
import { judgePush } from '../../src/notes/exchange/transport.ts';
import { type Exchange, fetchNotes, pushNotes, takeNotes } from '../../src/notes/exchange.ts';
import { readAllNotes } from '../../src/notes/read.ts';
import { LOG_REF, TRACE_REF } from '../../src/notes/refs.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, openRepository, type TestRepository } from '../support/repository.ts';

let root: string;
let hub: TestRepository;
let commit: string;

beforeEach(() => {
  root = makeFolder('exchange');
  fs.mkdirSync(path.join(root, 'hub.git'));
  hub = openRepository(path.join(root, 'hub.git'));
  hub.git('init', '-q', '--bare', '-b', 'main');
  const first = clone('first');
  first.write('a', 'a\n');
  commit = first.commit();
  first.git('push', '-q', 'origin', 'main');
});
afterEach(() => removeFolder(root));

function clone(name: string, ...args: string[]): TestRepository {
  openRepository(root).git('clone', '-q', ...(args.length > 0 ? args : [hub.dir]), name);
  const repository = openRepository(path.join(root, name));
  repository.git('symbolic-ref', 'HEAD', 'refs/heads/main');
  return repository;
}

async function note({ dir }: TestRepository, line: string, ref: string = TRACE_REF, id = commit): Promise<void> {
  await appendNotes(await findRepository(dir), ref, new Map([[id, [line]]]));
}

async function exchangeOf({ dir }: TestRepository, name?: string): Promise<Exchange> {
  const repository = await findRepository(dir);
  return { repository, peer: await findPeer(repository.place, name, 'push'), talk: repository.place };
}

async function linesOf({ dir }: TestRepository, ref: string = TRACE_REF): Promise<string[]> {
  return ((await readAllNotes({ cwd: dir }, [ref])).notes.get(commit) ?? []).toSorted();
}

const missing = (repository: TestRepository, ref: string) =>
  repository.git('rev-list', '--objects', '--missing=print', ref).match(/^\?/gm)?.length ?? 0;

test('two clones write on one commit: what the second pushes is united with what the first has pushed', async () => {
  const [a, b] = [clone('a'), clone('b')];
  await note(a, '{"a":1}');
  await note(a, '{"a":"log"}', LOG_REF);
  await note(b, '{"b":1}');
  expect(await pushNotes(await exchangeOf(a))).toBe('pushed');
  expect(await pushNotes(await exchangeOf(a))).toBe('up to date');
  expect(await pushNotes(await exchangeOf(b))).toBe('pushed');
  expect(await linesOf(hub)).toEqual(['{"a":1}', '{"b":1}']);
  expect(await linesOf(hub, LOG_REF)).toEqual(['{"a":"log"}']);
  // the second clone's own bytes come first
  expect(b.git('notes', '--ref=agent/trace', 'show', commit)).toBe('{"b":1}\n{"a":1}');
  expect(b.git('rev-parse', 'refs/notes/origin/agent/trace')).toBe(hub.git('rev-parse', TRACE_REF));
  expect(hub.git('for-each-ref', '--format=%(refname)')).toBe(['refs/heads/main', LOG_REF, TRACE_REF].join('\n'));
});

test('a fetch changes nothing of ours; what was fetched is taken when it is asked for', async () => {
  const [a, b] = [clone('a'), clone('b')];
  expect(await fetchNotes(await exchangeOf(b))).toBe('none');
  await note(a, '{"a":1}');
  await pushNotes(await exchangeOf(a));
  await note(b, '{"b":1}');
  const before = b.git('rev-parse', TRACE_REF);
  expect(await fetchNotes(await exchangeOf(b))).toBe('fetched');
  expect(await fetchNotes(await exchangeOf(b))).toBe('nothing new');
  expect(b.git('rev-parse', TRACE_REF)).toBe(before);
  expect(await linesOf(b, 'refs/notes/origin/agent/trace')).toEqual(['{"a":1}']);
  await takeNotes(await exchangeOf(b));
  expect(await linesOf(b)).toEqual(['{"a":1}', '{"b":1}']);
  expect(fs.existsSync(path.join(b.dir, '.git/FETCH_HEAD'))).toBe(false);
});

test('another fetch of the same clone holds the ref just then: it is asked again', async () => {
  const [a, b] = [clone('a'), clone('b')];
  await note(a, '{"a":1}');
  await pushNotes(await exchangeOf(a));
  const lock = path.join(b.dir, '.git/refs/notes/origin/agent/trace.lock');
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  fs.writeFileSync(lock, '');
  // longer than git itself waits
  setTimeout(() => fs.rmSync(lock), 250);
  await fetchNotes(await exchangeOf(b));
  expect(await linesOf(b, 'refs/notes/origin/agent/trace')).toEqual(['{"a":1}']);
});

test("behaviour 89: git's own flat notes and ours in folders, 300 of them: nothing is lost on the way", async () => {
  const [a, b] = [clone('a'), clone('b')];
  const ids = Array.from({ length: 300 }, (_, n) => n.toString(16).padStart(4, '0').repeat(10));
  for (const [i, id] of ids.slice(0, 40).entries())
    a.git('notes', '--ref=agent/trace', 'add', '-m', `{"git":${i}}`, id);
  await appendNotes(await findRepository(b.dir), TRACE_REF, new Map(ids.map((id, i) => [id, [`{"ours":${i}}`]])));
  await pushNotes(await exchangeOf(b));
  await pushNotes(await exchangeOf(a));
  const { notes } = await readAllNotes({ cwd: hub.dir }, [TRACE_REF]);
  expect(ids.map((id) => notes.get(id)?.toSorted())).toEqual(
    ids.map((_, i) => [...(i < 40 ? [`{"git":${i}}`] : []), `{"ours":${i}}`]),
  );
});

describe('clones that have not everything', () => {
  beforeEach(async () => {
    const first = openRepository(path.join(root, 'first'));
    for (let n = 0; n < 5; n++) {
      first.write('a', `${n}\n`);
      await note(first, `{"n":${n}}`, TRACE_REF, first.commit());
    }
    first.git('push', '-q', 'origin', 'main');
    await pushNotes(await exchangeOf(first));
    hub.git('config', 'uploadpack.allowFilter', 'true');
  });

  test('a partial clone gets notes whole', async () => {
    const partial = clone('partial', '--no-checkout', '--filter=blob:none', `file://${hub.dir}`);
    expect(await fetchNotes(await exchangeOf(partial))).toBe('fetched');
    expect(missing(partial, 'refs/notes/origin/agent/trace')).toBe(0);
  });

  test('also those whose history it has fetched by itself, and it unites and pushes them', async () => {
    const partial = clone('partial', '--no-checkout', '--filter=blob:none', `file://${hub.dir}`);
    partial.git('fetch', '-q', 'origin', '+refs/notes/agent/*:refs/notes/origin/agent/*');
    expect(missing(partial, 'refs/notes/origin/agent/trace')).toBeGreaterThan(0);
    commit = hub.git('rev-parse', 'main');
    await note(partial, '{"p":1}');
    expect(await pushNotes(await exchangeOf(partial))).toBe('pushed');
    expect(await linesOf(hub)).toEqual(['{"n":4}', '{"p":1}']);
  });

  test('a shallow clone stays as shallow as it is', async () => {
    const shallow = clone('shallow', '--depth=2', `file://${hub.dir}`);
    const depth = fs.readFileSync(path.join(shallow.dir, '.git/shallow'), 'utf8');
    await fetchNotes(await exchangeOf(shallow));
    commit = hub.git('rev-parse', 'main');
    await note(shallow, '{"s":1}');
    expect(await pushNotes(await exchangeOf(shallow))).toBe('pushed');
    expect(fs.readFileSync(path.join(shallow.dir, '.git/shallow'), 'utf8')).toBe(depth);
    expect(shallow.git('rev-list', '--count', 'main')).toBe('2');
    expect((await readAllNotes({ cwd: shallow.dir }, [TRACE_REF])).notes.size).toBe(5);
    expect(await linesOf(hub)).toEqual(['{"n":4}', '{"s":1}']);
  });
});

describe('remotes of all sorts', () => {
  test('a path, an address, a name with slashes: notes get there, and nothing is left here', async () => {
    const a = clone('a');
    await note(a, '{"a":1}');
    for (const name of ['../other.git', `file://${root}/third.git`]) {
      const dir = path.resolve(a.dir, name.replace('file://', ''));
      openRepository(root).git('init', '-q', '--bare', dir);
      const exchange = await exchangeOf(a, name);
      expect(exchange.peer.passing).toBe(true);
      expect(await pushNotes(exchange)).toBe('pushed');
      expect(await linesOf(openRepository(dir))).toEqual(['{"a":1}']);
    }
    a.git('remote', 'add', 'team/fork', hub.dir);
    expect(await pushNotes(await exchangeOf(a, 'team/fork'))).toBe('pushed');
    expect(a.git('for-each-ref', '--format=%(refname)', 'refs/notes')).toBe(
      [TRACE_REF, 'refs/notes/team/fork/agent/trace'].join('\n'),
    );
  });

  test('settings of the user that would push, fetch, prune or ask for more', async () => {
    const a = clone('a');
    await note(a, '{"a":1}');
    a.git('tag', '-a', '-m', 't', 'v1');
    for (const [key, value] of [
      ['push.followTags', 'true'],
      ['fetch.prune', 'true'],
      ['fetch.pruneTags', 'true'],
      ['remote.origin.mirror', 'true'],
      ['remote.origin.tagOpt', '--tags'],
      ['push.default', 'matching'],
      ['push.recurseSubmodules', 'on-demand'],
    ] as const) {
      a.git('config', key, value);
    }
    a.git('branch', 'mine');
    a.write('.git/hooks/pre-push', '#!/bin/sh\nexit 1\n');
    fs.chmodSync(path.join(a.dir, '.git/hooks/pre-push'), 0o755);
    expect(await pushNotes(await exchangeOf(a))).toBe('pushed');
    expect(hub.git('for-each-ref', '--format=%(refname)')).toBe(['refs/heads/main', TRACE_REF].join('\n'));
    await fetchNotes(await exchangeOf(a));
    expect(a.git('tag')).toBe('v1');
  });

  test('the remote is made anew: the notes get there again', async () => {
    const a = clone('a');
    await note(a, '{"a":1}');
    await pushNotes(await exchangeOf(a));
    removeFolder(hub.dir);
    fs.mkdirSync(hub.dir);
    hub.git('init', '-q', '--bare');
    expect(await pushNotes(await exchangeOf(a))).toBe('pushed');
    expect(await linesOf(hub)).toEqual(['{"a":1}']);
  });

  test("the remote's notes were replaced by force: ours are united with them", async () => {
    const [a, b] = [clone('a'), clone('b')];
    await note(a, '{"a":1}');
    await pushNotes(await exchangeOf(a));
    await note(b, '{"b":1}');
    b.git('push', '-q', '--force', 'origin', TRACE_REF);
    expect(await pushNotes(await exchangeOf(a))).toBe('pushed');
    expect(await linesOf(hub)).toEqual(['{"a":1}', '{"b":1}']);
  });
});

test.each([
  [
    'what the branch pushes to',
    ['branch.main.remote=up', 'branch.main.pushRemote=mine'],
    { push: 'mine', fetch: 'up' },
  ],
  [
    'the default of pushes',
    ['branch.main.remote=up', 'branch.main.merge=refs/heads/main', 'remote.pushDefault=mine'],
    { push: 'mine', fetch: 'up' },
  ],
  ['origin, where nothing is said', [], { push: 'origin', fetch: 'origin' }],
  [
    'origin, where the branch follows one of this repository',
    ['branch.main.remote=.', 'branch.main.merge=refs/heads/x'],
    { push: 'origin', fetch: 'origin' },
  ],
])('without a name: %s', async (_, settings, expected) => {
  const a = clone('a');
  a.git('config', '--remove-section', 'branch.main');
  for (const name of ['up', 'mine']) a.git('remote', 'add', name, hub.dir);
  for (const setting of settings) a.git('config', ...(setting.split('=') as [string, string]));
  const place = { cwd: a.dir };
  expect((await findPeer(place, undefined, 'push')).name).toBe(expected.push);
  expect((await findPeer(place, undefined, 'fetch')).name).toBe(expected.fetch);
});

test('without a name: the only one there is; none, or several without an origin, is a question', async () => {
  const a = clone('a');
  const place = { cwd: a.dir };
  a.git('remote', 'rename', 'origin', 'up');
  a.git('checkout', '-q', '--detach');
  expect((await findPeer(place, undefined, 'push')).name).toBe('up');
  a.git('remote', 'add', 'down', hub.dir);
  await expect(findPeer(place, undefined, 'push')).rejects.toThrow(/name one \(there are: down, up\)/);
  a.git('config', 'remote.pushDefault', 'down');
  expect((await findPeer(place, undefined, 'push')).name).toBe('down');
  for (const name of ['up', 'down']) a.git('remote', 'remove', name);
  await expect(findPeer(place, undefined, 'push')).rejects.toThrow(/git remote add/);
});

describe("git's answers to a push", () => {
  const peer = { name: 'https://me:secret@host/x', refs: '', passing: true };
  const line = (flag: string, said: string) => `To x\n${flag}\tabc:refs/notes/agent/trace\t${said}\nDone\n`;
  const judge = (out: string, err = '', code = 1) => judgePush(peer, { code, out: Buffer.from(out), err });

  test.each([
    '[rejected] (fetch first)',
    '[rejected] (non-fast-forward)',
    '[remote rejected] (failed to update ref)',
    "[remote rejected] (cannot lock ref 'x': is at a but expected b)",
  ])('%s: somebody else was faster', (said) => expect(judge(line('!', said))).toMatchObject({ kind: 'moved' }));

  test.each([
    [
      '[remote rejected] (pre-receive hook declined)',
      'remote: notes are \x1b[31mblocked\nremote:  here\n',
      'notes are  [31mblocked here',
    ],
    ['[remote rejected] (deny updating a hidden ref)', '', 'hidden ref'],
    ['[remote rejected] (unpacker error)', '', 'unpacker error'],
  ])('%s: a refusal that quotes it, without passwords and escapes', (said, err, quoted) => {
    expect(() => judge(line('!', said), err)).toThrow(
      expect.objectContaining({ code: 'refused', message: expect.stringContaining(quoted) }),
    );
    expect(() => judge(line('!', said), err)).not.toThrow(/secret|\x1b/);
  });

  test('one ref got there and the other did not', () => {
    const out = `${line('*', '[new reference]')}${line('!', '[rejected] (fetch first)')}`;
    expect(judge(out)).toMatchObject({ kind: 'moved', part: true });
    expect(judge(line('!', '[rejected] (fetch first)'))).toMatchObject({ part: false });
  });

  test('no connection: the first words of git', () => {
    const err =
      "fatal: 'x' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.";
    expect(() => judge('', err, 128)).toThrow(/host\/x: 'x' does not appear to be a git repository Could not read/);
  });
});
