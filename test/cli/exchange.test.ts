import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findRepository } from '../../src/git/repository.ts';
import { appendNotes } from '../../src/notes/append.ts';
import { readAllNotes } from '../../src/notes/read.ts';
import { LOG_REF, TRACE_REF } from '../../src/notes/refs.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, openRepository, type TestRepository } from '../support/repository.ts';
import { openWorkshop } from '../support/workshop.ts';
import { buildPrograms, call, type Programs } from './program.ts';

let programs: Programs;
let root: string;
let hub: TestRepository;
let commit: string;

beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.remove());
beforeEach(() => {
  root = makeFolder('exchange');
  fs.mkdirSync(path.join(root, 'hub.git'));
  hub = openRepository(path.join(root, 'hub.git'));
  hub.git('init', '-q', '--bare', '-b', 'main');
  const first = clone('first');
  commit = first.commit();
  first.git('push', '-q', 'origin', 'HEAD:main');
});
afterEach(() => removeFolder(root));

function clone(name: string): TestRepository {
  openRepository(root).git('clone', '-q', hub.dir, name);
  return openRepository(path.join(root, name));
}

async function note({ dir }: TestRepository, line: string, ref: string = TRACE_REF): Promise<void> {
  await appendNotes(await findRepository(dir), ref, new Map([[commit, [line]]]));
}

async function linesOf({ dir }: TestRepository, ref: string = TRACE_REF): Promise<string[]> {
  return ((await readAllNotes({ cwd: dir }, [ref])).notes.get(commit) ?? []).toSorted();
}

function agent({ dir }: TestRepository, ...args: string[]) {
  const { status, stdout, stderr } = call(programs, dir, ['git', 'agent', ...args]);
  return { status, stdout, stderr };
}

const refs = (repository: TestRepository) => repository.git('for-each-ref', '--format=%(refname) %(objectname)');

test('fetch, push and sync say in one line each what they did', async () => {
  const [a, b] = [clone('a'), clone('b')];
  const said = (stderr: string) => ({ status: 0, stdout: '', stderr });
  expect(agent(a, 'fetch')).toEqual(said('origin has no notes yet.\n'));
  expect(agent(a, 'push')).toEqual(said('Nothing to push: there are no notes here yet.\n'));
  await note(a, '{"a":1}');
  const before = [refs(a), refs(hub)];
  expect(agent(a, 'push', '--dry-run')).toEqual(said('Would push notes to origin.\n'));
  expect([refs(a), refs(hub)]).toEqual(before);
  expect(agent(a, 'push')).toEqual(said('Pushed notes to origin.\n'));
  expect(agent(a, 'push', 'origin')).toEqual(said('origin has all our notes already.\n'));
  await note(b, '{"b":1}');
  expect(agent(b, 'sync', '-n')).toEqual(said('Would fetch the notes of origin.\nWould push notes to origin.\n'));
  expect(agent(b, 'sync')).toEqual(said('Fetched the notes of origin.\nPushed notes to origin.\n'));
  expect(agent(b, 'sync')).toEqual(said('origin has no new notes.\norigin has all our notes already.\n'));
  expect(agent(a, 'sync')).toEqual(said('Fetched the notes of origin.\norigin has all our notes already.\n'));
  expect(await linesOf(a)).toEqual(['{"a":1}', '{"b":1}']);
  expect(agent(a, 'fetch', hub.dir)).toMatchObject({ status: 2, stderr: expect.stringContaining('git agent sync') });
  expect(agent(a, 'sync', hub.dir)).toMatchObject({ status: 0 });
  expect(a.git('for-each-ref', 'refs/agent')).toBe('');
});

test('what is pending is worked in before it is pushed', async () => {
  const shop = await openWorkshop();
  try {
    shop.git('remote', 'add', 'origin', hub.dir);
    shop.ai('f', 'one\n');
    const made = shop.commit();
    expect(await shop.agent('push')).toMatchObject({ status: 0, stderr: 'Pushed notes to origin.\n' });
    const { notes } = await readAllNotes({ cwd: hub.dir }, [TRACE_REF]);
    expect(notes.get(made)?.join('\n')).toContain('claude-code');
    expect(hub.git('for-each-ref', '--format=%(refname)', 'refs/notes')).toBe([LOG_REF, TRACE_REF].join('\n'));
  } finally {
    shop.remove();
  }
});

test('ten clones that push at once: the remote ends with all lines of all', async () => {
  const clones = Array.from({ length: 10 }, (_, n) => clone(`c${n}`));
  for (const [n, one] of clones.entries()) {
    await note(one, `{"n":${n}}`);
    await note(one, `{"log":${n}}`, LOG_REF);
  }
  const codes = await Promise.all(clones.map(({ dir }) => push(dir)));
  expect(codes).toEqual(clones.map(() => ({ code: 0, err: 'Pushed notes to origin.\n' })));
  expect(await linesOf(hub)).toEqual(clones.map((_, n) => `{"n":${n}}`));
  expect(await linesOf(hub, LOG_REF)).toEqual(clones.map((_, n) => `{"log":${n}}`));
  expect(hub.git('fsck', '--no-dangling')).toBe('');
}, 180_000);

function push(cwd: string): Promise<{ code: number | null; err: string }> {
  const child = spawn('git', ['agent', 'push'], { cwd, env: programs.env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })));
}

describe('a remote that does not take notes', () => {
  const oneSentence = (words: RegExp) => ({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`^git agent: [^\\n]*${words.source}[^\\n]*\\n$`)),
  });

  test.each([
    ['pre-receive', /origin does not take refs\/notes\/agent\/trace: .*pre-receive hook declined.*no notes please/],
    ['update', /origin does not take refs\/notes\/agent\/trace: .*hook declined.*no notes please/],
  ])('its %s hook says no', async (name, words) => {
    const test = name === 'update' ? 'case $1 in' : 'read _ _ ref; case $ref in';
    hub.write(`hooks/${name}`, `#!/bin/sh\n${test} refs/notes/*) echo no notes please >&2; exit 1;; esac\n`);
    fs.chmodSync(path.join(hub.dir, 'hooks', name), 0o755);
    const a = clone('a');
    await note(a, '{"a":1}');
    expect(agent(a, 'push')).toEqual(oneSentence(words));
    expect(agent(a, 'sync').status).toBe(1);
    expect(await linesOf(a)).toEqual(['{"a":1}']);
    expect(refs(hub)).not.toContain('refs/notes');
  });

  test('it hides them', async () => {
    hub.git('config', 'receive.hideRefs', 'refs/notes');
    const a = clone('a');
    await note(a, '{"a":1}');
    expect(agent(a, 'push')).toEqual(oneSentence(/hidden ref/));
  });

  test('it is gone', async () => {
    const a = clone('a');
    await note(a, '{"a":1}');
    a.git('remote', 'set-url', 'origin', path.join(root, 'nowhere'));
    for (const verb of ['push', 'fetch', 'sync']) {
      expect(agent(a, verb)).toEqual(oneSentence(/origin.*does not appear to be a git repository/));
    }
    // a slip is a wrong call: no connection is tried
    expect(agent(a, 'push', 'orign')).toMatchObject({
      status: 2,
      stderr: 'git agent: orign is no remote of this repository, no folder and no address: git remote -v lists.\n',
    });
  });

  test('it may only be read', async () => {
    const a = clone('a');
    await note(a, '{"a":1}');
    // a file where a folder must be stops even the user who may do everything
    removeFolder(path.join(hub.dir, 'objects'));
    fs.writeFileSync(path.join(hub.dir, 'objects'), '');
    expect(agent(a, 'push')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^git agent: [^\n]*origin[^\n]*\n$/),
    });
  });

  test('its refs cannot be written: it is said before long', async () => {
    const a = clone('a');
    await note(a, '{"a":1}');
    fs.writeFileSync(path.join(hub.dir, 'refs/notes'), '');
    const began = Date.now();
    expect(agent(a, 'push')).toEqual(oneSentence(/origin does not take refs\/notes\/agent\/trace/));
    expect(Date.now() - began).toBeLessThan(30_000);
  });
});

describe('something else is in the place of notes', () => {
  /** As anybody can who may push. */
  const putBlob = (ref: string) => {
    const blob = hub.gitBytes(['hash-object', '-w', '--stdin'], 'hi\n').toString().trim();
    hub.git('update-ref', ref, blob);
    return blob;
  };

  test.each(['push', 'sync'])('%s leaves it alone, pushes the rest, and says what helps; it does', async (verb) => {
    const blob = putBlob(LOG_REF);
    const a = clone('a');
    await note(a, '{"a":1}');
    await note(a, '{"log":1}', LOG_REF);
    const answer = agent(a, verb);
    expect(answer).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /git agent: refs\/notes\/agent\/log was not pushed, origin has something else there: git push origin --delete refs\/notes\/agent\/log takes that away; then run git agent sync origin\. Everything else is there\.\n$/,
      ),
    });
    expect(hub.git('rev-parse', LOG_REF)).toBe(blob);
    expect(await linesOf(hub)).toEqual(['{"a":1}']);
    expect(await linesOf(a, LOG_REF)).toEqual(['{"log":1}']);
    a.git('push', '-q', 'origin', '--delete', LOG_REF);
    expect(agent(a, 'sync', 'origin').status).toBe(0);
    expect(await linesOf(hub, LOG_REF)).toEqual(['{"log":1}']);
  });

  test('a path, of which nothing is known before; shared conversations', async () => {
    putBlob(LOG_REF);
    putBlob('refs/agent/sessions');
    const a = clone('a');
    await note(a, '{"a":1}');
    await note(a, '{"log":1}', LOG_REF);
    a.git('update-ref', 'refs/agent/sessions', commit);
    expect(agent(a, 'push', hub.dir)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/agent\/log was not pushed.*refs\/agent\/sessions was not pushed/),
    });
    expect(await linesOf(hub)).toEqual(['{"a":1}']);
    expect(a.git('for-each-ref', 'refs/agent/passing')).toBe('');
  });
});

test('over the git protocol', async (ctx) => {
  const port = 20_000 + (process.pid % 20_000);
  const daemon = spawn(
    'git',
    [
      'daemon',
      '--export-all',
      '--enable=receive-pack',
      `--base-path=${root}`,
      '--listen=127.0.0.1',
      `--port=${port}`,
      '--reuseaddr',
    ],
    { stdio: 'ignore' },
  );
  try {
    const url = `git://127.0.0.1:${port}/hub.git`;
    let up = false;
    for (let n = 0; n < 50 && !up; n++) {
      up = spawnSync('git', ['ls-remote', url]).status === 0;
      if (!up) await sleep(100);
    }
    if (!up) ctx.skip('git daemon cannot be started here');
    const a = clone('a');
    a.git('remote', 'set-url', 'origin', url);
    await note(a, '{"a":1}');
    expect(agent(a, 'sync')).toMatchObject({
      status: 0,
      stderr: 'origin has no notes yet.\nPushed notes to origin.\n',
    });
    expect(await linesOf(hub)).toEqual(['{"a":1}']);
  } finally {
    daemon.kill();
  }
});

test("the user's own fetch --prune and mirrors lose nothing of ours", async () => {
  const a = clone('a');
  a.git('config', '--add', 'remote.origin.fetch', '+refs/notes/agent/*:refs/notes/origin/agent/*');
  await note(a, '{"a":1}');
  a.git('fetch', '-q', '--prune', 'origin');
  expect(await linesOf(a)).toEqual(['{"a":1}']);
  agent(a, 'push');
  openRepository(root).git('clone', '-q', '--mirror', hub.dir, 'mirror.git');
  const mirror = openRepository(path.join(root, 'mirror.git'));
  expect(await linesOf(mirror)).toEqual(['{"a":1}']);
  openRepository(root).git('init', '-q', '--bare', 'copy.git');
  a.git('push', '-q', '--mirror', path.join(root, 'copy.git'));
  const copy = openRepository(path.join(root, 'copy.git'));
  expect(await linesOf(copy)).toEqual(['{"a":1}']);
  await note(a, '{"a":2}');
  expect(agent(a, 'push', path.join(root, 'copy.git'))).toMatchObject({ status: 0 });
  expect(await linesOf(copy)).toEqual(['{"a":1}', '{"a":2}']);
});
