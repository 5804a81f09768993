import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, openRepository, type TestRepository } from '../support/repository.ts';
import { buildPrograms, call, inWorld, type Programs } from './program.ts';

let root: string;
let hub: TestRepository;
let mine: TestRepository;

beforeEach(() => {
  root = makeFolder('gate');
  hub = open('hub.git', 'init', '-q', '--bare', '-b', 'main');
  for (const key of ['allowFilter', 'allowAnySHA1InWant']) hub.git('config', `uploadpack.${key}`, 'true');
  mine = open('mine', 'init', '-q', '-b', 'main');
  mine.git('remote', 'add', 'origin', hub.dir);
});
afterEach(() => removeFolder(root));

function open(name: string, ...words: string[]): TestRepository {
  const dir = path.join(root, name);
  fs.mkdirSync(dir);
  const repository = openRepository(dir);
  repository.git(...words);
  return repository;
}

const partial = (filter: string) =>
  open('partial', 'clone', '-q', '-b', 'topic', `--filter=${filter}`, `file://${hub.dir}`, '.');

async function check({ dir }: TestRepository, ...args: string[]) {
  const { status, stdout, stderr } = await inWorld(agent, dir, ['check', ...args]);
  return { status, stdout, stderr };
}

/** The policy is on main; a branch takes it away, and brings twenty lines of nobody. */
function twoBranches(policy: unknown): void {
  mine.write('.agent-policy.json', JSON.stringify(policy));
  mine.commit('policy');
  mine.git('checkout', '-q', '-b', 'topic');
  mine.write('.agent-policy.json', '{}');
  mine.write('b.js', Array.from({ length: 20 }, (_, i) => `line ${i} of nobody\n`).join(''));
  mine.commit('topic');
  mine.git('push', '-q', 'origin', 'main', 'topic');
}

describe('a policy that a partial clone lacks', () => {
  test.each(['blob:none', 'tree:0'])('is not one that asks for nothing (%s)', async (filter) => {
    twoBranches({ requireAttribution: 'block' });
    const clone = partial(filter);
    const { status, stderr } = await check(clone, 'HEAD', '--policy-from', 'origin/main');
    const [, fetch = ''] = /(git show \S+) fetches it/.exec(stderr) ?? [];
    expect([status, fetch]).toEqual([1, `git show ${mine.git('rev-parse', 'main').slice(0, 10)}:.agent-policy.json`]);
    clone.git(...fetch.split(' ').slice(1));
    const { stdout } = await check(clone, 'HEAD', '--policy-from', 'origin/main');
    expect(stdout).toContain('The policy says no');
  });

  test('is fetched by pr, with the contents of the change', async () => {
    twoBranches({ requireAttribution: 'block' });
    const clone = partial('blob:none');
    const env = { AGENT_PR_BASE: 'origin/main', AGENT_PR_HEAD: 'HEAD' };
    const { status, stdout } = await inWorld(agent, clone.dir, ['pr', '--check'], { env });
    expect([status, stdout]).toEqual([1, expect.stringContaining('21 lines')]);
  });
});

test('limits cannot be kept where the contents of commits are not here, and what fetches them is said', async () => {
  twoBranches({ maxUnknownShare: 0 });
  const clone = partial('blob:none');
  clone.git('show', 'origin/main:.agent-policy.json');
  clone.write('.agent-policy.json', '{"maxUnknownShare":0}');
  mine.write('b.js', 'all new\n');
  mine.commit('more');
  mine.git('push', '-q', 'origin', 'topic');
  clone.git('fetch', '-q');
  const before = await check(clone, 'origin/main..origin/topic');
  expect([before.status, before.stdout]).toEqual([1, expect.stringContaining('are not in this clone')]);
  expect(before.stdout).not.toContain('note');
  const report = (...args: string[]) => inWorld(agent, clone.dir, ['report', ...args]);
  const says = expect.stringContaining('git fetch --refetch --no-filter');
  expect(await report('origin/main..origin/topic')).toMatchObject({ status: 0, stderr: says });
  expect(await report('--standing', 'origin/topic')).toMatchObject({ status: 3, stderr: says });
  const [, mend = ''] = /(git fetch --\S+ --\S+)/.exec(before.stdout) ?? [];
  clone.git(...mend.split(' ').slice(1));
  const { stdout } = await check(clone, 'origin/main..origin/topic');
  expect(stdout).toContain('2 commits and 22 lines judged');
});

test.each<[string, (file: string) => void]>([
  ['a link', (file) => fs.symlinkSync('real.json', file)],
  ['a folder', (file) => fs.mkdirSync(file)],
  ['too large', (file) => fs.writeFileSync(file, `{"exclude":["${'a'.repeat(2 << 20)}"]}`)],
])('a policy that is %s is broken, and told as a document like any other', async (_, make) => {
  mine.write('real.json', '{}');
  mine.commit();
  make(path.join(mine.dir, '.agent-policy.json'));
  const { status, stdout, stderr } = await check(mine, 'HEAD', '--format', 'json');
  expect([status, stderr]).toEqual([1, expect.stringContaining('.agent-policy.json:1:1: no plain file')]);
  expect(JSON.parse(stdout).findings).toEqual([expect.objectContaining({ rule: 'brokenPolicy' })]);
  const sarif = JSON.parse((await check(mine, 'HEAD', '--format', 'sarif')).stdout);
  expect(sarif.runs[0].results).toEqual([expect.objectContaining({ ruleId: expect.stringMatching(/brokenPolicy/) })]);
});

test('an old file that is put back does not carry in a thousand lines of nobody', async () => {
  mine.write('.agent-policy.json', '{"requireAttribution":"block"}');
  mine.write('a.js', 'a line that is known one\na line that is known two\na line that is known three\n');
  mine.commit('known');
  await inWorld(agent, mine.dir, ['declare', '--human']);
  mine.git('rm', '-q', 'a.js');
  mine.commit('gone');
  mine.git('checkout', '-q', 'HEAD~1', '--', 'a.js');
  mine.commit('back');
  expect((await check(mine, 'HEAD')).status).toBe(0);
  mine.write('b.js', 'nobody\n'.repeat(1000));
  mine.git('add', '-A');
  mine.git('commit', '-q', '--amend', '-m', 'back, and more');
  const { status, stdout } = await check(mine, 'HEAD');
  expect([status, stdout]).toEqual([1, expect.stringContaining('1,000 lines, no record')]);
});

test('a broken policy is a finding in the documents for machines', async () => {
  mine.write('.agent-policy.json', '{\n "requireAttribution": "blok"}');
  mine.commit();
  const json = await check(mine, 'HEAD', '--format', 'json');
  const [finding] = JSON.parse(json.stdout).findings;
  expect([json.status, json.stderr]).toEqual([1, expect.stringContaining('nothing passes')]);
  expect(finding).toMatchObject({
    rule: 'brokenPolicy',
    level: 'block',
    places: [{ path: '.agent-policy.json', lines: [{ start: 2, end: 2 }] }],
  });
  const sarif = await check(mine, 'HEAD', '--format', 'sarif');
  const [result] = JSON.parse(sarif.stdout).runs[0].results;
  const { artifactLocation, region } = result.locations[0].physicalLocation;
  expect([result.ruleId, artifactLocation.uri, region.startLine]).toEqual(['brokenPolicy', '.agent-policy.json', 2]);
});

test('the report that pr writes to a file says what the policy says', async () => {
  twoBranches({ requireAttribution: 'block' });
  const env = { AGENT_PR_BASE: 'main', AGENT_PR_HEAD: 'topic' };
  const file = path.join(root, 'report.md');
  await inWorld(agent, mine.dir, ['pr', '--check', '--output', file], { env });
  expect(fs.readFileSync(file, 'utf8')).toContain('**The policy says no**');
});

test('a policy that is a folder in a commit blocks', async () => {
  mine.write('.agent-policy.json/a', 'x\n');
  mine.commit();
  expect(await check(mine, 'HEAD', '--policy-from', 'HEAD')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('.agent-policy.json:1:1: no plain file'),
  });
});

describe('a server, and one whose HEAD names a branch that is not there', () => {
  let programs: Programs;
  beforeAll(async () => {
    programs = await buildPrograms();
  });
  afterAll(() => programs.remove());
  const push = (...refs: string[]) => {
    const { status, stderr } = call(programs, mine.dir, ['git', 'push', '-q', 'origin', ...refs]);
    return { status, stderr };
  };
  const guard = () =>
    fs.writeFileSync(path.join(hub.dir, 'hooks/pre-receive'), '#!/bin/sh\nexec git-agent check --pre-receive\n', {
      mode: 0o755,
    });

  test('says that records have to be sent first', async () => {
    twoBranches({ requireAttribution: 'block' });
    guard();
    mine.git('checkout', '-q', 'main');
    mine.write('c.js', 'more\n');
    mine.commit();
    const { status, stderr } = push('main');
    expect([status, stderr]).toEqual([1, expect.stringContaining('before you push again: git agent push')]);
    await inWorld(agent, mine.dir, ['declare', '--human']);
    expect(call(programs, mine.dir, ['git', 'agent', 'push']).status).toBe(0);
    expect(push('main')).toEqual({ status: 0, stderr: '' });
  });

  test('lets nothing pass, and says what to do', () => {
    twoBranches({ requireAttribution: 'block' });
    guard();
    hub.git('symbolic-ref', 'HEAD', 'refs/heads/master');
    mine.write('c.js', 'more\n');
    mine.commit();
    for (const ref of ['HEAD:topic', 'HEAD:master']) {
      const { status, stderr } = push(ref);
      expect(status).toBe(1);
      expect(stderr).toContain('HEAD of this repository names refs/heads/master, which is not here');
      expect(stderr).toContain('git symbolic-ref HEAD refs/heads/main');
    }
    expect(push(':topic').status).toBe(0);
  });

  test('whose branch is pushed after another: what to do is said, and helps', () => {
    guard();
    mine.write('a.js', 'one\n');
    mine.commit();
    expect(push('main:other').status).toBe(0);
    mine.write('b.js', 'two\n');
    mine.commit();
    const { status, stderr } = push('main');
    const [, mend = '', back] = /: git (symbolic-ref HEAD \S+) .*, and back to (\S+)/.exec(stderr) ?? [];
    expect([status, mend, back]).toEqual([1, 'symbolic-ref HEAD refs/heads/other', 'refs/heads/main']);
    hub.git(...mend.split(' '));
    expect(push('main')).toEqual({ status: 0, stderr: '' });
  });

  test('takes the first push, with a word if that brings another branch', () => {
    guard();
    mine.write('a.js', 'one\n');
    mine.commit();
    hub.git('symbolic-ref', 'HEAD', 'refs/heads/master');
    expect(push('main')).toEqual({
      status: 0,
      stderr: expect.stringContaining('git symbolic-ref HEAD refs/heads/main'),
    });
    hub.git('update-ref', '-d', 'refs/heads/main');
    expect(push('main:master')).toEqual({ status: 0, stderr: '' });
  });
});

describe.each(['check', 'report', 'report --standing'])('git agent %s without a range', (words) => {
  const ask = (...more: string[]) => inWorld(agent, mine.dir, [...words.split(' '), ...more]);

  test('in a repository without a commit is no wrong call', async () => {
    expect(await ask()).toMatchObject({ status: 3, stderr: expect.stringContaining('make a first commit') });
    expect(await ask('nope')).toMatchObject({ status: 2 });
  });

  test('in a damaged repository is no wrong call', async () => {
    mine.write('a.js', 'one\n');
    mine.commit();
    fs.writeFileSync(path.join(mine.dir, '.git', 'packed-refs'), 'zzz\n');
    expect(await ask()).toMatchObject({ status: 3 });
  });
});

describe('a job in CI', () => {
  const pr = async (env: Readonly<Record<string, string>>) => {
    const { status, stderr } = await inWorld(agent, mine.dir, ['pr'], { env });
    return { status, stderr };
  };

  test('after a push from a place that nobody knows says what was left', async () => {
    twoBranches({});
    const { status, stderr } = await pr({ AGENT_PR_BEFORE: '1'.repeat(40), AGENT_PR_AFTER: 'HEAD' });
    expect([status, stderr]).toEqual([0, expect.stringContaining('1111111111, where the branch was before, is not')]);
    expect((await pr({ AGENT_PR_BEFORE: '0'.repeat(40), AGENT_PR_AFTER: 'HEAD' })).stderr).not.toContain('before');
  });

  test('after the push of a new branch looks at what no other branch has', async () => {
    twoBranches({});
    mine.git('checkout', '-q', '-b', 'release', 'main');
    for (const name of ['c.js', 'd.js']) {
      mine.write(name, `${name}\n`);
      mine.commit(name);
    }
    mine.git('push', '-q', 'origin', 'release');
    const event = path.join(root, 'event.json');
    const after = mine.git('rev-parse', 'HEAD');
    fs.writeFileSync(event, JSON.stringify({ ref: 'refs/heads/release', before: '0'.repeat(40), after }));
    const github = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'push', GITHUB_REPOSITORY: 'ada/engine' };
    const job = () => pr({ ...github, GITHUB_EVENT_PATH: event });
    expect(await job()).toEqual({ status: 0, stderr: expect.stringContaining(' of 2 new commits') });
    for (const name of ['main', 'topic']) mine.git('update-ref', '-d', `refs/remotes/origin/${name}`);
    expect((await job()).stderr).toContain(`only ${after.slice(0, 10)} is looked at`);
  });

  test.each(['main', 'origin/main', 'refs/heads/main', 'refs/remotes/origin/main'])(
    'in a clone of one branch fetches the base that is called %s',
    async (base) => {
      twoBranches({ requireAttribution: 'block' });
      const clone = open('single', 'clone', '-q', '-b', 'topic', '--single-branch', hub.dir, '.');
      const env = { AGENT_PR_BASE: base };
      const { status, stdout, stderr } = await inWorld(agent, clone.dir, ['pr', '--check'], { env });
      expect([status, stdout]).toEqual([1, expect.stringContaining('21 added lines')]);
      expect(stderr).not.toContain('does not give');
    },
  );

  describe('for a branch that began before the policy is held against the policy of today', () => {
    const gitlab = (base: string, head: string) => ({
      ...{ GITLAB_CI: 'true', CI_API_V4_URL: 'http://127.0.0.1:9', CI_PROJECT_ID: '1', CI_MERGE_REQUEST_IID: '7' },
      ...{ CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main', CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_COMMIT_SHA: head },
    });
    const github = (base: string, head: string) => {
      const event = path.join(root, 'event.json');
      const pull = { number: 7, base: { sha: base, ref: 'main' }, head: { sha: head, ref: 'topic' } };
      fs.writeFileSync(event, JSON.stringify({ pull_request: pull }));
      return {
        ...{ GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'pull_request', GITHUB_REPOSITORY: 'ada/engine' },
        GITHUB_EVENT_PATH: event,
      };
    };

    test.each([
      ['GitLab', gitlab],
      ['GitHub', github],
    ])('%s', async (_, told) => {
      mine.write('a.js', 'first\n');
      const old = mine.commit('first');
      mine.git('checkout', '-q', '-b', 'topic');
      mine.write('b.js', 'a line of nobody\n');
      const head = mine.commit('topic');
      mine.git('checkout', '-q', 'main');
      mine.write('.agent-policy.json', '{"requireAttribution":"block"}');
      mine.commit('policy');
      mine.git('push', '-q', 'origin', 'main', 'topic');
      // what a job has may be as old as the branch
      mine.git('update-ref', 'refs/remotes/origin/main', old);
      const ask = () =>
        inWorld(agent, mine.dir, ['pr', '--check', '--no-comment', '--no-status'], { env: told(old, head) });
      expect(await ask()).toMatchObject({ status: 1, stdout: expect.stringContaining('1 line, no record') });
      // without a network, what was seen of it last counts
      const seen = mine.git('rev-parse', 'origin/main').slice(0, 10);
      mine.git('remote', 'set-url', 'origin', path.join(root, 'nowhere'));
      const { status, stderr } = await ask();
      expect([status, stderr]).toEqual([1, expect.stringContaining(`the policy is that of ${seen}`)]);
    });
  });

  test('says of two histories that they are two', async () => {
    twoBranches({});
    mine.git('checkout', '-q', '--orphan', 'lone');
    mine.commit('lone');
    const { status, stderr } = await pr({ AGENT_PR_BASE: 'main', AGENT_PR_HEAD: 'lone' });
    expect([status, stderr]).toEqual([3, expect.stringContaining('Base and head are two histories')]);
    expect(stderr).not.toContain('fetch-depth');
  });

  test('after a branch was deleted has nothing to do', async () => {
    const { status, stderr } = await pr({ AGENT_PR_BEFORE: 'main', AGENT_PR_AFTER: '0'.repeat(40) });
    expect([status, stderr]).toEqual([0, 'This push moved no branch: nothing is to be done.\n']);
  });

  test('with a number that is none says so', async () => {
    const { status, stderr } = await pr({ AGENT_PR_BASE: 'main', AGENT_PR_NUMBER: '12abc' });
    expect([status, stderr]).toEqual([3, expect.stringContaining('AGENT_PR_NUMBER is no number')]);
  });

  test('says once that notes could not be fetched', async () => {
    twoBranches({});
    mine.git('remote', 'set-url', 'origin', path.join(root, 'nowhere'));
    const { stderr } = await pr({ AGENT_PR_BASE: 'main', AGENT_PR_HEAD: 'topic' });
    expect(stderr.match(/could not be fetched/g)).toHaveLength(1);
  });
});
