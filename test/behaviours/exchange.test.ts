import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told, topic } from './told.ts';

const BASE = 'base one\nbase two\nbase three\n';
let shop: Workshop;
let server: string;
/** A clone of the same server that knows nothing of us: a colleague, or a forge. */
let other: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', BASE);
  shop.commit('start');
  server = fs.mkdtempSync(path.join(shop.home, 'server-'));
  shop.git('clone', '-q', '--bare', shop.dir, server);
  shop.git('remote', 'add', 'origin', server);
  shop.git('fetch', '-q');
  shop.git('branch', '-q', '-u', 'origin/main', 'main');
  other = shop.in(fs.mkdtempSync(path.join(shop.home, 'other-')));
  other.git('clone', '-q', server, '.');
});
afterEach(() => shop.remove());

function elsewhere(file: string, text: string): void {
  other.human(file, text);
  other.commit('elsewhere');
  other.git('push', '-q', 'origin', 'HEAD');
}

function publish(): void {
  shop.git('push', '-q', 'origin', 'refs/notes/agent/*:refs/notes/agent/*', 'topic');
}

describe('84: pull --rebase', () => {
  test.each([
    ['by a flag', [], ['pull', '-q', '--rebase']],
    ['by configuration', ['pull.rebase', 'true'], ['pull', '-q']],
    ['by an alias', ['alias.up', 'pull -q --rebase'], ['up']],
    ['by an alias of the shell', ['alias.up', '!git pull -q --rebase origin main'], ['up']],
  ])('%s', async (_, config, command) => {
    if (config.length > 0) shop.git('config', ...config);
    shop.ai('base.ts', `${BASE}agent four\n`);
    const old = shop.commit('agent');
    shop.human('h.ts', 'person one\n');
    shop.commit('person');
    elsewhere('base.ts', `elsewhere zero\n${BASE}`);
    shop.git(...command);
    expect(shop.git('rev-parse', 'HEAD~1')).not.toBe(old);
    const [base, mine] = await told(shop, 'base.ts', 'h.ts');
    // what came from elsewhere has no record: nobody here can tell who wrote it
    expect([base, mine]).toEqual(['uhhha', 'h']);
    expect((await shop.json('base.ts')).lines[4]).toMatchObject({ session: 's1', via: 'note' });
  });
});

test('85: a rejected push, a pull that fails, then pull --rebase', async () => {
  shop.ai('a.ts', 'agent one\nagent two\n');
  shop.commit('agent');
  elsewhere('o.ts', 'from elsewhere\n');
  expect(() => shop.git('push', '-q', 'origin', 'main')).toThrow();
  expect(() => shop.git('pull', '-q', '--ff-only')).toThrow();
  await shop.work();
  shop.git('pull', '-q', '--rebase');
  shop.git('push', '-q', 'origin', 'main');
  expect(await told(shop, 'a.ts', 'o.ts')).toEqual(['aa', 'u']);
});

test('86: a branch is force-pushed by somebody else: the notes stay, and say the same', async () => {
  topic(shop);
  await shop.work();
  publish();
  const old = shop.git('rev-parse', 'topic');
  const note = shop.notes(old);
  other.git('fetch', '-q', 'origin', 'topic:topic');
  other.git('checkout', '-q', 'topic');
  other.git('commit', '-q', '--amend', '-m', 'said in other words');
  other.git('push', '-q', '-f', 'origin', 'topic');
  shop.git('fetch', '-q');
  shop.git('reset', '-q', '--hard', 'origin/topic');
  expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['aa', 'h', 'a']);
  expect(shop.notes(old)).toEqual(note);
});

describe('a forge that knows nothing of us', () => {
  beforeEach(() => {
    topic(shop);
  });

  /** The forge's own way to bring the branch in; then it comes here. */
  async function merged(...how: string[][]): Promise<void> {
    await shop.work();
    publish();
    other.git('fetch', '-q', 'origin', 'topic:topic');
    other.human('m.ts', 'elsewhere\n');
    other.commit('elsewhere');
    for (const args of how) other.git(...args);
    other.git('push', '-q', 'origin', 'main');
    shop.git('checkout', '-q', 'main');
    shop.git('pull', '-q');
  }

  test('90: a squash: commits before it get no note', async () => {
    await merged(['merge', '-q', '--squash', 'topic'], ['commit', '-q', '-m', 'topic (#1)']);
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts', 'm.ts')).toEqual(['aa', 'h', 'a', 'u']);
    expect(() => shop.notes('HEAD~1')).toThrow();
  });

  test('91: a rebase pairs the commits in order', async () => {
    await merged(['rebase', '-q', 'main', 'topic'], ['checkout', '-q', 'main'], ['merge', '-q', '--ff-only', 'topic']);
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['aa', 'h', 'a']);
    const found = await shop.json('a.ts');
    expect(found.lines[0]).toMatchObject({ session: 's1', commit: shop.git('rev-parse', 'HEAD~2') });
    expect((await shop.json('b.ts')).lines[0]).toMatchObject({ session: 's2' });
  });

  test('92: what has a note is left alone, however often the work runs', async () => {
    await merged(['merge', '-q', '--no-ff', '-m', 'merged', 'topic']);
    await shop.work();
    const tip = shop.git('rev-parse', 'refs/notes/agent/trace');
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['aa', 'h', 'a']);
    await shop.work();
    expect(shop.git('rev-parse', 'refs/notes/agent/trace')).toBe(tip);
  });
});

test('93: a fork’s branch without notes: nobody knows, and nothing fails', async () => {
  const fork = shop.in(fs.mkdtempSync(path.join(shop.home, 'fork-')));
  fork.git('clone', '-q', server, '.');
  fork.human('f.ts', 'written in the fork\nand another line of it\n');
  fork.commit('fork');
  shop.git('pull', '-q', '--no-rebase', fork.dir, 'HEAD');
  expect(await told(shop, 'f.ts', 'base.ts')).toEqual(['uu', 'hhh']);
});

test('94: a branch of a person only has no agent in it, however it is merged', async () => {
  shop.ai('a.ts', 'agent one\n');
  shop.commit('agent');
  shop.git('push', '-q', 'origin', 'main');
  shop.git('checkout', '-q', '-b', 'topic');
  shop.human('h.ts', 'person one\nperson two\n');
  shop.commit('person');
  await shop.work();
  publish();
  other.git('pull', '-q');
  other.git('fetch', '-q', 'origin', 'topic:topic');
  other.git('merge', '-q', '--squash', 'topic');
  other.git('commit', '-q', '-m', 'topic (#2)');
  other.git('push', '-q', 'origin', 'main');
  shop.git('checkout', '-q', 'main');
  shop.git('pull', '-q');
  expect(await told(shop, 'h.ts', 'a.ts')).toEqual(['hh', 'a']);
});

describe('95: the remote was added after init', () => {
  const refspecs = () => shop.git('config', '--get-all', 'remote.origin.fetch').split('\n');
  const notes = '+refs/notes/agent/*:refs/notes/origin/agent/*';
  const status = async () => (await shop.agent('status')).stdout;

  test.each(['push', 'fetch', 'sync'])('from the first git agent %s on its notes come with git pull', async (verb) => {
    expect(await status()).toContain("origin's do not come with git fetch: run git agent fetch origin");
    expect((await shop.agent(verb, '--dry-run')).status).toBe(0);
    expect(refspecs()).toHaveLength(1);
    for (const _ of ['once', 'again']) expect((await shop.agent(verb)).status).toBe(0);
    expect(refspecs()).toEqual(['+refs/heads/*:refs/remotes/origin/*', notes]);
    await other.init();
    other.ai('c.ts', 'agent alpha\nagent beta\n');
    other.commit('agent');
    await other.agent('push');
    other.git('push', '-q', 'origin', 'main');
    shop.git('pull', '-q');
    expect(await shop.blame('c.ts')).toBe('aa');
    expect(await status()).not.toContain('git fetch');
    await shop.agent('deinit');
    expect(refspecs()).toEqual(['+refs/heads/*:refs/remotes/origin/*']);
  });

  test('nothing is set where init was not run, with jj, or where the configuration cannot be written', async () => {
    fs.writeFileSync(path.join(shop.common, 'config.lock'), '');
    expect((await shop.agent('fetch')).status).toBe(0);
    expect(fs.readFileSync(path.join(shop.common, 'agent/hooks.log'), 'utf8')).toContain('git fetch origin');
    fs.rmSync(path.join(shop.common, 'config.lock'));
    fs.mkdirSync(path.join(shop.dir, '.jj'));
    expect((await shop.agent('fetch')).status).toBe(0);
    fs.rmdirSync(path.join(shop.dir, '.jj'));
    expect(refspecs()).toHaveLength(1);
    await other.agent('fetch');
    expect(other.git('config', '--get-all', 'remote.origin.fetch').split('\n')).toHaveLength(1);
  });
});
