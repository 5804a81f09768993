import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeFolder } from '../../src/setup/files.ts';
import { HOOKS, printBlock } from '../../src/setup/hook-file.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

const SOURCE = path.resolve(import.meta.dirname, '../../git-hooks');
/** Ids of sessions that agents leave in the environment of what they start. */
const SESSIONS = {
  'claude-code': { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: '7e6cb26b-c6ba-4b27-b0e6-07bf2d4e6d2c' },
  codex: { CODEX_THREAD_ID: '019a-b' },
  copilot: { COPILOT_AGENT_SESSION_ID: 'c_1' },
  amp: { AMP_THREAD_ID: 'T-1' },
  pi: { PI_SESSION_ID: 'p.1' },
  'qwen-code': { QWEN_CODE_SESSION_ID: 'q1' },
};

let repository: TestRepository;
let agent: string;

beforeEach(() => {
  repository = makeRepository();
  agent = path.join(repository.dir, '.git/agent');
  fs.mkdirSync(path.join(agent, 'hooks'), { recursive: true });
  fs.mkdirSync(path.join(agent, 'payloads'));
  for (const name of [...HOOKS, 'fact', 'wake'])
    fs.copyFileSync(path.join(SOURCE, name), path.join(agent, 'hooks', name));
  for (const name of HOOKS) {
    fs.writeFileSync(path.join(repository.dir, '.git/hooks', name), `#!/bin/sh\n${printBlock(name)}`, { mode: 0o755 });
  }
});
afterEach(() => removeFolder(repository.dir));

function facts(): Record<string, unknown>[] {
  const text = fs.readFileSync(path.join(agent, 'journal'), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Runs a copy as git would. */
function run(
  name: string,
  { args = [], env = {}, input = '' }: { args?: string[]; env?: Record<string, string>; input?: string } = {},
) {
  const { status, stdout, stderr } = spawnSync('sh', [path.join(agent, 'hooks', name), ...args], {
    cwd: repository.dir,
    env: { ...process.env, ...env },
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const SHELLS = ['sh', 'bash', 'busybox sh'].filter((shell) => spawnSync(`${shell} -c :`, { shell: true }).status === 0);
const SILENT = { status: 0, stdout: '', stderr: '' };

describe('facts', () => {
  test('a commit', () => {
    const before = Date.now();
    run('post-commit');
    expect(fs.existsSync(path.join(agent, 'journal'))).toBe(false);
    const commit = repository.commit();
    fs.rmSync(path.join(agent, 'journal'), { force: true });
    expect(run('post-commit')).toEqual(SILENT);
    const [fact] = facts();
    expect(fact).toEqual({ fact: 'commit', at: expect.any(Number), commit, worktree: '' });
    expect(Number(fact?.at)).toBeGreaterThanOrEqual(before);
    expect(Number(fact?.at)).toBeLessThanOrEqual(Date.now() + 1000);
    expect(fs.statSync(path.join(agent, 'journal')).mode & 0o777).toBe(0o600);
  });

  test.each(Object.entries(SESSIONS))('a commit made in the shell of %s names its session', (name, env) => {
    repository.commit();
    fs.rmSync(path.join(agent, 'journal'), { force: true });
    run('post-commit', { env });
    expect(facts()).toMatchObject([{ agent: name, session: Object.values(env).at(-1) }]);
  });

  test.each([
    ['with characters that are not plain', { CODEX_THREAD_ID: 'a"b' }],
    ['with a line end', { CODEX_THREAD_ID: 'a\nb' }],
    ['of great length', { CODEX_THREAD_ID: 'a'.repeat(200) }],
    ["of Claude Code where it is not Claude Code's shell", { CLAUDE_CODE_SESSION_ID: 'x' }],
    ['of two agents', { CODEX_THREAD_ID: 'a', AMP_THREAD_ID: 'b' }],
  ])('a session %s is left out', (_, env: Record<string, string>) => {
    repository.commit();
    fs.rmSync(path.join(agent, 'journal'), { force: true });
    expect(run('post-commit', { env })).toEqual(SILENT);
    expect(Object.keys(facts()[0] ?? {})).toEqual(['fact', 'at', 'commit', 'worktree']);
  });

  test('an amend: its lines are in place before the fact that names them', () => {
    const old = repository.commit();
    repository.git('commit', '-q', '--amend', '--allow-empty', '-m', 'again');
    const now = repository.git('rev-parse', 'HEAD');
    const rewrite = facts().at(-1);
    expect(rewrite).toMatchObject({ fact: 'rewrite', kind: 'amend', worktree: '' });
    expect(fs.readFileSync(path.join(agent, 'payloads', String(rewrite?.file)), 'utf8')).toBe(`${old} ${now}\n`);
    expect(fs.readdirSync(path.join(agent, 'payloads'))).toHaveLength(1);
  });

  test('post-rewrite prints its input again only when it is asked to', () => {
    repository.commit();
    const input = 'a b\n'.repeat(40_000);
    expect(run('post-rewrite', { args: ['rebase'], input })).toEqual(SILENT);
    expect(run('post-rewrite', { args: ['rebase', 'again'], input })).toEqual({ ...SILENT, stdout: input });
    const files = facts()
      .filter((fact) => fact.fact === 'rewrite')
      .map((fact) => String(fact.file));
    expect(files.map((file) => fs.readFileSync(path.join(agent, 'payloads', file), 'utf8'))).toEqual([input, input]);
  });

  test('a merge, a squash, a patch', () => {
    repository.commit();
    repository.git('switch', '-q', '-c', 'side');
    repository.write('a', 'a\n');
    repository.commit();
    const side = repository.git('rev-parse', 'HEAD');
    const patch = repository.git('format-patch', '-1', '--stdout');
    repository.git('switch', '-q', 'main');
    repository.git('merge', '-q', '--no-ff', '-m', 'merged', 'side');
    const merge = repository.git('rev-parse', 'HEAD');
    repository.git('reset', '-q', '--hard', 'HEAD~1');
    repository.git('merge', '-q', '--squash', 'side');
    repository.git('reset', '-q', '--hard');
    repository.gitBytes(['am', '-q'], `${patch}\n`);
    const applied = repository.git('rev-parse', 'HEAD');
    expect(facts().slice(-3)).toMatchObject([
      { fact: 'merge', commit: merge, squash: '0', worktree: '' },
      { fact: 'merge', squash: '1', tip: side, count: 1 },
      { fact: 'applied', commit: applied, worktree: '' },
    ]);
  });

  /** Where git keeps what HEAD is: the shim reads its files, and asks git for the rest. */
  const HEADS: Readonly<Record<string, () => { cwd?: string; env?: Record<string, string> } | undefined>> = {
    'a branch in a folder': () => void repository.git('switch', '-q', '-c', 'a/$b;c\u00e9'),
    'a branch that is packed': () => void repository.git('pack-refs', '--all'),
    'no branch': () => void repository.git('switch', '-q', '--detach'),
    'a branch that is another': () => {
      repository.git('symbolic-ref', 'refs/heads/other', 'refs/heads/main');
      repository.git('symbolic-ref', 'HEAD', 'refs/heads/other');
    },
    'a ref that is no branch': () => {
      repository.git('update-ref', 'refs/odd/one', 'HEAD');
      repository.git('symbolic-ref', 'HEAD', 'refs/odd/one');
    },
    'a git dir named by a variable': () => ({ env: { GIT_DIR: path.join(repository.dir, '.git') } }),
    'a folder of the work tree': () => {
      repository.write('sub/a', 'a\n');
      return { cwd: 'sub' };
    },
    'a linked work tree': () => {
      repository.git('worktree', 'add', '-q', '-b', 'there', 'wt');
      return { cwd: 'wt' };
    },
    'a linked work tree, as git starts hooks there': () => {
      repository.git('worktree', 'add', '-q', '-b', 'there', 'wt');
      return { cwd: 'wt', env: { GIT_DIR: path.join(repository.dir, '.git/worktrees/wt') } };
    },
    'a common git dir named by a variable': () => {
      repository.git('worktree', 'add', '-q', '-b', 'there', 'wt');
      const GIT_DIR = path.join(repository.dir, '.git/worktrees/wt');
      return { cwd: 'wt', env: { GIT_DIR, GIT_COMMON_DIR: path.join(repository.dir, '.git') } };
    },
  };
  test.each(SHELLS.flatMap((shell) => Object.keys(HEADS).map((name) => [name, shell] as const)))(
    'the commit is that of HEAD: %s (%s)',
    (name, shell) => {
      repository.commit();
      const { cwd = '.', env = {} } = HEADS[name]?.() ?? {};
      const inside = {
        cwd: path.join(repository.dir, cwd),
        env: { ...process.env, ...env },
        encoding: 'utf8' as const,
      };
      spawnSync('git', ['-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'newest'], inside);
      const commit = spawnSync('git', ['rev-parse', 'HEAD'], inside).stdout.trim();
      const [program = 'sh', ...args] = shell.split(' ');
      const before = Date.now();
      const ran = spawnSync(program, [...args, path.join(agent, 'hooks/post-commit')], inside);
      expect({ status: ran.status, stdout: ran.stdout, stderr: ran.stderr }).toEqual(SILENT);
      const fact = facts().at(-1);
      expect(fact).toMatchObject({ fact: 'commit', commit, worktree: cwd === 'wt' ? 'wt' : '' });
      expect(Number(fact?.at)).toBeGreaterThanOrEqual(before);
      expect(Number(fact?.at)).toBeLessThanOrEqual(Date.now() + 1000);
    },
  );

  test.each(SHELLS)('of a linked work tree what is asked of it later is kept, by links (%s)', (...shell) => {
    repository.commit();
    const at = path.join(repository.dir, 'wt');
    const commitThere = () => {
      const inside = { cwd: at, env: { ...process.env, GIT_EDITOR: ':' }, encoding: 'utf8' as const };
      spawnSync('git', ['-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'x'], inside);
      const [program = 'sh', ...args] = shell.join(' ').split(' ');
      const { status, stdout, stderr } = spawnSync(program, [...args, path.join(agent, 'hooks/post-commit')], inside);
      expect({ status, stdout, stderr }).toEqual(SILENT);
      expect(facts().at(-1)).toMatchObject({ fact: 'commit', worktree: 'wt' });
    };
    const kept = (name = '') => path.join(agent, 'worktrees', name);
    const lines = (name: string) => fs.readFileSync(kept(`${name}/HEAD`), 'utf8').split('\n').length;
    repository.git('worktree', 'add', '-q', '--detach', at);
    commitThere();
    expect(fs.readdirSync(kept('wt')).sort()).toEqual(['HEAD', 'commondir', 'gitdir']);
    const first = lines('wt');
    const { ino, ctimeMs } = fs.statSync(kept('wt/HEAD'));
    commitThere();
    expect([
      lines('wt'),
      fs.statSync(kept('wt/HEAD')).ino,
      fs.statSync(kept('wt/commondir')).ctimeMs <= ctimeMs,
    ]).toEqual([first + 1, ino, true]);
    // written anew by git gc
    repository.git('reflog', 'expire', '--all', '--expire=never');
    commitThere();
    expect(lines('wt')).toBe(first + 2);
    repository.git('worktree', 'remove', '--force', at);
    expect(lines('wt')).toBe(first + 2);
    repository.git('worktree', 'add', '-q', '--detach', at);
    commitThere();
    const [now, before = ''] = fs.readdirSync(kept()).sort();
    expect([now, before.replace(/\d+$/, '')]).toEqual(['wt', 'wt+']);
    expect([lines('wt'), lines(before)]).toEqual([first, first + 2]);
  });

  test('hooks are silent and succeed whatever is missing', () => {
    repository.commit();
    for (const gone of ['wake', 'fact']) {
      fs.rmSync(path.join(agent, 'hooks', gone));
      for (const name of HOOKS) expect(run(name, { args: ['amend'] })).toEqual(SILENT);
    }
    removeFolder(path.join(agent, 'payloads'));
    expect(run('post-rewrite', { args: ['amend', 'again'], input: 'a b\n' })).toEqual({ ...SILENT, stdout: 'a b\n' });
  });
});

/** Some busyboxes have programs of its own, which come before those that are put into the way: then nobody can hold it up. */
const OWN_SLEEP = spawnSync('sh', ['-c', 'command -v sleep'], { encoding: 'utf8' }).stdout === 'sleep\n';

describe('wake', () => {
  const worked = () =>
    fs.existsSync(path.join(agent, 'worked')) ? fs.readFileSync(path.join(agent, 'worked'), 'utf8') : '';
  const until = async (true_: () => boolean) => {
    for (let i = 0; i < 2000 && !true_(); i++) await sleep(20);
  };
  /** How long the wakes wanted to sleep, so far. */
  const sleeps = () => fs.readFileSync(path.join(agent, 'sleeps'), 'utf8').split('\n').slice(0, -1);
  /** A sleep lasts until the test lets so many of them end: on a busy machine any other time may be too short. */
  const letEnd = (many: number) => fs.writeFileSync(path.join(agent, 'ended'), `${many}\n`);
  const { PATH } = process.env;

  beforeEach(() => {
    const script = path.join(agent, 'work.cjs');
    const what = `[process.argv[2], process.argv[3], process.cwd(), Object.keys(process.env).filter((k) => /^GIT_(DIR|INDEX_FILE|PREFIX|AUTHOR_DATE)$/.test(k)).join()].join(' ')`;
    fs.writeFileSync(script, `require('fs').appendFileSync('${agent}/worked', ${what} + '\\n')`);
    fs.writeFileSync(path.join(agent, 'hooks/program'), `${process.execPath}\n${script}\n`);
    const bin = path.join(agent, 'bin');
    fs.mkdirSync(bin);
    const real = spawnSync('sh', ['-c', 'command -v sleep'], { encoding: 'utf8' }).stdout.trim();
    // where the repository is gone nobody waits any more
    const wait = `while read -r n <ended && [ "$n" -lt "$mine" ]; do ${real} 0.02; done`;
    const play = `#!/bin/sh\ncd '${agent}' || exit\necho "$1" >>sleeps; mine=$(wc -l <sleeps)\n${wait}\nexit 0\n`;
    fs.writeFileSync(path.join(bin, 'sleep'), play, { mode: 0o755 });
    fs.writeFileSync(path.join(agent, 'sleeps'), '');
    letEnd(1000);
    process.env.PATH = `${bin}${path.delimiter}${PATH}`;
  });
  afterEach(() => {
    process.env.PATH = PATH;
  });

  test.skipIf(OWN_SLEEP)(
    'many commits in a row start the work once, in the common dir, without the variables of the hook (needs a sleep on PATH)',
    async () => {
      letEnd(0);
      for (let i = 0; i < 5; i++) repository.commit(`commit ${i}`);
      await until(() => sleeps().length === 5);
      expect(sleeps()).toEqual(Array(5).fill('0.3'));
      expect(worked()).toBe('');
      letEnd(1000);
      await until(() => worked() !== '');
      const common = path.join(repository.dir, '.git');
      await sleep(500);
      expect(worked()).toBe(`work ${common} ${common} \n`);
      expect(facts()).toHaveLength(5);
    },
  );

  test.skipIf(OWN_SLEEP)('a rebase starts it once, at its end (needs a sleep on PATH)', async () => {
    const commit = (file: string) => {
      repository.write(file, `${file}\n`);
      repository.git('add', '-A');
      // hooks have no part in what is there before
      repository.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', file);
    };
    for (const file of ['f0', 'f1', 'f2', 'f3']) commit(file);
    repository.git('switch', '-q', '-c', 'other', 'HEAD~3');
    commit('other');
    repository.git('rebase', '-q', 'other', 'main');
    await until(() => worked() !== '');
    await sleep(500);
    expect(worked().split('\n')).toHaveLength(2);
    expect(sleeps()).toEqual(['0.3']);
    expect(facts().at(-1)).toMatchObject({ fact: 'rewrite', kind: 'rebase' });
  });

  test.skipIf(OWN_SLEEP)(
    'it is not started while a living process holds the lock, and is when that one ends (needs a sleep on PATH)',
    async () => {
      letEnd(2);
      fs.writeFileSync(path.join(agent, 'lock'), JSON.stringify({ token: 't', pid: process.pid, host: 'h' }));
      repository.commit();
      await until(() => sleeps().length === 3);
      expect(sleeps()).toEqual(['0.3', '1', '1']);
      expect(worked()).toBe('');
      fs.rmSync(path.join(agent, 'lock'));
      letEnd(1000);
      await until(() => worked() !== '');
      expect(worked()).not.toBe('');
    },
  );

  test('the lock of a dead process stops nothing', async () => {
    const dead = spawnSync('true').pid;
    fs.writeFileSync(path.join(agent, 'lock'), JSON.stringify({ token: 't', pid: dead, host: 'h' }));
    repository.commit();
    await until(() => worked() !== '');
    expect(worked()).not.toBe('');
  });

  test('where the program is gone one line says so', async () => {
    fs.writeFileSync(path.join(agent, 'hooks/program'), '/nowhere/node\n/nowhere/script\n');
    const env = { ...process.env, PATH: '/usr/bin:/bin' };
    spawnSync('sh', [path.join(agent, 'hooks/wake'), path.join(repository.dir, '.git')], { env });
    expect(fs.readFileSync(path.join(agent, 'hooks.log'), 'utf8')).toMatch(
      /^\S+Z the program .* is gone: run git agent init again\n$/,
    );
  });

  test('what it logs is for its owner alone, what it starts as private as the user wants it', async () => {
    const [script, said] = [path.join(agent, 'script.cjs'), path.join(agent, 'said')];
    fs.writeFileSync(script, `require('fs').writeFileSync(${JSON.stringify(said)}, String(process.umask()))`);
    fs.writeFileSync(path.join(agent, 'hooks/program'), `${process.execPath}\n${script}\n`);
    spawnSync('sh', ['-c', 'umask 022; exec sh "$@"', 'sh', path.join(agent, 'hooks/wake'), path.dirname(agent)]);
    await until(() => fs.existsSync(said) && fs.statSync(said).size > 0);
    expect(fs.readFileSync(said, 'utf8')).toBe(String(0o022));
    expect(fs.statSync(path.join(agent, 'hooks.log')).mode & 0o777).toBe(0o600);
  });
});
