import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { blame } from '../../src/commands/blame.ts';
import { beginBlame } from '../../src/commands/blame-begin.ts';
import type { World } from '../../src/commands/command.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { buildPrograms, inWorld, type Programs, Sandbox } from './program.ts';

let programs: Programs;
const places: { remove(): void }[] = [];

beforeAll(async () => {
  programs = await buildPrograms();
});
afterEach(() => {
  for (const one of places.splice(0)) one.remove();
});
afterAll(() => programs.remove());

function sandbox(...args: string[]): Sandbox {
  const made = new Sandbox(args);
  places.push(made);
  return made;
}

async function workshop(): Promise<Workshop> {
  const made = await openWorkshop();
  places.push(made);
  return made;
}

/** One of each way of printing. */
const FORMS = [[], ['--group'], ['--json'], ['--line-porcelain']];
/** Other columns of the first, and the last with what was told left out. */
const MORE_FORMS = [
  ['-s', '-n', '-f', '-b'],
  ['-e', '--date=raw', '--color=always', '--hyperlinks=always'],
  ['--porcelain'],
];

/** As if every file were huge, and as if none were. Gives what was told, in the first form. */
async function expectSame(
  cwd: string,
  args: readonly string[],
  over: Partial<World> = {},
  forms = FORMS,
): Promise<string> {
  const told: string[] = [];
  for (const form of forms) {
    const tell = (hugeFrom: number) =>
      inWorld((words, world) => blame(words, world, beginBlame(words, cwd, hugeFrom)), cwd, [...form, ...args], over);
    const [streamed, whole] = [await tell(0), await tell(Number.POSITIVE_INFINITY)];
    expect([streamed.status, streamed.stderr]).toEqual([whole.status, whole.stderr]);
    expect(timeless(streamed.bytes)).toBe(timeless(whole.bytes));
    told.push(whole.stdout);
  }
  return told[0] ?? '';
}

/** What is not committed is as old as git's look at it. */
function timeless(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d|\b1\d{9}\b/g, 'then');
}

/** A file of two commits, with a record of some lines of the second. */
function story(...args: string[]): Sandbox {
  const repo = sandbox(...args);
  repo.write('src/a.ts', 'one\ntwo\r\nthree \xff\n').commit('first');
  const second = repo.write('src/a.ts', 'zero\none\ntwo\r\n山田\x1b[31m\nthree \xff\nlast').commit('second');
  repo.note(second, 'src/a.ts', [1, 4]);
  return repo;
}

describe('a file that is told as it is read is told as the whole would be', () => {
  it('with notes, and lines of which they do not speak', async () => {
    const repo = story();
    await expectSame(repo.dir, ['src/a.ts'], {}, MORE_FORMS);
    expect(await expectSame(repo.dir, ['src/a.ts'])).toMatch(/^6 lines: A ai 2 \(33%\).*unknown 4/m);
    for (const args of [
      ['HEAD~1', 'src/a.ts'],
      ['HEAD', '--', 'src/a.ts'],
      ['HEAD~1..HEAD', '--', 'src/a.ts'],
      ['-w', 'src/a.ts'],
    ])
      await expectSame(repo.dir, args);
    await expectSame(path.join(repo.dir, 'src'), ['a.ts']);
  });

  it('with lines that are not committed, and contents that were given', async () => {
    const repo = story();
    repo.write('src/a.ts', 'zero\nmine\none\n').write('other', 'zero\ngiven\none\nmine\n');
    expect(await expectSame(repo.dir, ['src/a.ts'])).toContain('Not Committed Yet');
    await expectSame(repo.dir, ['src/a.ts'], {}, MORE_FORMS);
    await expectSame(repo.dir, ['--contents=other', 'src/a.ts']);
  });

  it('of a file that was renamed, of an empty one, and in a repository of SHA-256', async () => {
    const repo = story('--object-format=sha256');
    repo.git('mv', 'src/a.ts', 'moved.ts');
    repo.write('empty', '').commit('third');
    expect(await expectSame(repo.dir, ['moved.ts'])).toContain(' src/a.ts ');
    await expectSame(repo.dir, ['empty']);
    await expectSame(repo.dir, ['-L2,3', 'moved.ts']);
    await expectSame(repo.dir, ['moved.ts', 'empty']);
  });

  it('of several files, whichever of them are huge', async () => {
    const repo = story();
    repo.write('src/b.ts', 'zero\none\n').write('empty', '').commit('third');
    repo.write('src/b.ts', 'zero\nmine\none\n');
    const files = ['src/b.ts', 'src/a.ts', 'empty', 'src/a.ts', 'src/b.ts', 'src/b.ts'];
    await expectSame(repo.dir, ['--', ...files], {}, MORE_FORMS);
    const told = await expectSame(repo.dir, ['--', ...files]);
    expect(told.match(/^\d+ lines?: .*/gm)).toHaveLength(files.length);
    expect(told.match(/^(src\/.*|empty)$/gm)).toEqual(files);
    await expectSame(repo.dir, ['HEAD', '--', 'src/a.ts', 'src/b.ts']);
    await expectSame(repo.dir, ['--contents=src/b.ts', '--', 'src/a.ts', 'src/b.ts']);
    const some = [
      ['src/a.ts', 'src/b.ts'],
      ['src/b.ts', 'src/a.ts'],
    ];
    for (const pair of some) {
      const [mixed, whole] = [20, Number.POSITIVE_INFINITY].map((from) =>
        inWorld((words, world) => blame(words, world, beginBlame(words, repo.dir, from)), repo.dir, ['--', ...pair]),
      );
      expect(timeless((await mixed)?.bytes ?? Buffer.alloc(0))).toBe(timeless((await whole)?.bytes ?? Buffer.alloc(1)));
    }
  });

  it('of several files nothing, where git refuses one', async () => {
    const repo = story();
    repo.write('src/b.ts', 'zero\none\n').commit('third');
    for (const last of ['nothing', 'src']) {
      expect(await expectSame(repo.dir, ['--', 'src/a.ts', last])).toBe('');
      expect(await expectSame(repo.dir, ['--', 'src/a.ts', last, 'src/b.ts'])).toBe('');
    }
  });

  it.each([
    ['line ends', '* text=auto eol=crlf\n', 'zero\r\none\r\r\nmine\r\n'],
    ['a filter', '*.ts filter=upper\n', 'ZERO\none\nmine\n'],
    ['an encoding', '*.ts working-tree-encoding=UTF-16LE\n', Buffer.from('zero\none\nmine\n', 'utf16le')],
  ])('where %s stand between the work tree and what git blames', async (_, attributes, text) => {
    const repo = story();
    repo.git('config', 'filter.upper.clean', 'tr A-Z a-z | sed p');
    repo.write('.gitattributes', attributes).write('src/a.ts', text);
    expect(await expectSame(repo.dir, ['src/a.ts'])).toContain('mine');
  });

  it('says what git says where git refuses', async () => {
    const repo = story();
    for (const args of [['nothing'], ['src'], ['-S', 'nowhere', 'src/a.ts'], ['no-such-revision', '--', 'src/a.ts']])
      expect(await expectSame(repo.dir, args)).toBe('');
  });

  it('with what no note says yet, what was found again, and what an agent has not committed', async () => {
    const shop = await workshop();
    const world = { home: shop.home, env: { ...process.env, HOME: shop.home, TMPDIR: shop.home } };
    shop.human('a.ts', 'person alpha\nperson beta\nperson gamma\n');
    shop.commit('start');
    const text = `${shop.read('a.ts')}agent one writes\nagent two writes\nagent three writes\n`;
    shop.ai('a.ts', text);
    shop.commit('agent');
    shop.ai('a.ts', `${text}agent four writes\n`, 's2');
    expect(await expectSame(shop.dir, ['a.ts'], world)).toMatch(/^7 lines: A ai 4 .*H human 3/m);
    shop.commit('agent again');
    await shop.work();
    // where nobody watches: lines are known again by what they are
    const clone = shop.in(fs.mkdtempSync(path.join(shop.home, 'clone-')));
    clone.git('clone', '-q', shop.dir, '.');
    clone.git('fetch', '-q', 'origin', 'refs/notes/agent/trace:refs/notes/agent/trace');
    clone.git('checkout', '-q', '--orphan', 'other');
    clone.git('commit', '-qm', 'squashed');
    clone.human('a.ts', `one more line\n${clone.read('a.ts')}`);
    clone.git('commit', '-qam', 'more');
    expect(await expectSame(clone.dir, ['a.ts'], world)).toMatch(/^8 lines: A ai 4 /m);
    const vias = (await clone.json('a.ts')).lines.map(({ via }) => via);
    expect(vias).toContain('content');
    expect(vias).not.toContain('note');
  });
});

/** So long that no pipe holds it, nor what git prints of it. */
function huge(): Sandbox {
  const repo = sandbox();
  const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i} of a file that is very long\n`);
  const commit = repo.write('huge.txt', lines.join('')).write('second.txt', lines.join('')).commit();
  repo.note(commit, 'huge.txt', [1, 50_000]);
  return repo;
}

/** Why nothing is read from two gits at once, where it is not. */
const ALONE = os.availableParallelism() < 2 ? 'with one processor git is not asked twice' : '';

/** A git whose blame, line by line, stops in the middle until a file is there. */
function valve(
  repo: Sandbox,
  held = 'await new Promise((done) => setTimeout(done, 20))',
): { readonly env: NodeJS.ProcessEnv; open(): void } {
  const [bin, gate] = [path.join(repo.dir, '.git', 'bin'), path.join(repo.dir, '.git', 'gate')];
  fs.mkdirSync(bin);
  fs.writeFileSync(
    path.join(bin, 'valve.mjs'),
    `import { spawn } from 'node:child_process';
     import fs from 'node:fs';
     let passed = 0;
     for await (const chunk of spawn(${JSON.stringify(GIT)}, process.argv.slice(2), { stdio: ['ignore', 'pipe', 'inherit'] }).stdout) {
       while (passed > 500_000 && !fs.existsSync(${JSON.stringify(gate)})) ${held};
       passed += chunk.length;
       if (!process.stdout.write(chunk)) await new Promise((done) => process.stdout.once('drain', done));
     }`,
  );
  const env = blameBy(repo, `exec '${process.execPath}' '${path.join(bin, 'valve.mjs')}' "$@"`);
  return { env, open: () => fs.writeFileSync(gate, '') };
}

/** Surroundings whose git leaves its blame, line by line, to another command. */
function blameBy(repo: Sandbox, command: string): NodeJS.ProcessEnv {
  const bin = path.join(repo.dir, '.git', 'bin');
  fs.mkdirSync(bin, { recursive: true });
  const git = path.join(bin, 'git');
  fs.writeFileSync(git, `#!/bin/sh\ncase " $* " in *" --porcelain "*) ${command};; esac\nexec '${GIT}' "$@"\n`);
  fs.chmodSync(git, 0o755);
  return { ...programs.env, PATH: `${bin}${path.delimiter}${programs.env.PATH}` };
}

const [GIT = 'git'] = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.split('\n');

describe('a huge file', () => {
  it.for([
    'text huge.txt',
    '--json huge.txt',
    '--porcelain huge.txt',
    '--line-porcelain huge.txt',
    'text huge.txt second.txt',
    '--porcelain huge.txt second.txt',
  ])('shows its first lines before git has told its last: %s', async (asked, context) => {
    const [form = '', ...files] = asked.split(' ');
    if (ALONE && form.endsWith('porcelain')) context.skip(ALONE);
    const repo = huge();
    const { env, open } = valve(repo);
    const words = [path.join(programs.dir, 'git-agent-blame.js'), ...(form === 'text' ? [] : [form]), '--', ...files];
    const child = spawn(process.execPath, words, { cwd: repo.dir, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const pieces: Buffer[] = [];
    const ended = new Promise((resolve) => child.on('close', resolve));
    const first = new Promise<string>((resolve) => {
      child.stdout.on('data', (piece: Buffer) => {
        pieces.push(piece);
        resolve('lines');
      });
    });
    // git stands still until then: what waits for all of it shows nothing, however long
    const seen = await Promise.race([first, sleep(60_000, 'nothing', { ref: false })]);
    open();
    expect([seen, await ended]).toEqual(['lines', 0]);
    const told = Buffer.concat(pieces).toString();
    expect(told.match(/line \d+ of a file/g)).toHaveLength(60_000 * files.length);
    expect(told.match(/line \d+ of a file/g)?.at(-1)).toBe('line 59999 of a file');
  });
});

const ENDED =
  'git agent-blame: git blame was ended by SIGKILL: try once more, and if it happens again, see whether memory runs out.\n';

describe('a git that is ended', () => {
  it('is told of in the same words where a file is not huge', () => {
    const repo = story();
    const env = blameBy(repo, 'kill -9 $$');
    const program = path.join(programs.dir, 'git-agent-blame.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'src/a.ts'], {
      cwd: repo.dir,
      env,
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([3, '', ENDED]);
  });

  it.for(['HEAD -- huge.txt', '--porcelain huge.txt'])(
    'is told of, and half a file is no whole one: %s',
    (words, context) => {
      if (ALONE) context.skip(ALONE);
      const repo = huge();
      const { env } = valve(repo, "process.kill(process.pid, 'SIGKILL')");
      const program = path.join(programs.dir, 'git-agent-blame.js');
      const options = { cwd: repo.dir, env, encoding: 'utf8' as const, maxBuffer: 1 << 28 };
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words.split(' ')], options);
      expect([status, stderr]).toEqual([3, ENDED]);
      expect(stdout).not.toMatch(/^\d+ lines: /m);
    },
  );
});

describe.runIf(process.platform === 'linux')('a reader that goes (processes are listed in /proc)', () => {
  it.each([['text'], ['--porcelain']])('leaves nothing running: %s', async (form) => {
    const repo = huge();
    const mark = randomUUID();
    const command = `'${process.execPath}' '${path.join(programs.dir, 'git-agent-blame.js')}' ${form === 'text' ? '' : form} huge.txt | head -n 1`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: repo.dir,
      encoding: 'utf8',
      env: { ...programs.env, MARK: mark },
    });
    expect([stdout.split('\n').length, stderr]).toEqual([2, '']);
    let left = marked(mark);
    for (let tries = 0; left.length > 0 && tries < 500; tries++) {
      await sleep(20);
      left = marked(mark);
    }
    expect(left).toEqual([]);
  });

  it('ends a git that has said only half', async (context) => {
    if (ALONE) context.skip(ALONE);
    const repo = huge();
    const { env } = valve(repo);
    const mark = randomUUID();
    let written = 0;
    const out = { isTTY: false, columns: undefined, write: async () => written++ === 0 };
    const saved = { PATH: process.env.PATH, MARK: process.env.MARK };
    Object.assign(process.env, { PATH: env.PATH, MARK: mark });
    try {
      // the gate is never opened: whoever waits for git waits for ever
      const done = inWorld(blame, repo.dir, ['--porcelain', 'huge.txt'], { out });
      expect((await done).status).toBe(0);
    } finally {
      process.env.PATH = saved.PATH;
      delete process.env.MARK;
    }
    for (let tries = 0; marked(mark).length > 0 && tries < 500; tries++) await sleep(20);
    expect(marked(mark)).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('a program that is ended alone (processes are listed in /proc)', () => {
  it.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends the gits that work for it: %s', async (signal) => {
    const repo = story();
    // at work for long, and silent: nothing that it writes tells it that nobody reads
    const env = { ...blameBy(repo, 'exec sleep 300'), MARK: randomUUID() };
    const words = [path.join(programs.dir, 'git-agent-blame.js'), 'src/a.ts'];
    const child = spawn(process.execPath, words, { cwd: repo.dir, env, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
    const working = () => processes(env.MARK).filter(({ command }) => command.startsWith('sleep'));
    for (let tries = 0; working().length === 0 && tries < 500; tries++) await sleep(20);
    expect(working()).toHaveLength(1);
    child.kill(signal);
    expect(await ended).toBe(signal);
    for (let tries = 0; working().length > 0 && tries < 100; tries++) await sleep(20);
    const left = working();
    for (const { id } of left) process.kill(id);
    expect(left).toEqual([]);
  });
});

/** The commands of all processes that were started with the mark. */
function marked(mark: string): string[] {
  return processes(mark).map(({ command }) => command);
}

function processes(mark: string): { readonly id: number; readonly command: string }[] {
  return fs.readdirSync('/proc').flatMap((id) => {
    try {
      if (!/^\d+$/.test(id) || !fs.readFileSync(`/proc/${id}/environ`, 'latin1').includes(`MARK=${mark}`)) return [];
      return [{ id: Number(id), command: fs.readFileSync(`/proc/${id}/cmdline`, 'latin1').replaceAll('\0', ' ') }];
    } catch {
      return []; // ended, or somebody else's
    }
  });
}
