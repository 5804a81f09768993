import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { blame as runBlame } from '../../src/commands/blame.ts';
import { parseBlame } from '../../src/git/blame.ts';
import { removeFolder } from '../support/remove.ts';
import { buildPrograms, call, inWorld, type Programs, Sandbox } from './program.ts';

let programs: Programs;
const sandboxes: Sandbox[] = [];

beforeAll(async () => {
  programs = await buildPrograms();
});
afterEach(() => {
  for (const one of sandboxes.splice(0)) one.remove();
});
afterAll(() => programs.remove());

function sandbox(...args: string[]): Sandbox {
  const made = new Sandbox(args);
  sandboxes.push(made);
  return made;
}

/** Three lines: the first by a person, the others by an agent, as the note of the second commit says. */
function story(...args: string[]) {
  const repo = sandbox(...args);
  const first = repo.write('src/a.ts', 'one\n').commit('first');
  const second = repo.write('src/a.ts', 'one\ntwo\nthree\n').commit('second');
  repo.note(second, 'src/a.ts', [2, 2]);
  return { repo, first, second };
}

const blame = (cwd: string, ...args: string[]) => inWorld(runBlame, cwd, args, { name: 'git agent-blame' });
const types = async (cwd: string, ...args: string[]) => {
  const { stdout, stderr, status } = await blame(cwd, '--json', ...args);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout).lines.map((line: { type: string; reason: string | null }) => line.reason ?? line.type);
};

describe('git agent-blame', () => {
  it('prints every line with its revision, marker, writer, date, number and text', async () => {
    const { repo, first, second } = story();
    const { stdout, stderr, status } = call(programs, repo.dir, ['git', 'agent-blame', '--date=short', 'src/a.ts']);
    const day = repo.git('log', '-1', '--format=%ad', '--date=short');
    expect(stdout).toBe(
      [
        `^${first.slice(0, 7)} ? (Ada                         ${day} 1) one`,
        `${second.slice(0, 8)} A (claude-code claude-opus-4-5 ${day} 2) two`,
        `${second.slice(0, 8)} ? (Ada                         ${day} 3) three`,
        '3 lines: A ai 1 (33%), H human 0, M mixed 0, ? unknown 2 (67%)',
        '',
      ].join('\n'),
    );
    expect([stderr, status]).toEqual(['', 0]);
  });

  it('is git agent blame too, and takes files from the current folder', async () => {
    const { repo, second } = story();
    const { stdout } = call(programs, path.join(repo.dir, 'src'), ['git', 'agent', 'blame', '--json', '-L2,3', 'a.ts']);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      schema: 'git-agent-blame/blame@1',
      file: 'src/a.ts',
      revision: null,
      summary: { total: 2, ai: 1, unknown: 1 },
    });
    expect(document.lines).toMatchObject([
      {
        line: 2,
        text: 'two',
        commit: second,
        type: 'ai',
        via: 'note',
        evidence: 'declared',
        session: 's1',
        event: 'e1',
        conversation: 'agentlog:s1#e1',
      },
      { line: 3, text: 'three', type: 'unknown', reason: 'the record does not speak of this line' },
    ]);
  });

  it.each(['--porcelain', '--line-porcelain'])("%s is git's own with headers added", async (form) => {
    const { repo } = story();
    repo.write('src/a.ts', Buffer.from('one\r\ntwo\n\x1b\xff\nthree', 'latin1')).commit('third');
    const { bytes: ours } = await blame(repo.dir, form, 'src/a.ts');
    const gits = execFileSync('git', ['blame', form, 'src/a.ts'], { cwd: repo.dir });
    const without = ours.toString('latin1').replace(/^agent-[a-z]+ .*\n/gm, '');
    expect(without).toBe(gits.toString('latin1'));
    expect(parseBlame(ours).map(({ previous: _, ...line }) => line)).toEqual(
      parseBlame(gits).map(({ previous: _, ...line }) => line),
    );
    expect(ours.toString('latin1').match(/^agent-type /gm)).toHaveLength(4);
  });

  it('names the revision that was asked for', async () => {
    const { repo, first, second } = story();
    repo.git('tag', '-a', '-m', 'x', 'v1');
    const revision = async (...args: string[]) =>
      JSON.parse((await blame(repo.dir, '--json', ...args)).stdout).revision;
    expect(await revision('HEAD~1', 'src/a.ts')).toBe(first);
    expect(await revision('v1', '--', 'src/a.ts')).toBe(second);
    expect(await revision(`${first}..HEAD`, '--', 'src/a.ts')).toBe(second);
    expect(await types(repo.dir, 'HEAD~1', '--', 'src/a.ts')).toEqual(['no record']);
  });

  it('blames several files: one document per line, names above the text', async () => {
    const { repo } = story();
    repo.write('b', 'x\n').commit();
    const { stdout } = await blame(repo.dir, '--json', 'src/a.ts', 'b');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).file),
    ).toEqual(['src/a.ts', 'b']);
    expect((await blame(repo.dir, '-s', 'b', 'src/a.ts')).stdout).toMatch(/^b\n[^\n]* 1\) x\n1 line:.*\nsrc\/a.ts\n/);
  });

  it('finds a record by the name that the file had', async () => {
    const { repo } = story();
    repo.git('mv', 'src/a.ts', 'moved.ts');
    repo.commit('move');
    expect(await types(repo.dir, 'moved.ts')).toEqual(['no record', 'ai', 'the record does not speak of this line']);
    expect((await blame(repo.dir, '-s', 'moved.ts')).stdout).toContain(' src/a.ts 2) two\n');
  });

  it('reads notes fetched from remotes beside its own, each record once', async () => {
    const { repo, second } = story();
    repo.note(second, 'src/a.ts', [3, 3], 'refs/notes/team/up/agent/trace');
    expect(await types(repo.dir, 'src/a.ts')).toEqual(['no record', 'ai', 'ai']);
  });

  it('attributes nothing to a note of another kind', async () => {
    const { repo, second } = story();
    repo.git('update-ref', '-d', 'refs/notes/agent/trace');
    repo.note(second, 'src/a.ts', [1, 3], 'refs/notes/commits');
    expect(await types(repo.dir, 'src/a.ts')).toEqual(Array(3).fill('no record'));
  });

  it('a line that is not committed is unknown, as long as nothing was recorded', async () => {
    const { repo } = story();
    repo.write('src/a.ts', 'one\ntwo\nnew\nthree\n');
    expect((await types(repo.dir, 'src/a.ts'))[2]).toBe('no record');
    expect(JSON.parse((await blame(repo.dir, '--json', 'src/a.ts')).stdout).lines[2]).toMatchObject({
      commit: null,
      text: 'new',
    });
    expect(await types(repo.dir, '--contents', 'src/a.ts', 'src/a.ts')).toHaveLength(4);
    expect(await blame(repo.dir, '--contents', 'src/a.ts', 'HEAD', 'src/a.ts')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('leave out the revision'),
    });
  });

  it('passes on what git can do: -w -M -C --ignore-rev --since --first-parent --root -L :function', async () => {
    const { repo, second } = story();
    repo.write('src/a.ts', 'one\n  two\nthree\n').commit('indent');
    expect((await types(repo.dir, 'src/a.ts'))[1]).toBe('no record');
    for (const args of [
      ['-w'],
      ['-wM'],
      ['-w', '-C', '-C'],
      ['--ignore-rev', 'HEAD'],
      ['-w', '--since=2000-01-01', '--first-parent'],
    ]) {
      expect((await types(repo.dir, ...args, 'src/a.ts'))[1], args.join(' ')).toBe('ai');
    }
    repo.write('ignored', second).git('config', 'blame.ignoreRevsFile', 'ignored');
    expect((await types(repo.dir, 'src/a.ts'))[2]).toBe(
      (await types(repo.dir, '--ignore-revs-file=ignored', 'src/a.ts'))[2],
    );
    expect((await blame(repo.dir, '-s', '--root', 'src/a.ts')).stdout).not.toContain('^');
    repo.write('f.c', 'int a()\n{\n return 1;\n}\nint b()\n{\n}\n').commit();
    expect(await types(repo.dir, '-L', ':b', 'f.c')).toHaveLength(3);
  });

  it.each([['iso'], ['relative'], ['rfc'], ['raw']])('prints dates as git does: %s', async (format) => {
    const { repo } = story();
    repo.git('config', 'blame.date', format);
    const date = repo.git('log', '-1', '--format=%ad', `--date=${format}`).replace(/\d+ seconds? ago/, '');
    expect((await blame(repo.dir, 'src/a.ts')).stdout.split('\n')[1]).toContain(date);
  });

  it.each(['--abbrev=12', '-l', '--abbrev=4', '-b', '--root', '--abbrev=40', '-w'])(
    '%s gives the revisions of git blame',
    async (option) => {
      const { repo } = story();
      const firstWords = (text: string) =>
        text
          .trimEnd()
          .split('\n')
          .map((line) => line.slice(0, line.indexOf('(')).replace(/ [AHM?] $/, ' '));
      const ours = firstWords((await blame(repo.dir, option, 'src/a.ts')).stdout).slice(0, 3);
      expect(ours).toEqual(firstWords(repo.git('blame', option, 'src/a.ts')));
    },
  );
});

describe('surroundings', () => {
  it('sha256', async () => {
    const { repo, second } = story('--object-format=sha256');
    expect(second).toHaveLength(64);
    expect(await types(repo.dir, 'src/a.ts')).toEqual(['no record', 'ai', 'the record does not speak of this line']);
  });

  it('a bare repository, where git blames HEAD', async () => {
    const { repo, second } = story();
    const bare = path.join(repo.dir, 'bare.git');
    repo.git('clone', '-q', '--mirror', '.', bare);
    expect((await types(bare, 'HEAD', '--', 'src/a.ts'))[1]).toBe('ai');
    expect((await types(bare, 'HEAD', 'src/a.ts'))[1]).toBe('ai');
    expect(JSON.parse((await blame(bare, '--json', 'src/a.ts')).stdout)).toMatchObject({
      revision: second,
      summary: { ai: 1 },
    });
  });

  it('a linked work tree', async () => {
    const { repo } = story();
    const tree = path.join(repo.dir, 'tree');
    repo.git('worktree', 'add', '-q', tree);
    expect((await types(path.join(tree, 'src'), 'a.ts'))[1]).toBe('ai');
  });

  it('a shallow clone', async () => {
    const { repo } = story();
    const shallow = path.join(repo.dir, 'shallow');
    repo.git('clone', '-q', '--depth=1', `file://${repo.dir}`, shallow);
    repo.git('-C', shallow, 'fetch', '-q', 'origin', '+refs/notes/agent/*:refs/notes/origin/agent/*');
    expect(await types(shallow, 'src/a.ts')).toHaveLength(3);
    expect((await types(shallow, 'src/a.ts'))[1]).toBe('ai');
  });

  it("a partial clone without the notes' contents says so and fetches none of them", async () => {
    const { repo } = story();
    const partial = path.join(repo.dir, 'partial');
    repo.git('config', 'uploadpack.allowFilter', 'true');
    repo.git('clone', '-q', '--filter=blob:none', `file://${repo.dir}`, partial);
    repo.git('-C', partial, 'fetch', '-q', 'origin', '+refs/notes/agent/*:refs/notes/origin/agent/*');
    // git blame itself has fetched what it needs; from here on there is no remote
    repo.git('-C', partial, 'blame', 'src/a.ts');
    repo.git('-C', partial, 'config', 'remote.origin.url', 'file:///nowhere');
    const { status, stderr, stdout } = await blame(partial, '--json', 'src/a.ts');
    expect(stderr).toBe(
      'git agent-blame: 1 note is too large or not in this clone: git agent fetch gets what is not here.\n',
    );
    expect([status, JSON.parse(stdout).lines[1].reason]).toEqual([0, 'no record']);
  });

  it('a note that is too large is told as that: no fetch helps', async () => {
    const { repo } = story();
    fs.writeFileSync(path.join(repo.dir, '.git', 'large'), Buffer.alloc(35_000_000, 'x'));
    const blob = repo.git('hash-object', '-w', '.git/large');
    const commit = repo.git('log', '-1', '--format=%H', 'src/a.ts');
    repo.git('notes', '--ref=agent/trace', 'add', '-f', '-C', blob, commit);
    const diff = call(programs, repo.dir, ['git', 'agent', 'diff', '--no-pager', `${commit}^`, commit]);
    expect(diff.stderr).toBe('git agent: 1 note is too large to be read, or damaged.\n');
  });

  it('a repository that a hook describes in its environment', async () => {
    const { repo } = story();
    const { stdout } = call(programs, os.tmpdir(), [
      'git',
      `--git-dir=${repo.dir}/.git`,
      'agent-blame',
      '--json',
      'HEAD',
      '--',
      'src/a.ts',
    ]);
    expect(JSON.parse(stdout).lines[1].type).toBe('ai');
  });

  it('writes nothing', async () => {
    const { repo } = story();
    const list = () => fs.readdirSync(repo.dir, { recursive: true }).sort();
    const before = list();
    await blame(repo.dir, 'src/a.ts');
    expect(list()).toEqual(before);
  });
});

describe('what goes wrong', () => {
  it.each<[string, string[], number, RegExp]>([
    ['no such file', ['nope'], 2, /^git agent-blame: no such path 'nope' in HEAD: commit it first, .*\.\n$/],
    [
      'a directory',
      ['HEAD', '--', 'src'],
      2,
      /^git agent-blame: src is a directory: name a file in it, or git agent log --stat -- src for its commits\.\n$/,
    ],
    [
      'a path that is longer than any',
      ['a'.repeat(5000)],
      2,
      /: commit it first, or name a file that git ls-files lists\.\n$/,
    ],
    ['the current directory', ['.'], 2, /^git agent-blame: \. is a directory: .* -- \. for its commits\.\n$/],
    ['a date that is none', ['--since=garbage', 'src/a.ts'], 2, /--since takes a date, not "garbage": say .*\.\n$/],
    ['no such revision', ['nope', '--', 'src/a.ts'], 2, /^git agent-blame: bad revision 'nope': git log .*\.\n$/],
    ['no such line', ['-L9,10', 'src/a.ts'], 2, /^git agent-blame: file src\/a.ts has only 3 lines: .*\.\n$/],
    ['a line 0', ['-L0,1', 'src/a.ts'], 2, /^git agent-blame: -L invalid line number: 0: .*\.\n$/],
    ['lines by a word', ['-Lfoo', 'src/a.ts'], 2, /^git agent-blame: -L takes START,END, .* not foo\.\n$/],
    ['no file', [], 2, /^git agent-blame: Name a file/],
    ['no file after --', ['HEAD', '--'], 2, /^git agent-blame: Name a file/],
    [
      'an unknown option',
      ['--jason', 'src/a.ts'],
      2,
      /^git agent-blame: There is no option --jason; did you mean --json\?\n$/,
    ],
    ['an unknown date', ['--date=bogus', 'src/a.ts'], 2, /^git agent-blame: unknown date format bogus: say .*\.\n$/],
  ])('%s', async (_, args, code, message) => {
    const { repo } = story();
    const { status, stdout, stderr } = await blame(repo.dir, ...args);
    expect([status, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(message);
  });

  it('no repository', async () => {
    const empty = fs.mkdtempSync(path.join(os.tmpdir(), 'empty-'));
    const { status, stderr } = await blame(empty, 'a');
    removeFolder(empty);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^git agent-blame: .* is not inside a git repository: .*\n$/);
  });

  it('a file named like an option or a revision', async () => {
    const repo = sandbox();
    const commit = repo.write('--json', 'x\n').write('main', 'y\n').commit();
    repo.note(commit, '--json', [1, 1]);
    expect(await types(repo.dir, '--', '--json')).toEqual(['ai']);
    expect(await types(repo.dir, 'main')).toEqual(['the record does not speak of this line']);
    expect(await types(repo.dir, 'main', '--', 'main')).toEqual(['the record does not speak of this line']);
  });

  it('a hostile note costs only itself', async () => {
    const { repo, second } = story();
    repo.git(
      'notes',
      '--ref=refs/notes/agent/trace',
      'append',
      '-m',
      '{"version":"0.1.0","files":[{"path":"__proto__"',
      second,
    );
    repo.git('notes', '--ref=refs/notes/agent/trace', 'append', '-m', '[[[[', second);
    expect((await types(repo.dir, 'src/a.ts'))[1]).toBe('ai');
  });

  it.skipIf(!fs.existsSync('/dev/full'))('a disk that is full is no mistake of ours (needs /dev/full)', () => {
    const { repo } = story();
    const { status, stderr } = call(programs, repo.dir, ['sh', '-c', 'git agent-blame src/a.ts >/dev/full']);
    expect([status, stderr]).toEqual([
      3,
      'git agent-blame: The output cannot be written, no space left on device: make room, or send it elsewhere.\n',
    ]);
  });

  it('a reader that leaves early is no error', async () => {
    const repo = sandbox();
    repo.write('big', 'line\n'.repeat(60_000)).commit();
    const { stdout, stderr } = call(programs, repo.dir, [
      'sh',
      '-c',
      'git agent-blame big | head -n 1; git agent-blame --json big | head -c 1',
    ]);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toBe('');
  });

  it('a verb that says no says it by its exit code also where nobody reads', () => {
    const repo = sandbox();
    repo
      .write('bad.json', '{"specVersion":"0.2.0","id":"x","status":"active","agent":{"name":"a"},"events":[]}')
      .commit();
    repo.write('seal.cose', Buffer.from('d28443a10127a0f640', 'hex'));
    for (const verb of ['validate bad.json', 'verify seal.cose']) {
      const line = `{ sleep 0.2; git agent ${verb}; echo code $? >&2; } | true`;
      expect(call(programs, repo.dir, ['sh', '-c', line]).stderr).toBe('code 1\n');
    }
  });
});
