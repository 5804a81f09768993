import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { openPrepared, openWorkshop, type Workshop } from '../support/workshop.ts';
import { buildPrograms, call, inWorld, type Programs } from './program.ts';

const OWN = 'refs/notes/agent/trace';
const THEIRS = 'refs/notes/origin/agent/trace';
const NOWHERE = '1234567890'.repeat(4);

let shop: Workshop;
afterEach(() => shop.remove());

/** Two commits, of which a note says that a person wrote them; the first is on the remote. */
async function declared(ref: string): Promise<void> {
  shop = await openPrepared('declared', declaredAnew);
  if (ref === OWN) return;
  shop.git('update-ref', ref, OWN);
  shop.git('update-ref', '-d', OWN);
}

async function declaredAnew(): Promise<Workshop> {
  const shop = await openWorkshop({ agents: false });
  shop.human('.agent-policy.json', '{"requireAttribution":"block"}').human('a.ts', 'one\ntwo\n').commit('start');
  shop.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  shop.human('a.ts', 'one\ntwo\nthree\n').commit('more');
  await shop.agent('declare', 'HEAD', '--human');
  return shop;
}

const fileOf = (object: string) => {
  const id = shop.git('rev-parse', object);
  return path.join(shop.common, 'objects', id.slice(0, 2), id.slice(2));
};
const overwrite = (file: string, text: string) => {
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, text);
};

const makeTree = (entry: string) =>
  execFileSync('git', ['mktree'], { cwd: shop.dir, input: `${entry}\n`, encoding: 'utf8' }).trim();

/** What can be wrong with a ref of notes. */
const DAMAGES: Readonly<Record<string, (ref: string) => void>> = {
  'leads to a file': (ref) => shop.git('update-ref', ref, shop.git('rev-parse', 'HEAD:a.ts')),
  'leads to nothing': (ref) => overwrite(path.join(shop.common, ref), `${NOWHERE}\n`),
  'holds junk': (ref) => overwrite(path.join(shop.common, ref), 'junk\n'),
  'is empty': (ref) => overwrite(path.join(shop.common, ref), ''),
  'leads to a commit without its tree': (ref) => fs.rmSync(fileOf(`${ref}^{tree}`)),
  'leads to a commit that is damaged': (ref) => overwrite(fileOf(ref), 'trash'),
  'leads to a tree that is damaged': (ref) => overwrite(fileOf(`${ref}^{tree}`), 'trash'),
  'lacks a folder': (ref) => {
    const id = shop.git('rev-parse', 'HEAD');
    const note = `100644 blob ${shop.git('rev-parse', `${ref}:${id}`)}\t${id.slice(2)}`;
    const folder = makeTree(note);
    const tree = makeTree(`040000 tree ${folder}\t${id.slice(0, 2)}`);
    shop.git('update-ref', ref, shop.git('commit-tree', '-m', 'notes', tree));
    fs.rmSync(fileOf(folder));
  },
};
/** Notes of which no line is a record, nor anything that could be one of another tool. */
const GARBLED: Readonly<Record<string, (note: string) => string>> = {
  'is garbage': () => 'not json {{{ garbage',
  'is garbage in braces': () => '{not json}',
  'is no object': () => '["a list"]\n12',
  'was cut off': (note) => note.slice(0, -40),
};

describe.each(Object.keys(GARBLED))('a note that %s', (how) => {
  const garble = async () => {
    await declared(OWN);
    const note = shop.git('notes', '--ref', OWN, 'show', 'HEAD');
    shop.git('notes', '--ref', OWN, 'add', '-f', '-m', GARBLED[how]?.(note) ?? '', 'HEAD');
  };

  it('is counted by the gate and the report, and told by blame', async () => {
    await garble();
    const json = async (...args: string[]) =>
      JSON.parse((await shop.agent(...args, 'HEAD~1..HEAD', '--format', 'json')).stdout);
    const { skippedNotes, findings } = await json('check');
    expect([skippedNotes, findings[0]]).toEqual([1, expect.objectContaining({ rule: 'unreadableNotes' })]);
    const commit = shop.git('rev-parse', 'HEAD').slice(0, 10);
    expect(findings[0].message).toBe(`1 note could not be read: of ${commit}`);
    expect((await shop.agent('doctor')).stdout).toContain(`1 with lines that are no JSON objects: of ${commit}`);
    expect((await json('report')).skipped).toBe(1);
    expect((await shop.agent('report')).stderr).toContain('1 note is too large, damaged, or not in this clone');
    expect((await shop.agent('blame', 'a.ts')).stderr).toContain('1 note is too large to be read, or damaged');
  });
});

/** Lines beside a good record that nobody can read. */
const GARBAGE: Readonly<Record<string, string>> = {
  'a word': 'reviewed',
  'garbage in braces': '{not json}',
  'a list': '["a list"]',
  'half of a record': '{"version":"0.1.0","id":"00000000-0000-4000-8000-000000000001","files":[{"path":',
};

describe.each(Object.keys(GARBAGE))('%s beside a record', (what) => {
  const spoil = async () => {
    await declared(OWN);
    shop.git('notes', '--ref', OWN, 'append', '-m', GARBAGE[what] ?? '', 'HEAD');
  };
  const json = async (...args: string[]) => {
    const { status, stdout } = await shop.agent(...args, 'HEAD~1..HEAD', '--format', 'json');
    return { status, ...JSON.parse(stdout) };
  };

  it('is counted and told, and stops nobody whose lines have their records', async () => {
    await spoil();
    const { status, skippedNotes, findings, counts } = await json('check');
    const found = {
      rule: 'unreadableNotes',
      level: 'warn',
      message: `1 note could not be read in full, some lines are damaged: of ${shop.git('rev-parse', 'HEAD').slice(0, 10)}`,
    };
    expect([status, skippedNotes, findings]).toEqual([0, 1, [expect.objectContaining(found)]]);
    expect(counts.lines).toMatchObject({ total: 1, human: 1 });
    expect(await json('report')).toMatchObject({ skipped: 1, counts: { human: 1 } });
    const damaged = '1 note is too large to be read, or damaged';
    for (const words of [
      ['blame', 'a.ts'],
      ['diff', 'HEAD~1', 'HEAD'],
      ['show', 'HEAD'],
      ['show', 'a.ts:3'],
      ['why', 'a.ts:3'],
    ])
      expect([words[0], (await shop.agent(...words)).stderr]).toEqual([words[0], expect.stringContaining(damaged)]);
    expect((await shop.agent('log')).stderr).toContain('1 note or commit is too large, damaged or not in this clone');
  });

  it('blocks where a line has no record', async () => {
    await spoil();
    shop.human('b.ts', 'more\n').commit('bare');
    const { stdout } = await shop.agent('check', 'HEAD~2..HEAD', '--format', 'json');
    const blocking = { rule: 'unreadableNotes', level: 'block' };
    expect(JSON.parse(stdout).findings[0]).toMatchObject(blocking);
  });
});

it('doctor names damaged notes of a remote too', async () => {
  await declared(THEIRS);
  shop.git('notes', '--ref', THEIRS, 'append', '-m', '{not json}', 'HEAD');
  const { stdout } = await shop.agent('doctor');
  const commit = shop.git('rev-parse', 'HEAD').slice(0, 10);
  expect(stdout).toContain(`notes: ${THEIRS} has 1 with lines that are no JSON objects: of ${commit}`);
  expect(stdout).toContain('git notes --ref REF show COMMIT');
});

it('a note of git-ai that was joined to ours is no garbage', async () => {
  await declared(OWN);
  const theirs = 'a.ts\n  0123456789abcdef 1-2\n---\n{\n  "schema_version": "authorship/3.0.0"\n}';
  shop.git('notes', '--ref', OWN, 'append', '-m', theirs, 'HEAD');
  expect(JSON.parse((await shop.agent('report', '--format', 'json')).stdout).skipped).toBe(0);
  expect((await shop.agent('blame', 'a.ts')).stderr).toBe('');
});

it('a record of another tool, and one of a later version, are notes that can be read', async () => {
  await declared(OWN);
  for (const note of ['{"version":"0.1.0","files":[]}', '{"version":"2.0","files":[]}', '{"of":"another tool"}']) {
    shop.git('notes', '--ref', OWN, 'add', '-f', '-m', note, 'HEAD');
    expect(JSON.parse((await shop.agent('report', '--format', 'json')).stdout).skipped).toBe(0);
    expect((await shop.agent('blame', 'a.ts')).stderr).toBe('');
  }
});

const CASES = Object.keys(DAMAGES).flatMap((damage) => [OWN, THEIRS].map((ref) => [ref, damage] as const));

describe.each(CASES)('where %s %s', (ref, damage) => {
  const says = `the notes in ${ref} cannot be read, or not all of them`;

  it('the gate says so, and blocks only if the policy says block', async () => {
    await declared(ref);
    const check = async (...args: string[]) => {
      const { status, stdout } = await shop.agent('check', 'HEAD~1..HEAD', ...args);
      return { status, stdout };
    };
    expect((await check()).status).toBe(0);
    DAMAGES[damage]?.(ref);
    expect(await check()).toEqual({ status: 1, stdout: expect.stringContaining(says) });
    const found: { rule: string; level: string; subject: string }[] = JSON.parse(
      (await check('--format', 'json')).stdout,
    ).findings;
    expect(found.map(({ rule, level }) => `${level} ${rule}`)).toEqual([
      'block unreadableNotes',
      'block requireAttribution',
    ]);
    for (const policy of ['{"requireAttribution":"warn"}', '{"requireAttribution":"off"}', '{}']) {
      shop.human('.agent-policy.json', policy);
      expect(await check()).toEqual({ status: 0, stdout: expect.stringContaining(says) });
    }
  });

  it('report, blame, log, status, doctor and pr say so', async () => {
    await declared(ref);
    DAMAGES[damage]?.(ref);
    const sentence = `${says}: git agent doctor says what to do.\n`;
    const report = await shop.agent('report', 'HEAD~1..HEAD', '--format', 'json');
    expect([report.status, report.stderr]).toEqual([0, `git agent: ${sentence}`]);
    expect(JSON.parse(report.stdout)).toMatchObject({ unread: [ref], skipped: 0, counts: { total: 1, unknown: 1 } });
    expect((await shop.agent('report', '--standing')).stdout).toContain(`not read   notes in: ${ref}`);
    expect((await shop.agent('blame', 'a.ts')).stderr).toContain(sentence);
    expect((await shop.agent('log')).stderr).toContain(sentence);
    expect((await shop.agent('status')).stdout).toContain(`${ref} cannot be read, or not all of it`);
    const doctor = await shop.agent('doctor');
    expect(doctor.stdout).toMatch(/^fail {2}notes: (cannot be read|no history of notes): /m);
    expect(doctor.stdout).toContain(ref);
    const pr = await inWorld(agent, shop.dir, ['pr'], { env: { ...process.env, AGENT_PR_BASE: 'HEAD~1' } });
    expect([pr.status, pr.stdout]).toEqual([0, expect.stringContaining(`The notes in \`${ref}\` cannot be read`)]);
  });
});

it('a folder that our own notes and those of a remote both lack, two levels down, is told by status and doctor', async () => {
  await declared(OWN);
  const id = shop.git('rev-parse', 'HEAD');
  const leaf = makeTree(`100644 blob ${shop.git('rev-parse', `${OWN}:${id}`)}\t${id.slice(4)}`);
  const middle = makeTree(`040000 tree ${leaf}\t${id.slice(2, 4)}`);
  const notes = shop.git('commit-tree', '-m', 'notes', makeTree(`040000 tree ${middle}\t${id.slice(0, 2)}`));
  for (const ref of [OWN, THEIRS]) shop.git('update-ref', ref, notes);
  expect(JSON.parse((await shop.agent('status', '--json')).stdout).unread).toEqual([]);
  fs.rmSync(fileOf(leaf));
  expect(JSON.parse((await shop.agent('status', '--json')).stdout).unread).toEqual([OWN, THEIRS]);
  expect((await shop.agent('doctor')).stdout).toMatch(/^fail {2}notes: cannot be read: .*agent\/trace/m);
});

it.each(Object.keys(DAMAGES))('nothing is added to a ref that %s: what it has would be lost', async (damage) => {
  await declared(OWN);
  DAMAGES[damage]?.(OWN);
  const file = path.join(shop.common, OWN);
  const before = fs.readFileSync(file, 'utf8');
  const { status, stderr } = await shop.agent('declare', 'HEAD', '--tool', 'cursor');
  expect([status, fs.readFileSync(file, 'utf8')]).toEqual([3, before]);
  expect(stderr).toContain('git agent doctor');
});

it('what takes a ref without its tree away is said, and what was pushed comes back', async () => {
  await declared(OWN);
  const hub = path.join(shop.home, 'hub.git');
  shop.git('init', '-q', '--bare', hub);
  shop.git('remote', 'add', 'origin', hub);
  await shop.agent('sync');
  shop.git(
    'update-ref',
    OWN,
    shop.git('commit-tree', '-m', 'lost', '-p', OWN, makeTree(`100644 blob ${shop.git('rev-parse', 'HEAD:a.ts')}\tx`)),
  );
  fs.rmSync(fileOf(`${OWN}^{tree}`));
  const { status, stderr } = await shop.agent('sync');
  const [, mend = ''] = /its tree cannot be read: git (update-ref -d \S+) takes it away/.exec(stderr) ?? [];
  expect([status, mend]).toEqual([1, `update-ref -d ${OWN}`]);
  shop.git(...mend.split(' '));
  expect((await shop.agent('sync')).status).toBe(0);
  expect((await shop.agent('check', 'HEAD')).status).toBe(0);
});

it('a seal that cannot be read is not told as one that is missing', async () => {
  await declared(OWN);
  shop.human('.agent-policy.json', '{"requireSeal":"block"}');
  shop.git('update-ref', 'refs/notes/agent/seal', shop.git('rev-parse', 'HEAD:a.ts'));
  const { status, stdout } = await shop.agent('check', 'HEAD');
  expect([status, stdout]).toEqual([1, expect.stringContaining('the notes in refs/notes/agent/seal cannot be read')]);
});

it('the name of such a ref turns nothing round on a terminal', async () => {
  await declared(OWN);
  shop.git('update-ref', 'refs/notes/a\u202eb/agent/trace', shop.git('rev-parse', 'HEAD:a.ts'));
  for (const args of [['blame', 'a.ts'], ['report'], ['log'], ['status']]) {
    const { stdout, stderr } = await shop.agent(...args);
    expect(stdout + stderr).toContain('refs/notes/ab/agent/trace cannot be read');
  }
});

it('what somebody left in another ref stops nobody whose lines all have their records', async () => {
  await declared(OWN);
  shop.human('.agent-policy.json', '{"requireAttribution":"block"}');
  shop.git('update-ref', 'refs/notes/mallory/agent/trace', shop.git('rev-parse', 'HEAD:a.ts'));
  const { status, stdout } = await shop.agent('check', 'HEAD~1..HEAD');
  const said = 'the notes in refs/notes/mallory/agent/trace cannot be read';
  expect([status, stdout]).toEqual([0, expect.stringContaining(said)]);
});

describe('on a server', () => {
  let programs: Programs;
  let folder: string;
  beforeAll(async () => {
    programs = await buildPrograms();
  });
  afterAll(() => programs.remove());
  afterEach(() => removeFolder(folder));

  /** A bare repository with the gate, and what pushing to it says. */
  async function server(level: string) {
    folder = makeFolder('server');
    await declared(OWN);
    const hub = path.join(folder, 'hub.git');
    shop.git('init', '-q', '--bare', '-b', 'main', hub);
    shop.git('checkout', '-q', '-b', 'start', 'origin/main');
    shop.human('.agent-policy.json', `{\n"requireAttribution":"${level}"}`).commit('policy');
    shop.git('push', '-q', hub, 'start:main', OWN);
    const gate = '#!/bin/sh\nexec git-agent check --pre-receive\n';
    fs.writeFileSync(path.join(hub, 'hooks/pre-receive'), gate, { mode: 0o755 });
    const push = (...refspecs: string[]) => {
      const { status, stderr } = call(programs, shop.dir, ['git', 'push', '-q', hub, ...refspecs]);
      return { status, stderr };
    };
    return { hub, push };
  }

  it.each([
    ['block', 1],
    ['warn', 0],
  ])('whose own notes are none, that is said, and with %s the push ends with %i', async (level, status) => {
    const { hub, push } = await server(level);
    shop.git('-C', hub, 'update-ref', OWN, shop.git('rev-parse', 'HEAD:a.ts'));
    expect(push('main:x')).toEqual({ status, stderr: expect.stringContaining(`the notes in ${OWN} cannot be read`) });
  });

  it('what is no notes does not get in where they are expected, and stops nobody', async () => {
    const { hub, push } = await server('block');
    const blob = shop.git('rev-parse', 'HEAD:a.ts');
    for (const ref of [OWN, 'refs/notes/mallory/agent/trace', 'refs/notes/mallory/agent/seal']) {
      const stderr = expect.stringContaining(`${ref} of this push cannot be read`);
      expect(push(`+${blob}:${ref}`)).toEqual({ status: 1, stderr });
    }
    shop.git('-C', hub, 'update-ref', 'refs/notes/mallory/agent/trace', blob);
    expect(push(':refs/notes/mallory/agent/trace').status).toBe(0);
    expect(push('main:x', OWN).status).toBe(0);
  });

  it('notes that come with the push and are none are named as those', async () => {
    const { push } = await server('block');
    const blob = shop.git('rev-parse', 'HEAD:a.ts');
    const said = push('main:x', `+${blob}:${OWN}`);
    expect(said).toEqual({ status: 1, stderr: expect.stringContaining(`${OWN} of this push cannot be read`) });
  });
});
