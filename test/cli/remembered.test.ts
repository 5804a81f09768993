import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findRepository } from '../../src/git/repository.ts';
import type { Origin } from '../../src/lines/origin.ts';
import { appendNotes } from '../../src/notes/append.ts';
import { TRACE_REF } from '../../src/notes/refs.ts';
import { buildRecords } from '../../src/trace/build.ts';
import { printRecord } from '../../src/trace/print.ts';
import { makeFolder, openRepository } from '../support/repository.ts';
import { openPrepared, openWorkshop, Workshop } from '../support/workshop.ts';
import { buildPrograms, inWorld, type Programs } from './program.ts';

/** As many as it takes before anything is remembered. */
const MANY = 50;
/** As many are there at first. */
const ALL = 60;
const PERSON: Origin = { type: 'human', evidence: 'observed' };
const AGENT: Origin = {
  type: 'ai',
  evidence: 'observed',
  agent: { session: 's0', event: 'e0', tool: { name: 'claude-code', version: '2.1.197' }, model: 'anthropic/claude' },
};

const LONG = ['alpha', 'beta', 'gamma', 'delta']
  .map((name) => `export const ${name} = 'some ${name} of it';\n`)
  .join('');

let shop: Workshop;
beforeEach(async () => {
  shop = await openPrepared('remembered', async () => {
    shop = await openWorkshop();
    await fill();
    return shop;
  });
});
afterEach(() => shop.remove());

/** Commits on the branch, three lines each, and a note of ours for each: an agent's two lines and a person's one. */
async function fill(): Promise<void> {
  const lines = (n: number) => [`agent ${n}`, `agent too ${n}`, `person ${n}`];
  const commits = Array.from({ length: ALL }, (_, n) => {
    const [text, before] = [`${lines(n).join('\n')}\n`, n > 0 ? `from :${n}\n` : ''];
    const head = `commit refs/heads/main\nmark :${n + 1}\ncommitter Ada <ada@example.com> ${1_700_000_000 + n} +0000\n`;
    return `${head}data 2\nf\n${before}M 100644 inline f${n}.js\ndata ${text.length}\n${text}\n`;
  });
  openRepository(shop.dir).gitBytes(['fast-import', '--quiet', '--force'], commits.join(''));
  shop.git('reset', '-q', '--hard', 'main');
  const ids = shop.git('rev-list', '--reverse', 'HEAD').split('\n');
  const notes = ids.map((id, n) => [
    id,
    recordsOf(id, `f${n}.js`, [[...lines(n).slice(0, 2)], [...lines(n).slice(2)]]),
  ]);
  await appendNotes(await findRepository(shop.dir), TRACE_REF, new Map(notes as [string, string[]][]));
  await shop.work();
  fs.rmSync(path.dirname(told()), { recursive: true, force: true });
}

function recordsOf(commit: string, file: string, [agents, persons]: readonly [string[], string[]], version = '1.2.3') {
  const runs = [
    { start: 1, lines: agents, origin: AGENT },
    { start: agents.length + 1, lines: persons, origin: PERSON },
  ].filter(({ lines }) => lines.length > 0);
  const files = [{ path: file, blob: commit, runs }];
  const input = { commit, vcs: { type: 'git', revision: commit } as const, time: 1_700_000_000_000, files };
  return buildRecords({ ...input, ownVersion: version }).map(printRecord);
}

const idOf = (revision: string) => shop.git('rev-parse', revision);
const told = (one = shop) => path.join(one.common, 'agent', 'cache', 'told');

/** What looks at the memory in ways of its own: all files that stand, and many commits. */
const ESSENCE = [['report'], ['check', `HEAD~${ALL - 1}..HEAD`]];
/** All that readers of a survey say. */
const ASKED = [...ESSENCE, ['report', `HEAD~${MANY}..HEAD`], ['check', 'HEAD']];

async function said(one = shop, asked = ASKED): Promise<string[]> {
  const outcomes = [];
  for (const args of asked) outcomes.push(await one.agent(...args, '--format', 'json'));
  return outcomes.map(({ stdout, stderr, status }) => `${status} ${stderr}${stdout}`);
}

/** The law: what is remembered changes nothing of what is said. What was kept before stays, however old it is by now. */
async function same(one = shop, asked = ASKED): Promise<string[]> {
  const warm = await said(one, asked);
  const aside = `${told(one)}.aside`;
  const kept = fs.existsSync(told(one));
  if (kept) fs.renameSync(told(one), aside);
  const cold = await said(one, asked);
  expect(warm).toEqual(cold);
  if (kept) fs.renameSync(aside, told(one));
  return cold;
}

/** Has every entry say that somebody else made the commit, and that its lines are a person's: who believes it is seen to. */
function forge(file = told()): void {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const forged = lines.map((line) => {
    const [, id, entry] = /^([0-9a-f]{40,}) [0-9a-f]{8} (.*)$/.exec(line) ?? [];
    if (id === undefined || entry === undefined) return line;
    const changed = entry.replaceAll('ada@example.com', 'forged').replaceAll('"type":"ai"', '"type":"mixed"');
    return `${id} ${crc32(changed, crc32(id)).toString(16).padStart(8, '0')} ${changed}`;
  });
  fs.writeFileSync(file, forged.join('\n'));
}

/** How many commits are told as they were forged: two lines each. */
const forgeries = async (...args: string[]) =>
  JSON.parse((await shop.agent('report', ...args, '--format', 'json')).stdout).counts.mixed / 2;

describe('what is remembered', () => {
  test('is believed: no other test here would tell anything without', async () => {
    await said();
    forge();
    const { stdout } = await shop.agent('report', '--format', 'json');
    expect(JSON.parse(stdout).counts).toMatchObject({ mixed: 2 * ALL, ai: 0, human: ALL });
    expect(stdout).toContain('forged');
    expect(await shop.agent('check', `HEAD~${MANY - 1}..HEAD`, '--format', 'json')).toMatchObject({ status: 0 });
  });

  test('is not asked for where little is asked', async () => {
    await shop.agent('report', `HEAD~${MANY - 1}..HEAD`);
    await shop.agent('check', `HEAD~${MANY - 1}..HEAD`);
    expect(fs.existsSync(told())).toBe(false);
    await shop.agent('report');
    forge();
    expect(await forgeries()).toBe(ALL);
    expect(await forgeries(`HEAD~${MANY - 1}..HEAD`)).toBe(0);
  });
});

describe('the work tells ahead', () => {
  const mark = () => path.join(shop.common, 'agent', 'cache', 'ahead');
  const known = () => (fs.existsSync(told()) ? fs.readFileSync(told(), 'utf8').split('\n').length - 2 : 0);

  test('what the next push asks about, and says the same', async () => {
    await shop.work();
    expect(known()).toBe(ALL);
    forge();
    expect(await forgeries()).toBe(ALL);
    fs.rmSync(told());
    const cold = await said();
    fs.rmSync(path.dirname(told()), { recursive: true });
    await shop.work();
    expect(known()).toBe(ALL);
    expect(await said()).toEqual(cold);
  });

  test('commits of other branches too, and none that a remote has', async () => {
    shop.git('checkout', '-q', '-b', 'side');
    shop.human('side.js', 'aside\n').commit('side');
    shop.git('checkout', '-q', 'main');
    shop.git('update-ref', 'refs/remotes/origin/main', `HEAD~${MANY - 1}`);
    await shop.work();
    expect(known()).toBe(MANY);
    expect(fs.readFileSync(told(), 'utf8')).toContain(`\n${idOf('side')} `);
  });

  test('again only after as many new notes', async () => {
    await shop.work();
    fs.rmSync(told());
    shop.human('new.js', 'new\n').commit('new');
    await shop.work();
    expect([known(), fs.readFileSync(mark(), 'utf8')]).toEqual([0, '1\n']);
    fs.writeFileSync(mark(), `${MANY - 1}\n`);
    shop.human('more.js', 'more\n').commit('more');
    await shop.work();
    expect([known(), fs.readFileSync(mark(), 'utf8')]).toEqual([ALL + 2, '0\n']);
  });

  test('where nothing can be kept, or little is new, nothing', async () => {
    fs.writeFileSync(path.dirname(mark()), 'no folder');
    await shop.work();
    fs.rmSync(path.dirname(mark()));
    shop.git('update-ref', 'refs/remotes/origin/main', `HEAD~${MANY - 1}`);
    await shop.work();
    expect(fs.existsSync(told())).toBe(false);
    fs.writeFileSync(mark(), 'garbage');
    shop.git('update-ref', '-d', 'refs/remotes/origin/main');
    await shop.work();
    expect(known()).toBe(ALL);
  });
});

describe('only what is certain is remembered', () => {
  /** Whether it is kept what the notes of a commit say; undefined: nothing is kept of it. */
  const isTold = (revision: string) => {
    const line = fs
      .readFileSync(told(), 'utf8')
      .split('\n')
      .findLast((one) => one.startsWith(idOf(revision)));
    return line && JSON.parse(line.slice(line.indexOf('['))).length > 1;
  };

  test('not what is still pending', async () => {
    shop.ai('new.js', 'by an agent\n');
    shop.commit('new');
    await said();
    expect([isTold('HEAD'), isTold('HEAD~1')]).toEqual([false, true]);
    await shop.work();
    await said();
    expect(isTold('HEAD')).toBe(true);
  });

  test('of what no note speaks, only what adds nothing', async () => {
    shop.git('rm', '-q', 'f4.js');
    shop.commit('deleted');
    shop.git('notes', '--ref=agent/trace', 'remove', 'HEAD~3');
    await shop.work();
    await said();
    expect([isTold('HEAD'), isTold('HEAD~3')]).toEqual([true, false]);
  });

  test('not where notes say nothing of some lines', async () => {
    const [id, name] = [idOf('HEAD~3'), shop.git('show', '--format=', '--name-only', 'HEAD~3')];
    shop.git('notes', '--ref=agent/trace', 'remove', id);
    const [first = ''] = shop.git('show', `${id}:${name}`).split('\n');
    const part = new Map([[id, recordsOf(id, name, [[first], []])]]);
    await appendNotes(await findRepository(shop.dir), TRACE_REF, part);
    await said();
    expect([isTold(id), isTold('HEAD~4')]).toEqual([false, true]);
  });

  test('not what a stranger says', async () => {
    const [id, name] = [idOf('HEAD~3'), shop.git('show', '--format=', '--name-only', 'HEAD~3')];
    shop.git('notes', '--ref=agent/trace', 'remove', id);
    const ranges = [{ start_line: 1, end_line: 3 }];
    const conversations = [{ contributor: { type: 'ai' }, ranges }];
    const record = { version: '0.1.0', id: 'x', timestamp: '2026-01-02T00:00:00Z', tool: { name: 'other' } };
    const theirs = { ...record, vcs: { type: 'git', revision: id }, files: [{ path: name, conversations }] };
    shop.git('notes', '--ref=agent/trace', 'add', '-m', JSON.stringify(theirs), id);
    expect((await shop.agent('report', id, '--format', 'json')).stdout).toContain('"other"');
    await said();
    expect(isTold(id)).toBe(false);
  });

  test('nor anything of a commit with binary files', async () => {
    shop.human('picture', Buffer.from([0, 1, 2])).commit('picture');
    await said();
    expect(isTold('HEAD')).toBeUndefined();
  });

  test('nor by notes that are not all here', async () => {
    const theirs = 'refs/notes/origin/agent/trace';
    shop.git(
      'notes',
      `--ref=${theirs}`,
      'add',
      '-m',
      shop.git('notes', '--ref=agent/trace', 'show', 'HEAD~3'),
      'HEAD~3',
    );
    shop.git('notes', `--ref=${theirs}`, 'append', '-m', '{"more":1}', 'HEAD~3');
    const blob = shop.git('notes', `--ref=${theirs}`, 'list', 'HEAD~3');
    const object = path.join(shop.common, 'objects', blob.slice(0, 2), blob.slice(2));
    fs.renameSync(object, `${object}.away`);
    expect((await said()).join()).toContain('not in this clone');
    expect([isTold('HEAD~3'), isTold('HEAD~4')]).toEqual([false, true]);
    fs.renameSync(`${object}.away`, object);
    expect((await same()).join()).not.toContain('not in this clone');
  });
});

describe('a survey with a memory says what it says without one', () => {
  test('through all that changes what is known of commits', async () => {
    const first = await same(shop, ESSENCE);
    const steps: (readonly [what: string, does: () => unknown])[] = [
      [
        'an agent and a person commit',
        () => {
          shop.ai('new.js', 'by an agent\nby an agent too\n');
          shop.human('typed.js', 'by a person\n').commit('new');
        },
      ],
      ['the work is done', () => shop.work()],
      [
        'a note gets another record',
        async () => {
          const id = shop.git('rev-parse', 'HEAD~20');
          const name = shop.git('show', '--format=', '--name-only', id);
          const lines = shop.git('show', `${id}:${name}`).split('\n');
          const later = recordsOf(id, name, [lines, []], '9.9.9');
          await appendNotes(await findRepository(shop.dir), TRACE_REF, new Map([[id, later]]));
        },
      ],
      [
        'notes of a remote come',
        async () => {
          const id = shop.git('rev-parse', 'HEAD~10');
          const name = shop.git('show', '--format=', '--name-only', id);
          const theirs = recordsOf(id, name, [[], shop.git('show', `${id}:${name}`).split('\n')], '9.9.9');
          await appendNotes(await findRepository(shop.dir), 'refs/notes/origin/agent/trace', new Map([[id, theirs]]));
        },
      ],
      [
        'a policy leaves files out',
        () => shop.human('.agent-policy.json', '{"exclude":["f1*.js"],"maxUnknownShare":0}'),
      ],
      ['the policy is another', () => shop.human('.agent-policy.json', '{"exclude":["f2*.js"],"blockAgents":["*"]}')],
      [
        'attributes call files generated',
        () => shop.human('.gitattributes', 'f3*.js linguist-generated\n').commit('attributes'),
      ],
      [
        'a file moves out of what does not count',
        () => {
          shop.git('mv', 'f21.js', 'counts.js');
          shop.commit('moved');
        },
      ],
      ['the work is done again', () => shop.work()],
      [
        'files are deleted, and a branch is merged',
        () => {
          shop.git('checkout', '-q', '-b', 'side', 'HEAD~3');
          shop.human('side.js', 'aside\n').commit('side');
          shop.git('checkout', '-q', 'main');
          shop.git('rm', '-q', 'f4.js');
          shop.commit('deleted');
          shop.git('merge', '-q', '--no-edit', 'side');
        },
      ],
      ['that is worked in', () => shop.work()],
      [
        'a note is taken away',
        () => shop.git('notes', '--ref=agent/trace', 'remove', shop.git('log', '-1', '--format=%H', '--grep=^new$')),
      ],
      ['that commit is joined again', () => shop.agent('join', shop.git('log', '-1', '--format=%H', '--grep=^new$'))],
      ['an older note is taken away', () => shop.git('notes', '--ref=agent/trace', 'remove', 'HEAD~50')],
      ['somebody declares who wrote those lines', () => shop.agent('declare', 'HEAD~50', '--human')],
      [
        'a commit is made that no hook tells of, with a binary file',
        () => {
          shop.ai('plumbed.js', LONG);
          shop.human('picture', Buffer.from([0, 1, 2]));
          shop.git('add', '-A');
          shop.git('-c', 'core.hooksPath=/nowhere', 'commit', '-q', '-m', 'plumbed');
        },
      ],
      ['that is worked in too', () => shop.work()],
      [
        'it is made anew, and nobody told of that',
        () => {
          shop.git('reset', '-q', '--soft', 'HEAD~1');
          shop.git('-c', 'core.hooksPath=/nowhere', 'commit', '-q', '-m', 'anew');
        },
      ],
      ['that is worked in as well', () => shop.work()],
      ['its note is taken away', () => shop.git('notes', '--ref=agent/trace', 'remove', 'HEAD')],
      ['it is anchored again', () => shop.agent('reanchor', 'HEAD')],
      ['all notes go', () => shop.git('update-ref', '-d', TRACE_REF)],
      ['and come back', () => shop.git('update-ref', TRACE_REF, shop.git('rev-parse', 'kept-notes'))],
    ];
    let last = first;
    const alike = [];
    for (const [what, does] of steps) {
      shop.git('tag', '-f', 'kept-notes', ...(what === 'and come back' ? ['kept-notes'] : [TRACE_REF]));
      await does();
      const next = await same(shop, ESSENCE).catch((cause: Error) => {
        throw new Error(`when ${what}: ${cause.message}`);
      });
      if (next.join() === last.join()) alike.push(what);
      last = next;
    }
    await same();
    // what is only written down was known before; of the rest, what changes nothing would prove nothing
    expect(alike.filter((what) => !/^the work is done|is worked in/.test(what))).toEqual([]);
  });
});

describe('what is remembered is of no use', () => {
  beforeEach(async () => {
    shop.git('config', 'core.attributesFile', path.join(shop.home, 'mine'));
    await said();
    forge();
    expect(await forgeries()).toBe(ALL);
  });

  test('where a commit has other notes; the others are still believed', async () => {
    shop.git('notes', '--ref=agent/trace', 'append', '-m', '{}', 'HEAD~3');
    expect(await forgeries()).toBe(ALL - 1);
    shop.git('notes', '--ref=origin/agent/trace', 'add', '-m', '{}', 'HEAD~4');
    expect(await forgeries()).toBe(ALL - 2);
    // what was told anew is remembered, and no longer forged
    expect(await forgeries()).toBe(ALL - 2);
  });

  test('to a server that takes a push', async () => {
    const server = new Workshop(makeFolder('server'), shop.home);
    fs.cpSync(shop.common, server.dir, { recursive: true });
    server.git('config', 'core.bare', 'true');
    const zero = '0'.repeat(40);
    server.git('update-ref', '-d', 'refs/heads/main');
    const pushed = `${zero} ${shop.git('rev-parse', 'HEAD')} refs/heads/main\n`;
    const { dir } = await programsOf();
    const answer = await run(server.dir, [path.join(dir, 'git-agent'), 'check', '--pre-receive', '--format', 'json'], {
      input: pushed,
    });
    expect(JSON.parse(answer).counts.lines).toMatchObject({ total: 3 * ALL, ai: 2 * ALL, mixed: 0 });
    server.remove();
  });

  const uses: (readonly [what: string, does: () => unknown])[] = [
    ['to another version', () => {}],
    [
      'where the clone is shallow',
      () => fs.writeFileSync(path.join(shop.common, 'shallow'), `${idOf(`HEAD~${ALL - 5}`)}\n`),
    ],
    ['where parents are grafted', () => graft()],
    ['where objects are replaced', () => shop.git('replace', '--graft', `HEAD~${ALL - 5}`)],
    ['where a person calls files binary', () => attributes('*.js -diff\n')],
    ['where a person calls them binary everywhere', () => attributesOfPerson()],
    ['where large files are binary', () => shop.git('config', 'core.bigFileThreshold', '20')],
    ['where files come in another order', () => shop.git('config', 'diff.orderFile', 'order')],
  ];
  test.each(uses)('%s', async (what, does) => {
    await does();
    const version = what === 'to another version' ? { version: '1.2.4' } : {};
    const { agent } = await import('../../src/commands/agent.ts');
    const env = { ...process.env, HOME: shop.home };
    const ask = () => inWorld(agent, shop.dir, ['audit', `HEAD~${MANY}..HEAD`], { home: shop.home, env, ...version });
    const report = () => inWorld(agent, shop.dir, ['report', '--format', 'json'], { home: shop.home, env, ...version });
    const [first, audit] = [await report(), await ask()];
    expect(first.stdout).not.toContain('"mixed",');
    fs.rmSync(told(), { force: true });
    expect([await report(), await ask()]).toEqual([first, audit]);
  });

  test.each([
    ['by a variable of the environment that changes what git shows', () => ({ GIT_DIFF_OPTS: '-u1' })],
    ['where git is another one', () => ({ PATH: `${otherGit()}${path.delimiter}${process.env.PATH}` })],
  ])('%s', async (_, env) => {
    const before = { ...process.env };
    Object.assign(process.env, env());
    try {
      expect(await forgeries()).toBe(0);
    } finally {
      for (const name of Object.keys(env())) process.env[name] = before[name];
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    }
  });
});

/** A folder with a program that is called git. */
function otherGit(): string {
  const [folder, git] = [path.join(shop.home, 'bin'), shop.git('--exec-path')];
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'git'), `#!/bin/sh\nexec '${git}/git' "$@"\n`, { mode: 0o755 });
  return folder;
}

function graft(): void {
  fs.mkdirSync(path.join(shop.common, 'info'), { recursive: true });
  fs.writeFileSync(path.join(shop.common, 'info', 'grafts'), `${idOf(`HEAD~${ALL - 5}`)}\n`);
}

function attributes(text: string): void {
  fs.mkdirSync(path.join(shop.common, 'info'), { recursive: true });
  fs.writeFileSync(path.join(shop.common, 'info', 'attributes'), text);
}

function attributesOfPerson(): void {
  fs.writeFileSync(path.join(shop.home, 'mine'), '*.js -diff\n');
}

let programs: Promise<Programs> | undefined;
function programsOf(): Promise<Programs> {
  programs ??= buildPrograms();
  return programs;
}
beforeAll(() => programsOf());
afterAll(async () => (await programsOf()).remove());

function run(cwd: string, [name = '', ...args]: readonly string[], { input = '' } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, HOME: shop.home };
    const child = spawn(name, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    const out: Buffer[] = [];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(out).toString()));
    child.stdin.end(input);
  });
}

describe('where it is kept', () => {
  test('nothing has to be writable', async () => {
    const cold = await said();
    fs.rmSync(told());
    fs.mkdirSync(told());
    expect(await said()).toEqual(cold);
    fs.rmdirSync(told());
    fs.rmSync(path.dirname(told()), { recursive: true });
    fs.writeFileSync(path.dirname(told()), 'no folder');
    expect(await said()).toEqual(cold);
  });

  test('there has to be a folder of ours', async () => {
    fs.rmSync(path.join(shop.common, 'agent'), { recursive: true });
    await shop.agent('report');
    expect(fs.existsSync(path.join(shop.common, 'agent'))).toBe(false);
  });

  test('several at once do not disturb each other', async () => {
    const { dir } = await programsOf();
    const report = () => run(shop.dir, [path.join(dir, 'git-agent'), 'report', '--format', 'json']);
    const answers = await Promise.all(Array.from({ length: 6 }, report));
    const more = await Promise.all(Array.from({ length: 3 }, report));
    fs.rmSync(told());
    expect(new Set([...answers, ...more, await report()]).size).toBe(1);
    expect(answers[0]).toContain('"ai"');
  });

  test('a clone that was shallow says the same when it no longer is', async () => {
    const clone = new Workshop(makeFolder('clone'), shop.home);
    clone.git('clone', '-q', `--depth=${ALL - 5}`, `file://${shop.dir}`, '.');
    clone.git('fetch', '-q', 'origin', '+refs/notes/*:refs/notes/*');
    fs.mkdirSync(path.join(clone.common, 'agent'));
    const shallow = await same(clone);
    expect(fs.existsSync(told(clone))).toBe(false);
    clone.git('fetch', '-q', '--unshallow');
    expect(await same(clone)).not.toEqual(shallow);
    expect(fs.existsSync(told(clone))).toBe(true);
    clone.remove();
  });
});
