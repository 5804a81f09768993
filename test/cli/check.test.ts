import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { buildPrograms, call, type Programs } from './program.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const check = async (...args: string[]) => {
  const { status, stdout, stderr } = await shop.agent('check', ...args);
  return { status, stdout, stderr };
};

async function withPolicy(policy: unknown): Promise<void> {
  shop = await openWorkshop({ agents: false });
  shop
    .human('.agent-policy.json', typeof policy === 'string' ? policy : JSON.stringify(policy))
    .human('a.ts', 'one\ntwo\n');
  shop.commit('start');
}

describe('what passes and what does not', () => {
  test('without a policy nothing is asked for', async () => {
    shop = await openWorkshop({ agents: false });
    shop.human('a.ts', 'one\n').commit();
    expect(await check('HEAD')).toEqual({
      status: 0,
      stdout: '',
      stderr: 'git agent: there is no .agent-policy.json: nothing is asked for.\n',
    });
  });

  test('a commit with no record at all is stopped, and what to do is said', async () => {
    await withPolicy({ requireAttribution: 'block' });
    const { status, stdout } = await check('HEAD');
    expect(status).toBe(1);
    expect(stdout).toContain('The policy says no');
    for (const way of ['git agent backfill', 'git agent declare']) expect(stdout).toContain(way);
    await shop.agent('declare', '--human');
    expect((await check('HEAD')).status).toBe(0);
  });

  test('a warning lets it pass', async () => {
    await withPolicy({ requireAttribution: 'warn' });
    const { status, stdout } = await check('HEAD');
    expect([status, stdout]).toEqual([0, expect.stringContaining('WARN')]);
  });

  test('JSON and SARIF are machine formats on standard output alone', async () => {
    await withPolicy({ requireAttribution: 'block' });
    const { status, stdout, stderr } = await check('HEAD', '--format', 'json');
    expect([status, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'git-agent-blame/check@1', blocked: true });
    const sarif = JSON.parse((await check('HEAD', '--format', 'sarif')).stdout);
    expect(sarif.runs[0].results[0].ruleId).toBe('requireAttribution');
  });

  test('without a range: what no remote has', async () => {
    await withPolicy({ requireAttribution: 'block' });
    shop.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    expect((await check()).status).toBe(0);
    shop.human('b.ts', 'three\n').commit();
    expect((await check()).status).toBe(1);
  });

  test('the policy may be that of another commit', async () => {
    await withPolicy({ requireAttribution: 'block' });
    shop.human('.agent-policy.json', '{}').human('b.ts', 'three\n').commit();
    expect((await check('HEAD')).status).toBe(0);
    expect((await check('HEAD', '--policy-from', 'HEAD~1')).status).toBe(1);
  });

  test('a commit that calls its own files binary does not exempt itself', async () => {
    await withPolicy({ requireAttribution: 'block' });
    shop.human('.gitattributes', '* -diff\n').human('b.ts', 'three\n').commit();
    const { status, stdout } = await check('HEAD', '--policy-from', 'HEAD~1', '--format', 'json');
    expect([status, JSON.parse(stdout).counts.lines.total]).toEqual([1, 2]);
  });
});

test.each([
  ['not JSON', '{"requireAttribution": }', ':1:24: not JSON'],
  [
    'an unknown key',
    '{\n "requireAtribution": "block"\n}',
    ':2:2: there is no "requireAtribution" in a policy: did you mean requireAttribution?',
  ],
  ['a wrong type', '{\n\n "maxAiShare": "half"}', ':3:16:'],
  ['a level that is none', '{"requireSeal":"sometimes"}', ':1:16:'],
  [
    'letters that changed places',
    '{"requireSeal":"blcok"}',
    ':1:16: must be "off", "warn" or "block": did you mean "block"?',
  ],
  ['a glob with an error', '{"exclude":["src/[ab"]}', ':1:'],
])('a policy with %s blocks, and the line is named', async (_, text, place) => {
  await withPolicy(text);
  const { status, stderr } = await check('HEAD');
  expect(status).toBe(1);
  expect(stderr).toContain(`git agent: .agent-policy.json${place}`);
  expect(stderr).toContain('nothing passes until .agent-policy.json is mended');
});

test.each(['HEAD:a.ts', 'HEAD^{tree}'])('%s is no range of commits, and nothing that passes', async (name) => {
  await withPolicy({ requireAttribution: 'block' });
  const { status, stderr } = await check(name);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`${name} names no commit`)]);
});

test('a policy from a commit that is not here is a mistake, not a policy that asks for nothing', async () => {
  await withPolicy({ requireAttribution: 'block' });
  const { status, stderr } = await check('HEAD', '--policy-from', 'typo/main');
  expect([status, stderr]).toEqual([2, expect.stringContaining('typo/main names no commit')]);
});

test('notes whose tree is not here are notes that could not be read', async () => {
  await withPolicy({ maxAiShare: 0, requireAttribution: 'block' });
  await shop.agent('declare', '--tool', 'cursor');
  const tree = shop.git('rev-parse', 'refs/notes/agent/trace^{tree}');
  fs.rmSync(path.join(shop.dir, '.git/objects', tree.slice(0, 2), tree.slice(2)), { force: true });
  const { status, stdout } = await check('HEAD');
  expect([status, stdout]).toEqual([1, expect.stringMatching(/could not be read|not read/)]);
});

test('a gate that cannot read notes says so, and blocks only if the policy says block', async () => {
  await withPolicy({ requireAttribution: 'block' });
  shop.human('b.ts', 'x\n').commit();
  // a note whose blob is gone
  const id = shop.git('rev-parse', 'HEAD');
  shop.git('notes', '--ref=agent/trace', 'add', '-m', 'x', id);
  const blob = shop.git('rev-parse', `refs/notes/agent/trace:${id}`);
  fs.rmSync(path.join(shop.dir, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
  const { status, stdout } = await check('HEAD');
  expect([status, stdout]).toEqual([1, expect.stringMatching(/could not be read|not read/)]);
  shop.human('.agent-policy.json', '{"requireAttribution":"warn"}');
  expect((await check('HEAD')).status).toBe(0);
});

describe('what a push brings', () => {
  let programs: Programs;
  let folder: string;
  beforeAll(async () => {
    programs = await buildPrograms();
  });
  afterAll(() => programs.remove());
  afterEach(() => removeFolder(folder));

  /** A repository whose policy blocks, and the ids of three commits of which the first is on the remote. */
  async function pushed(): Promise<string[]> {
    folder = makeFolder('push');
    await withPolicy({ requireAttribution: 'block' });
    const ids = [shop.git('rev-parse', 'HEAD'), shop.human('b.ts', 'b\n').commit(), shop.human('c.ts', 'c\n').commit()];
    shop.git('remote', 'add', 'origin', folder);
    shop.git('update-ref', 'refs/remotes/origin/main', ids[0] ?? '');
    return ids;
  }
  const hook = (input: string, ...args: string[]) =>
    spawnSync('git', ['agent', 'check', ...args, '--format', 'json'], {
      cwd: shop.dir,
      env: programs.env,
      encoding: 'utf8',
      input,
    });
  const judged = (input: string, ...args: string[]) => {
    const { status, stdout, stderr } = hook(input, ...args);
    expect(stderr).toBe('');
    return { status, commits: JSON.parse(stdout).counts.commits };
  };
  const ZERO = '0'.repeat(40);
  const push = (...lines: string[]) => judged(lines.map((line) => `${line}\n`).join(''), '--pre-push', 'origin');

  test('a branch that grows, a new one, several refs, a forced push, tags, deletions, nothing at all', async () => {
    const [one = '', two = '', three = ''] = await pushed();
    expect(push(`refs/heads/main ${three} refs/heads/main ${one}`)).toEqual({ status: 1, commits: 2 });
    expect(push(`refs/heads/main ${three} refs/heads/new ${ZERO}`)).toEqual({ status: 1, commits: 2 });
    expect(push(`refs/heads/a ${two} refs/heads/a ${ZERO}`, `refs/heads/b ${three} refs/heads/b ${ZERO}`)).toEqual({
      status: 1,
      commits: 2,
    });
    // the remote's tip is not here: it was forced away
    expect(push(`refs/heads/main ${two} refs/heads/main ${'1'.repeat(40)}`)).toEqual({ status: 1, commits: 1 });
    expect(push(`(delete) ${ZERO} refs/heads/old ${one}`)).toEqual({ status: 0, commits: 0 });
    shop.git('tag', '-a', 'v1', '-m', 'v1', two);
    expect(push(`refs/tags/v1 ${shop.git('rev-parse', 'v1')} refs/tags/v1 ${ZERO}`)).toEqual({ status: 1, commits: 1 });
    expect(push(`refs/tags/f ${shop.git('rev-parse', 'HEAD:a.ts')} refs/tags/f ${ZERO}`)).toEqual({
      status: 0,
      commits: 0,
    });
    expect(push()).toEqual({ status: 0, commits: 0 });
    const strange = hook('garbage\n', '--pre-push', 'origin');
    expect([strange.status, strange.stderr]).toEqual([2, expect.stringContaining('not what git tells')]);
    const lost = hook(`refs/heads/x ${'1'.repeat(40)} refs/heads/x ${ZERO}\n`, '--pre-push', 'origin');
    expect([lost.status, lost.stderr]).toEqual([3, expect.stringContaining('is not in this repository')]);
    expect(push(`refs/notes/x ${three} refs/notes/x ${ZERO}`)).toEqual({ status: 0, commits: 0 });
  });

  test('a push to a remote\u2019s address is one to that remote: what only another has is judged', async () => {
    const [, two = '', three = ''] = await pushed();
    shop.git('remote', 'add', 'fork', '../fork');
    shop.git('update-ref', 'refs/remotes/fork/main', two);
    const line = `refs/heads/main ${three} refs/heads/new ${ZERO}\n`;
    const relative = path.relative(shop.dir, folder);
    for (const name of ['origin', folder, `${folder}/`, relative])
      expect([name, judged(line, '--pre-push', name).commits]).toEqual([name, 2]);
    expect(judged(line, '--pre-push', 'fork').commits).toBe(1);
    expect(judged(line, '--pre-push', '/nowhere').commits).toBe(1);
  });

  test('a push to a remote that was never fetched from: what any other has is not judged, until more is known', async () => {
    const [one = '', two = '', three = ''] = await pushed();
    shop.git('update-ref', 'refs/remotes/origin/main', two);
    shop.git('remote', 'add', 'fork', '../fork');
    const line = `refs/heads/main ${three} refs/heads/new ${ZERO}\n`;
    expect(judged(line, '--pre-push', 'fork').commits).toBe(1);
    shop.git('update-ref', 'refs/remotes/fork/main', one);
    expect(judged(line, '--pre-push', 'fork').commits).toBe(2);
  });

  test('a server takes notes that come with the same push into account', async () => {
    await pushed();
    await shop.agent('declare', 'origin/main..HEAD', '--human');
    const hub = path.join(folder, 'hub.git');
    shop.git('init', '-q', '--bare', '-b', 'main', hub);
    shop.git('push', '-q', hub, 'refs/remotes/origin/main:refs/heads/main');
    fs.writeFileSync(path.join(hub, 'hooks/pre-receive'), '#!/bin/sh\nexec git-agent check --pre-receive\n', {
      mode: 0o755,
    });
    const alone = call(programs, shop.dir, ['git', 'push', '-q', hub, 'HEAD:main']);
    expect([alone.status, alone.stderr]).toEqual([1, expect.stringContaining('The push is stopped')]);
    const both = call(programs, shop.dir, ['git', 'push', '-q', hub, 'HEAD:main', 'refs/notes/agent/trace']);
    expect([both.status, both.stderr]).toEqual([0, '']);
  });

  /** A server that asks for attribution, with the policy on main. */
  async function server(): Promise<(...refspecs: string[]) => number | null> {
    await pushed();
    const hub = path.join(folder, 'hub.git');
    shop.git('init', '-q', '--bare', '-b', 'main', hub);
    shop.git('push', '-q', hub, 'refs/remotes/origin/main:refs/heads/main');
    const gate = '#!/bin/sh\nexec git-agent check --pre-receive\n';
    fs.writeFileSync(path.join(hub, 'hooks/pre-receive'), gate, { mode: 0o755 });
    return (...refspecs) => call(programs, shop.dir, ['git', 'push', '-q', hub, ...refspecs]).status;
  }

  test('commits that came in as notes are judged when they come as a branch', async () => {
    const send = await server();
    expect(send('HEAD:refs/notes/x', 'HEAD:refs/agent/x')).toBe(0);
    expect(send('HEAD:refs/heads/x')).toBe(1);
  });

  test('a ref that replaces the policy, or a commit, changes nothing', async () => {
    const send = await server();
    const empty = spawnSync('git', ['hash-object', '-w', '--stdin'], { cwd: shop.dir, input: '{}', encoding: 'utf8' });
    const policy = shop.git('rev-parse', 'refs/remotes/origin/main:.agent-policy.json');
    expect(send(`${empty.stdout.trim()}:refs/replace/${policy}`)).toBe(0);
    const other = shop.git('commit-tree', '-m', 'empty', shop.git('rev-parse', 'refs/remotes/origin/main^{tree}'));
    expect(send(`${other}:refs/replace/${shop.git('rev-parse', 'HEAD')}`)).toBe(1);
    expect(send('HEAD:refs/heads/x')).toBe(1);
  });

  test('notes are not taken away: not deleted, nor set back, but where another ref has what was in them', async () => {
    const send = await server();
    const trace = 'refs/notes/agent/trace';
    await shop.agent('declare', 'origin/main', '--human', '--reason', 'first');
    expect(send(trace)).toBe(0);
    const first = shop.git('rev-parse', trace);
    await shop.agent('declare', 'origin/main..HEAD', '--human');
    expect(send('HEAD:refs/heads/x', trace)).toBe(0);
    const before = shop.git('ls-remote', path.join(folder, 'hub.git'));
    for (const refspecs of [
      [`:${trace}`],
      [`+${first}:${trace}`],
      [`:${trace}`, 'HEAD:refs/heads/y'],
      [`+HEAD:${trace}`],
    ])
      expect([refspecs, send(...refspecs)]).toEqual([refspecs, 1]);
    expect(shop.git('ls-remote', path.join(folder, 'hub.git'))).toBe(before);
    // by year, as docs/scale.md has it
    expect(send(`${trace}:refs/notes/2025/agent/trace`, `:${trace}`)).toBe(0);
    expect(send(':refs/notes/2025/agent/trace')).toBe(1);
    // seals are no place for records
    expect(send(`${trace}:refs/notes/2025/agent/seal`, ':refs/notes/2025/agent/trace')).toBe(1);
  });

  test('a push cannot exempt itself by attributes of its own', async () => {
    const send = await server();
    shop.human('.gitattributes', '* linguist-generated\n').commit();
    expect(send('HEAD:refs/heads/x')).toBe(1);
  });

  test('a broken policy does not get onto the server, and where one is, it can be mended', async () => {
    const send = await server();
    await shop.agent('declare', 'origin/main..HEAD', '--human');
    expect(send('refs/notes/agent/trace')).toBe(0);
    shop.human('.agent-policy.json', '{"requireAttribution":"blok"}').commit('broken');
    await shop.agent('declare', '--human');
    send('refs/notes/agent/trace');
    expect(send('HEAD:refs/heads/main')).toBe(1);
    const hub = path.join(folder, 'hub.git');
    fs.renameSync(path.join(hub, 'hooks/pre-receive'), path.join(hub, 'hooks/away'));
    expect(send('HEAD:refs/heads/main')).toBe(0);
    fs.renameSync(path.join(hub, 'hooks/away'), path.join(hub, 'hooks/pre-receive'));
    expect(send('HEAD~1:refs/heads/y')).toBe(0); // nothing new in it
    shop.human('c.ts', 'more\n').commit('more');
    expect(send('HEAD:refs/heads/z')).toBe(1);
    shop.human('.agent-policy.json', '{"requireAttribution":"block"}').commit('mended');
    await shop.agent('declare', 'HEAD~2..HEAD', '--human');
    send('refs/notes/agent/trace');
    expect(send('HEAD:refs/heads/main')).toBe(0);
  });

  test('a broken policy that came in with another branch is not made HEAD\u2019s', async () => {
    const send = await server();
    shop.git('switch', '-qC', 'broken', 'refs/remotes/origin/main');
    shop.human('.agent-policy.json', '{"requireAttribution":"block",}').commit('broken');
    await shop.agent('declare', '--human');
    expect(send('refs/notes/agent/trace', 'HEAD:refs/heads/other')).toBe(0);
    expect(send('HEAD:refs/heads/main')).toBe(1);
    expect(send(':refs/heads/other')).toBe(0);
  });

  /** A merge of a side branch into main, with another tree. */
  function merge(side: string, tree: string): string {
    return shop.git('commit-tree', '-m', 'merge', '-p', 'refs/remotes/origin/main', '-p', side, tree);
  }

  test('what a side branch hides behind a NUL counts in the merge that takes it away', async () => {
    const send = await server();
    shop.git('switch', '-qC', 'side', 'refs/remotes/origin/main');
    shop.human('e.c', '\0\nhidden one\nhidden two\n').commit('with a NUL');
    const side = shop.git('rev-parse', 'HEAD');
    shop.human('e.c', 'hidden one\nhidden two\n').commit('without');
    const merged = merge(side, shop.git('rev-parse', 'HEAD^{tree}'));
    expect(send(`${side}:refs/heads/a`)).toBe(0);
    expect(send(`${merged}:refs/heads/a`)).toBe(1);
  });

  test.each([
    ['where no other side has one', ''],
    ['where another side has one', 'known one\n'],
  ])('what a side branch keeps in a link counts in the merge that makes a file of it, %s', async (_, known) => {
    const send = await server();
    shop.git('switch', '-qC', 'side', 'refs/remotes/origin/main');
    if (known) shop.human('s.c', known).commit('a file');
    const blob = (text: string) =>
      spawnSync('git', ['hash-object', '-w', '--stdin'], {
        cwd: shop.dir,
        input: text,
        encoding: 'utf8',
      }).stdout.trim();
    const treeWith = (mode: string, text: string) => {
      shop.git('update-index', '--add', '--cacheinfo', `${mode},${blob(text)},s.c`);
      return shop.git('write-tree');
    };
    const own = shop.git('rev-parse', 'HEAD');
    const side = shop.git('commit-tree', '-m', 'link', '-p', own, treeWith('120000', 'hidden one\nhidden two'));
    const tree = treeWith('100644', `${known}hidden one\nhidden two`);
    const merged = shop.git('commit-tree', '-m', 'merge', '-p', own, '-p', side, tree);
    const judged = await check(`${side}..${merged}`, '--policy-from', 'refs/remotes/origin/main', '--format', 'json');
    expect([judged.status, JSON.parse(judged.stdout).counts.lines.total]).toEqual([1, 2]);
    if (!known) expect(send(`${merged}:refs/heads/a`)).toBe(1);
  });

  test('what a merge of very many parents adds counts as of any', async () => {
    const send = await server();
    const base = shop.git('rev-parse', 'refs/remotes/origin/main');
    shop.git('switch', '-qC', 'octopus', base);
    shop.human('e.c', 'hidden one\nhidden two\n').git('add', '-A');
    const parents = Array.from({ length: 70 }, (_, n) =>
      shop.git('commit-tree', '-p', base, '-m', `${n}`, `${base}^{tree}`),
    );
    const merged = shop.git(
      'commit-tree',
      '-m',
      'octopus',
      ...parents.flatMap((one) => ['-p', one]),
      shop.git('write-tree'),
    );
    expect(send(`${merged}:refs/heads/octopus`)).toBe(1);
  });

  test('a range and a hook do not go together', async () => {
    await pushed();
    expect(hook('', '--pre-push', 'origin', '--pre-receive').status).toBe(2);
    expect((await check('HEAD', '--pre-receive')).status).toBe(2);
  });
});
