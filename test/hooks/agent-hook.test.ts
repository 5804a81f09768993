import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, makeRepository, openRepository, type TestRepository } from '../support/repository.ts';

const SHIM = path.resolve(import.meta.dirname, '../../git-hooks/agent-hook');
const SHELLS = ['sh', 'dash', 'bash', 'busybox'].filter(isThere);
/** A name under which another one stands is not there. */
function isThere(shell: string): boolean {
  return spawnSync(shell, shell === 'busybox' ? ['sh', '-c', ':'] : ['-c', ':']).status === 0;
}

const SILENT = { status: 0, stdout: '', stderr: '' };

let repository: TestRepository;
let temporary: string;

beforeEach(() => {
  repository = makeRepository();
  temporary = makeFolder('hook');
  initialise(repository);
});
afterEach(() => {
  repository.remove();
  removeFolder(temporary);
});

function gitDir(place: TestRepository): string {
  return path.resolve(place.dir, place.git('rev-parse', '--git-common-dir'));
}

function initialise(place: TestRepository): void {
  fs.mkdirSync(path.join(gitDir(place), 'agent'));
  for (const file of ['journal', 'since.json']) fs.writeFileSync(path.join(gitDir(place), 'agent', file), '');
}

interface Call {
  readonly mode?: string;
  readonly shell?: string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

function call(payload: object | string, { mode = 'event', shell = 'sh', cwd = temporary, env = {} }: Call = {}) {
  const program = shell === 'busybox' ? ['sh', SHIM] : [SHIM];
  const input = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const { status, stdout, stderr } = spawnSync(shell, [...program, 'claude-code', mode], {
    cwd,
    input,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary, ...env },
  });
  return { status, stdout, stderr };
}

interface Fact {
  readonly fact: string;
  readonly at: number;
  readonly agent: string;
  readonly file: string;
  readonly worktree?: string;
  readonly tree?: string;
  readonly took?: number;
  readonly head?: string;
  readonly stash?: string;
}

function facts(place = repository): Fact[] {
  const lines = fs
    .readFileSync(path.join(gitDir(place), 'agent/journal'), 'utf8')
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Fact);
}

function payloadOf(fact: Fact | undefined, place = repository): string {
  return fs.readFileSync(path.join(gitDir(place), 'agent/payloads', fact?.file ?? ''), 'utf8');
}

function edit(file: string, cwd = temporary) {
  return { session_id: 's', cwd, tool_input: { file_path: file, content: 'x "file_path":"/nowhere" y' } };
}

describe.each(SHELLS)('%s', (shell) => {
  test('files the payload as it came and appends one fact', () => {
    const payload = edit(path.join(repository.dir, 'a.ts'));
    const before = Date.now();
    expect(call(payload, { shell })).toEqual(SILENT);
    const [fact, ...more] = facts();
    expect(more).toEqual([]);
    expect(fact).toEqual({
      fact: 'payload',
      at: expect.any(Number),
      agent: 'claude-code',
      file: expect.stringMatching(/^[A-Za-z0-9._-]+$/),
      worktree: '',
      top: fs.realpathSync(repository.dir),
    });
    expect(Math.abs((fact?.at ?? 0) - before)).toBeLessThan(60_000);
    expect(payloadOf(fact)).toBe(JSON.stringify(payload));
    expect(fs.statSync(path.join(gitDir(repository), 'agent/payloads', fact?.file ?? '')).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  test('snapshots tell what a command changed, untracked files too', () => {
    repository.write('a.ts', 'one\n');
    repository.write('.gitignore', 'ignored\n');
    const head = repository.commit();
    repository.write('untracked', 'u\n');
    const staged = repository.git('ls-files', '-s');
    expect(call({ cwd: repository.dir }, { shell, mode: 'before' })).toEqual(SILENT);
    repository.write('a.ts', 'two\n');
    repository.write('ignored', 'i\n');
    repository.write('new/b c', 'new\n');
    expect(call({ cwd: repository.dir }, { shell, mode: 'after' })).toEqual(SILENT);
    const [before, after] = facts();
    expect([before?.head, after?.head]).toEqual([head, head]);
    expect(repository.git('ls-tree', '-r', '--name-only', before?.tree ?? '')).toBe('.gitignore\na.ts\nuntracked');
    expect(repository.git('diff', '--name-status', before?.tree ?? '', after?.tree ?? '')).toBe('M\ta.ts\nA\tnew/b c');
    // the user's own index is left alone
    expect(repository.git('ls-files', '-s')).toBe(staged);
    expect(fs.existsSync(path.join(gitDir(repository), 'agent/hooks.log'))).toBe(false);
  });

  test('what git has put aside is told around a command, where there is something', () => {
    repository.write('a.ts', 'one\n');
    repository.commit();
    call({ cwd: repository.dir }, { shell, mode: 'before' });
    repository.write('a.ts', 'two\n');
    repository.git('stash', 'push', '-q');
    const stash = repository.git('rev-parse', 'refs/stash');
    for (const mode of ['before', 'after']) expect(call({ cwd: repository.dir }, { shell, mode })).toEqual(SILENT);
    expect(facts().map((fact) => fact.stash)).toEqual([undefined, stash, stash]);
  });
});

describe.each(SHELLS)('%s: a hook that an agent starts as it is killed', (shell) => {
  test.each(['event', 'before', 'after', 'pre', 'post'])(
    'is not busy for minutes with a path of a million folders (%s)',
    (mode) => {
      const long = '/a'.repeat(1_000_000);
      const began = Date.now();
      expect(call({ cwd: long, tool_name: 'Bash', tool_input: { command: long } }, { mode, shell })).toEqual(SILENT);
      expect(call({ cwd: temporary, tool_name: 'Write', tool_input: { file_path: long } }, { mode, shell })).toEqual(
        SILENT,
      );
      expect(Date.now() - began).toBeLessThan(60_000);
      expect(fs.readdirSync(temporary)).toEqual([]);
    },
  );

  test.each(['event', 'before', 'after', 'end', 'pre', 'post'])('tells nothing, and nothing is filed (%s)', (mode) => {
    expect(call('', { shell, mode, cwd: repository.dir })).toEqual(SILENT);
    expect([facts(), fs.readdirSync(temporary)]).toEqual([[], []]);
    expect(fs.existsSync(path.join(gitDir(repository), 'agent/payloads'))).toBe(false);
  });
});

describe.each(SHELLS)('%s: other work trees of the repository', (shell) => {
  const bash = (command: string, cwd: string) => ({ cwd, tool_name: 'Bash', tool_input: { command } });
  const told = (command: string, cwd = repository.dir) => {
    const before = facts().length;
    expect(call(bash(command, cwd), { shell, mode: 'before', env: { HOME: path.dirname(temporary) } })).toEqual(SILENT);
    return facts().slice(before);
  };
  const names = (command: string, cwd?: string) => told(command, cwd).map((fact) => fact.worktree);
  let linked: string;
  beforeEach(() => {
    repository.commit();
    linked = path.join(repository.dir, '.trees/one');
    repository.git('worktree', 'add', '-q', linked);
    repository.git('worktree', 'add', '-q', `${linked}2`);
  });

  test('that a command names hear of it, with a snapshot of their own', () => {
    fs.writeFileSync(path.join(linked, 'b'), 'b\n');
    const [one, own] = told(`echo b1 > ${linked}/b`);
    expect([one?.worktree, own?.worktree]).toEqual(['one', '']);
    expect(repository.git('ls-tree', '--name-only', one?.tree ?? '')).toBe('b');
    expect([payloadOf(one), one?.head]).toEqual([payloadOf(own), repository.git('rev-parse', 'HEAD')]);
  });

  test.each([
    ['none', () => 'echo one two', ['']],
    ['by a way down', () => 'cd .trees/one && make', ['one', '']],
    ['one whose name only begins alike', () => `touch ${linked}3`, ['']],
    ['both', () => `cp ${linked}/a ${linked}2/a`, ['one', 'one2', '']],
    ['from the home folder', () => `touch ~/${path.relative(path.dirname(temporary), linked)}/a`, ['one', '']],
  ])('from the main one: %s', (_, command, expected) => {
    expect(names(command())).toEqual(expected);
  });

  test.each([
    ['its own', () => `touch ${linked}/a`, ['one']],
    ['its own from the home folder', () => `touch ~/${path.relative(path.dirname(temporary), linked)}/a`, ['one']],
    ['another that lies inside the main one', () => `touch ${linked}2/a`, ['one2', 'one']],
    ['the main one', () => `touch ${repository.dir}/a`, ['', 'one']],
    ['all', () => `cp ${linked}/a ${linked}2/a && touch ${repository.dir}/a`, ['one2', '', 'one']],
  ])('from a linked one: %s', (_, command, expected) => {
    expect(names(command(), linked)).toEqual(expected);
  });

  test('one that is gone, or whose link is relative or broken', () => {
    const gitdir = (name: string) => path.join(gitDir(repository), 'worktrees', name, 'gitdir');
    fs.writeFileSync(gitdir('one'), '../../../.trees/one/.git\n');
    fs.writeFileSync(gitdir('one2'), '');
    expect(names(`touch ${linked}/a ${linked}2/a`)).toEqual(['one', '']);
    removeFolder(linked);
    expect(names(`touch ${linked}/a ${linked}2/a`)).toEqual(['']);
  });
});

describe('the folder concerned', () => {
  const at = (...parts: string[]) => path.join(repository.dir, ...parts);
  const cases: [string, () => object | string, number][] = [
    ['of a file that is not there yet', () => edit(at('deep/er/a.ts')), 1],
    ['of a name with quotes and backslashes', () => edit(at('q"uo\\te/a.ts')), 1],
    ['of a notebook', () => ({ cwd: temporary, tool_input: { notebook_path: at('n.ipynb') } }), 1],
    ['of a relative path', () => edit('src/a.ts', repository.dir), 1],
    [
      'of a path with other escapes: the agent’s own',
      () => `{"cwd":${JSON.stringify(repository.dir)},"tool_input":{"file_path":"/caf\\u00e9/a"}}`,
      1,
    ],
    ['of no path: the agent’s own', () => ({ cwd: repository.dir, prompt: '"file_path":"/nowhere/x"' }), 1],
    ['of an empty folder: the workspace’s', () => ({ tool_input: { cwd: '' }, workspace_roots: [repository.dir] }), 1],
    ['with spaces in the JSON', () => `{"cwd": "${temporary}", "file_path": "${at('a')}"}`, 1],
    [
      'behind a long text',
      () => ({ cwd: temporary, tool_input: { content: 'x'.repeat(100_000), file_path: at('a') } }),
      1,
    ],
    ['outside every repository', () => edit(path.join(temporary, 'a.ts'), repository.dir), 0],
    ['nowhere', () => edit('/no/such/folder/a.ts', repository.dir), 0],
    ['of nonsense: where it runs', () => 'not json', 0],
    ['of nothing', () => '', 0],
  ];
  test.each(cases)('%s', (_, payload, count) => {
    fs.mkdirSync(at('q"uo\\te'));
    expect(call(payload())).toEqual(SILENT);
    expect(facts()).toHaveLength(count);
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  test('where nothing was initialised nothing is left behind', () => {
    removeFolder(at('.git/agent'));
    expect(call({ cwd: repository.dir }, { mode: 'before' })).toEqual(SILENT);
    expect(fs.readdirSync(at('.git'))).not.toContain('agent');
    expect(fs.readdirSync(at('.git')).filter((name) => name.startsWith('agent-index'))).toEqual([]);
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  test('a git hook around it does not mislead it', () => {
    const other = makeRepository();
    const env = {
      GIT_DIR: at('.git'),
      GIT_WORK_TREE: repository.dir,
      GIT_INDEX_FILE: at('.git/index'),
      GIT_PREFIX: 'x/',
    };
    expect(call({ cwd: other.dir }, { env, mode: 'before' })).toEqual(SILENT);
    expect(facts()).toEqual([]);
    other.remove();
  });

  test('a linked work tree is named, and has an index of its own', () => {
    repository.commit();
    const folder = path.join(temporary, 'linked');
    repository.git('worktree', 'add', '-q', folder);
    const linked = openRepository(folder);
    linked.write('b', 'b\n');
    call({ cwd: folder }, { mode: 'before' });
    call(edit(path.join(folder, 'x')));
    expect(facts().map((fact) => fact.worktree)).toEqual(['linked', 'linked']);
    expect(repository.git('ls-tree', '--name-only', facts()[0]?.tree ?? '')).toBe('b');
    expect(fs.readdirSync(at('.git/worktrees/linked')).filter((name) => name.startsWith('agent-index'))).toHaveLength(
      2,
    );
  });

  test('a bare repository gets the fact and no snapshot', () => {
    const bare = makeRepository({ bare: true });
    initialise(bare);
    expect(call({ cwd: bare.dir }, { mode: 'before' })).toEqual(SILENT);
    expect(facts(bare)).toMatchObject([{ worktree: '' }]);
    expect(facts(bare)[0]?.tree).toBeUndefined();
    bare.remove();
  });

  test('an agent whose name is not plain is nobody', () => {
    const { status, stdout } = spawnSync('sh', [SHIM, 'a"b', 'event'], {
      input: JSON.stringify(edit(at('a'))),
      encoding: 'utf8',
    });
    expect([status, stdout, facts().length]).toEqual([0, '', 0]);
  });
});

describe('snapshots', () => {
  const own = () => path.join(repository.dir, '.git/agent-index');
  const left = () => fs.readdirSync(path.dirname(own())).filter((name) => name.startsWith('agent-index'));

  test('of an unborn branch without an index', () => {
    repository.write('a', 'a\n');
    call({ cwd: repository.dir }, { mode: 'before' });
    const [fact] = facts();
    expect(fact?.head).toBeUndefined();
    expect(repository.git('ls-tree', '--name-only', fact?.tree ?? '')).toBe('a');
    expect(fs.existsSync(path.join(repository.dir, '.git/index'))).toBe(false);
  });

  test.skipIf(!fs.existsSync('/proc/uptime'))('tell how long they took (Linux)', () => {
    repository.write('a', 'a\n');
    repository.commit();
    const began = performance.now();
    for (let i = 0; i < 12; i++) call({ cwd: repository.dir }, { mode: 'after' });
    const took = facts().map((fact) => fact.took ?? Number.NaN);
    expect(took.every((ms) => Number.isInteger(ms) && ms >= 0)).toBe(true);
    // counted in hundredths of a second
    expect(took.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(performance.now() - began + 120);
  });

  test('see a change of the same size in the moment after the last snapshot', () => {
    repository.write('a', 'a\n');
    repository.commit();
    for (let i = 0; i < 12; i++) {
      repository.write('a', `${i % 10}\n`);
      call({ cwd: repository.dir }, { mode: 'after' });
      expect(repository.git('cat-file', 'blob', `${facts().at(-1)?.tree}:a`)).toBe(String(i % 10));
    }
  });

  test('go on with conflicts, embedded repositories and files that cannot be added', () => {
    repository.write('a', 'a\n');
    repository.commit();
    repository.git('init', '-q', 'empty');
    repository.write('b', 'b\n');
    repository.git('update-index', '--index-info'); // nothing: keeps the index as it is
    const blob = repository.git('rev-parse', 'HEAD:a');
    repository.gitBytes(
      ['update-index', '--index-info'],
      `0 ${'0'.repeat(40)}\ta\n100644 ${blob} 1\ta\n100644 ${blob} 2\ta\n`,
    );
    call({ cwd: repository.dir }, { mode: 'before' });
    expect(repository.git('ls-tree', '--name-only', facts()[0]?.tree ?? '').split('\n')).toEqual(
      expect.arrayContaining(['a', 'b']),
    );
    expect(repository.git('ls-files', '-u')).not.toBe('');
  });

  test('of two sessions at once are both whole', async () => {
    for (let i = 0; i < 200; i++) repository.write(`d${i % 10}/f${i}`, `${i}\n`);
    repository.commit();
    for (let i = 0; i < 20; i++) repository.write(`untracked${i}`, `${i}\n`);
    const start = (mode: string) =>
      new Promise((resolve) => {
        const child = spawn('sh', [SHIM, 'claude-code', mode], { env: { ...process.env, TMPDIR: temporary } });
        child.stdin.end(JSON.stringify({ cwd: repository.dir }));
        child.on('close', resolve);
      });
    const codes = await Promise.all(Array.from({ length: 12 }, (_, i) => start(i % 2 ? 'before' : 'after')));
    expect(new Set(codes)).toEqual(new Set([0]));
    const trees = facts().map((fact) => fact.tree);
    expect(trees).toHaveLength(12);
    expect(new Set(trees).size).toBe(1);
    expect(repository.git('ls-tree', '-r', '--name-only', trees[0] ?? '').split('\n')).toHaveLength(220);
    expect(new Set(facts().map((fact) => fact.file)).size).toBe(12);
    repository.git('fsck', '--no-dangling');
    // the next one clears away all but the last, and leaves its own
    call({ cwd: repository.dir }, { mode: 'after' });
    expect(facts().at(-1)?.tree).toBe(trees[0]);
    // the hook does not wait for that
    await expect.poll(left, { timeout: 60_000 }).toHaveLength(4);
    expect(left().filter((name) => name.endsWith('.tree'))).toHaveLength(2);
  });

  describe.each(SHELLS)('where nothing has changed, under %s', (shell) => {
    /** Long enough ago that git need not look into the file again. */
    function writeLongAgo(name: string, text: string): void {
      repository.write(name, text);
      const then = new Date(Date.now() - 10_000);
      fs.utimesSync(path.join(repository.dir, name), then, then);
    }

    /** Calls the hook; true if git wrote a tree. */
    function watchGit() {
      const [folder, log] = [path.join(temporary, 'bin'), path.join(temporary, 'log')];
      const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, 'git'), `#!/bin/sh\necho "$*" >>${log}\nexec ${real} "$@"\n`, { mode: 0o755 });
      const env = { PATH: `${folder}:${process.env.PATH}` };
      return (mode: string) => {
        fs.writeFileSync(log, '');
        expect(call({ cwd: repository.dir }, { shell, mode, env })).toEqual(SILENT);
        return fs.readFileSync(log, 'utf8').includes('write-tree');
      };
    }

    /** Git before 2.31 puts a new index in the place of one that it need not change: there every tree is written. */
    function again(): boolean {
      const [, minor = 0] = repository.git('version').match(/2\.(\d+)/) ?? [];
      return Number(minor) < 31;
    }

    test('the tree is the last one, and not written again', () => {
      writeLongAgo('a', 'a\n');
      repository.commit();
      // some shells know seconds only: what was committed in this one may have come after the snapshot
      const then = new Date(Date.now() - 5000);
      fs.utimesSync(path.join(repository.dir, '.git/index'), then, then);
      const more = again();
      const wrote = watchGit();
      const lists = ['u\n', 'other\n', undefined].map((text) => {
        if (text === undefined) fs.rmSync(path.join(repository.dir, 'untracked'));
        else writeLongAgo('untracked', text);
        expect(['after', 'before', 'before'].map(wrote)).toEqual([true, more, more]);
        const trees = facts()
          .slice(-3)
          .map(({ tree }) => tree);
        expect(new Set(trees).size).toBe(1);
        return repository.git('ls-tree', '-r', '--name-only', trees[0] ?? '');
      });
      expect(lists).toEqual(['a\nuntracked', 'a\nuntracked', 'a']);
      expect(new Set(facts().map(({ tree }) => tree)).size).toBe(3);
    });

    test('but it is where git has thrown it away, or its name was cut off', () => {
      writeLongAgo('a', 'a\n');
      const more = again();
      const wrote = watchGit();
      expect(['before', 'before'].map(wrote)).toEqual([true, more]);
      const [{ tree = '' } = {}] = facts();
      fs.rmSync(path.join(repository.dir, '.git/objects', tree.slice(0, 2), tree.slice(2)));
      expect(['before', 'before'].map(wrote)).toEqual([true, more]);
      for (const name of left().filter((one) => one.endsWith('.tree')))
        fs.truncateSync(path.join(repository.dir, '.git', name), 7);
      expect(['before', 'before'].map(wrote)).toEqual([true, more]);
      expect(facts().map((fact) => fact.tree)).toEqual(Array(6).fill(tree));
      repository.git('cat-file', '-e', tree);
    });
  });

  test('pause after one was cut off, and say so', () => {
    repository.write('a', 'a\n');
    const left = `${own()}.1.999999999`;
    fs.writeFileSync(left, '');
    call({ cwd: repository.dir }, { mode: 'before' });
    expect(facts()[0]?.tree).toBeUndefined();
    expect(fs.readFileSync(path.join(repository.dir, '.git/agent/hooks.log'), 'utf8')).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:]+Z agent-hook: no snapshot: .*\n$/,
    );
    const hourAgo = new Date(Date.now() - 3_600_000);
    fs.utimesSync(left, hourAgo, hourAgo);
    call({ cwd: repository.dir }, { mode: 'before' });
    expect(facts()[1]?.tree).toBeDefined();
    expect(fs.existsSync(left)).toBe(false);
  });
});

test('the end of a turn wakes the work and does not wait for it', async () => {
  const hooks = path.join(repository.dir, '.git/agent/hooks');
  fs.mkdirSync(hooks);
  // it ends when the hook has long come back, or never
  const wake =
    'until [ -e "$1/agent/go" ]; do sleep 0.05; done; printf %s "$1" >"$1/agent/.w"; mv "$1/agent/.w" "$1/agent/woken"\n';
  fs.writeFileSync(path.join(hooks, 'wake'), wake);
  expect(call({ cwd: repository.dir }, { mode: 'end' })).toEqual(SILENT);
  expect(facts()).toHaveLength(1);
  const woken = path.join(repository.dir, '.git/agent/woken');
  expect(fs.existsSync(woken)).toBe(false);
  fs.writeFileSync(path.join(repository.dir, '.git/agent/go'), '');
  for (let i = 0; i < 1000 && !fs.existsSync(woken); i++) await sleep(25);
  expect(fs.readFileSync(woken, 'utf8')).toBe(path.join(repository.dir, '.git'));
});

test('a payload of megabytes arrives whole', () => {
  const payload = {
    cwd: temporary,
    tool_input: { file_path: path.join(repository.dir, 'a'), content: 'a "b" \\ \n'.repeat(400_000) },
  };
  expect(call(payload)).toEqual(SILENT);
  expect(payloadOf(facts()[0]) === JSON.stringify(payload)).toBe(true);
});

test('a git before 2.31 answers relative to the folder', () => {
  const folder = path.join(temporary, 'bin');
  fs.mkdirSync(folder);
  const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  // as 2.30 does it: the unknown option comes back, the others are relative
  fs.writeFileSync(
    path.join(folder, 'git'),
    `#!/bin/sh\nfor word; do [ "$word" = --path-format=absolute ] && { echo "$word"; shift 4; exec ${real} -C "${repository.dir}/sub" rev-parse "$@"; }; done\nexec ${real} "$@"\n`,
    { mode: 0o755 },
  );
  repository.write('sub/a', 'a\n');
  const tmp = path.join(temporary, 'tmp');
  fs.mkdirSync(tmp);
  const env = { PATH: `${folder}:${process.env.PATH}`, TMPDIR: tmp };
  expect(call({ cwd: path.join(repository.dir, 'sub') }, { mode: 'before', env })).toEqual(SILENT);
  expect(facts()).toMatchObject([{ worktree: '', tree: expect.stringMatching(/^[0-9a-f]{40}$/) }]);
});

describe.each(SHELLS)('called where the agent is, %s files the same', (shell) => {
  /** Programs that stand before the real ones. */
  function instead(programs: Readonly<Record<string, string>>): Record<string, string> {
    const bin = path.join(temporary, 'bin');
    fs.mkdirSync(bin);
    for (const [name, script] of Object.entries(programs)) {
      const real = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
      const text = script.replaceAll('REAL', real);
      fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    }
    const tmp = path.join(temporary, 'tmp');
    fs.mkdirSync(tmp);
    return { PATH: `${bin}:${process.env.PATH}`, TMPDIR: tmp };
  }
  const SLOW = 'sleep 0.3; exec REAL "$@"';

  test.each([
    ['as it comes', {}],
    ['the clock is slow', { date: SLOW }],
    ['git is slow', { git: SLOW }],
    ['the clock has no milliseconds', { date: 'case $1 in *3N) echo "$(REAL +%s)3N" ;; *) exec REAL "$@" ;; esac' }],
    ['there is no clock', { date: 'case $1 in *3N) exit 1 ;; *) exec REAL "$@" ;; esac' }],
    ['git says nothing at first', { git: 'case $1 in rev-parse) exit 128 ;; *) exec REAL "$@" ;; esac' }],
  ])('%s', (_, programs) => {
    repository.write('sub/a.ts', 'one\n');
    const head = repository.commit();
    const env = instead(programs);
    const folder = path.join(repository.dir, 'sub');
    const began = Date.now();
    const how = { mode: 'before', shell, env };
    expect(call({ cwd: folder }, { ...how, cwd: folder })).toEqual(SILENT);
    expect(call({ cwd: folder }, how)).toEqual(SILENT);
    const [here, elsewhere] = facts();
    expect(here).toMatchObject({ worktree: '', top: fs.realpathSync(repository.dir), head, tree: elsewhere?.tree });
    expect({ ...here, at: 0, file: '', took: 0 }).toEqual({ ...elsewhere, at: 0, file: '', took: 0 });
    expect(Math.abs((here?.at ?? 0) - began)).toBeLessThan(60_000);
  });

  test('of another folder than ours nothing is taken from ours', () => {
    const other = makeRepository();
    initialise(other);
    other.commit();
    expect(call({ cwd: repository.dir }, { mode: 'after', shell, cwd: other.dir })).toEqual(SILENT);
    expect([facts().length, facts(other).length]).toEqual([1, 0]);
    other.remove();
  });

  test('of an unborn branch, of a bare repository, and of none', () => {
    repository.write('a', 'a\n');
    expect(call({ cwd: repository.dir }, { mode: 'before', shell, cwd: repository.dir })).toEqual(SILENT);
    expect(facts()).toMatchObject([{ tree: expect.stringMatching(/^[0-9a-f]{40}$/) }]);
    expect(facts()[0]?.head).toBeUndefined();
    const bare = makeRepository({ bare: true });
    initialise(bare);
    expect(call({ cwd: bare.dir }, { mode: 'before', shell, cwd: bare.dir })).toEqual(SILENT);
    expect(facts(bare)).toMatchObject([{ worktree: '' }]);
    bare.remove();
    expect(call({ cwd: temporary }, { mode: 'before', shell, cwd: temporary })).toEqual(SILENT);
    expect(fs.readdirSync(temporary)).toEqual([]);
  });
});
