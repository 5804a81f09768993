import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findRepository } from '../../src/git/repository.ts';
import { appendNotes } from '../../src/notes/append.ts';
import { readAllNotes } from '../../src/notes/read.ts';
import { TRACE_REF } from '../../src/notes/refs.ts';
import { configCommand, editHook } from '../../src/setup/hook-file.ts';
import { buildPrograms, type Programs } from '../cli/program.ts';
import { gits } from '../setup/support.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, openRepository, type TestRepository } from '../support/repository.ts';

const SHIM = path.resolve(import.meta.dirname, '../../git-hooks/pre-push');
let programs: Programs;
let root: string;
let hub: TestRepository;
let mine: TestRepository;
let commit: string;

beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.remove());
beforeEach(() => {
  root = makeFolder('pre-push');
  for (const name of ['hub.git', 'mine']) fs.mkdirSync(path.join(root, name));
  hub = openRepository(path.join(root, 'hub.git'));
  hub.git('init', '-q', '--bare', '-b', 'main');
  mine = openRepository(path.join(root, 'mine'));
  mine.git('init', '-q', '-b', 'main');
  mine.git('remote', 'add', 'origin', '../hub.git');
  mine.write('.git/agent/hooks/pre-push', fs.readFileSync(SHIM));
  mine.write('.git/agent/hooks/program', `${process.execPath}\n${programs.dir}/git-agent.js\n`);
  installHook();
  commit = mine.commit();
});
afterEach(() => removeFolder(root));

/** What init makes of a hook that is there. */
function installHook(text?: string): void {
  const edit = editHook('pre-push', text === undefined ? { kind: 'none' } : { kind: 'file', text, mode: 0o755 });
  const file = path.join(mine.dir, '.git/hooks/pre-push');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (edit?.keep) fs.writeFileSync(`${file}.before-agent`, text ?? '', { mode: 0o755 });
  fs.writeFileSync(file, edit?.text ?? '', { mode: 0o755 });
}

async function note(line: string): Promise<void> {
  await appendNotes(await findRepository(mine.dir), TRACE_REF, new Map([[commit, [line]]]));
}

/** How often the program was started, by putting another one in its place. */
function countStarts(): () => number {
  const script = path.join(root, 'program.cjs');
  fs.writeFileSync(script, `require('fs').appendFileSync(${JSON.stringify(`${root}/started`)}, 'x')`);
  mine.write('.git/agent/hooks/program', `${process.execPath}\n${script}\n`);
  return () => (fs.existsSync(`${root}/started`) ? fs.readFileSync(`${root}/started`, 'utf8').length : 0);
}

function git(args: readonly string[], { env = {}, cwd = mine.dir, program = 'git' } = {}) {
  const options = { cwd, encoding: 'utf8' as const, env: { ...process.env, ...env } };
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return { status, said: `${stdout}${stderr}` };
}

const linesOf = async (dir: string) => (await readAllNotes({ cwd: dir }, [TRACE_REF])).notes.get(commit) ?? [];
const log = () => {
  const file = path.join(mine.dir, '.git/agent/hooks.log');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};
const SILENT = { status: 0, said: '' };

test('a push takes the notes along, silently, and they are there when it is done', async () => {
  await note('{"a":1}');
  expect(git(['push', '-q', 'origin', 'main'])).toEqual(SILENT);
  expect(await linesOf(hub.dir)).toEqual(['{"a":1}']);
  expect(hub.git('rev-parse', 'main')).toBe(commit);
  expect(mine.git('rev-parse', 'refs/notes/origin/agent/trace')).toBe(mine.git('rev-parse', TRACE_REF));
  await note('{"b":1}');
  // a push with nothing to do is a push for the notes
  expect(git(['push', '-q', 'origin', 'main'])).toEqual(SILENT);
  expect(await linesOf(hub.dir)).toEqual(['{"a":1}', '{"b":1}']);
  expect(log()).toBe('');
  expect(fs.statSync(path.join(mine.dir, '.git/agent/hooks.log')).mode & 0o777).toBe(0o600);
});

test('somebody else has pushed notes meanwhile: both are there', async () => {
  hub.git('notes', '--ref=agent/trace', 'add', '-m', '{"other":1}', commit);
  await note('{"a":1}');
  expect(git(['push', '-q', 'origin', 'main'])).toEqual(SILENT);
  expect((await linesOf(hub.dir)).toSorted()).toEqual(['{"a":1}', '{"other":1}']);
});

test('to a path, from a linked work tree, to a name with a slash', async () => {
  await note('{"a":1}');
  expect(git(['push', '-q', '../hub.git', 'main'])).toEqual(SILENT);
  expect(await linesOf(hub.dir)).toEqual(['{"a":1}']);
  mine.git('worktree', 'add', '-q', '-b', 'side', '../side tree');
  await note('{"b":1}');
  expect(git(['push', '-q', 'origin', 'side'], { cwd: path.join(root, 'side tree') })).toEqual(SILENT);
  expect(await linesOf(hub.dir)).toEqual(['{"a":1}', '{"b":1}']);
  mine.git('remote', 'add', 'team/fork', hub.dir);
  expect(git(['push', '-q', 'team/fork', 'main:other'])).toEqual(SILENT);
  expect(mine.git('rev-parse', 'refs/notes/team/fork/agent/trace')).toBe(hub.git('rev-parse', TRACE_REF));
  expect(mine.git('for-each-ref', 'refs/agent')).toBe('');
});

describe('the program is not started', () => {
  const cases: Record<string, { args: string[]; prepare?: () => void; env?: Record<string, string> }> = {
    'where the remote has them': {
      args: ['main'],
      prepare: () => void mine.git('update-ref', 'refs/notes/origin/agent/trace', TRACE_REF),
    },
    'where there are none': { args: ['main'], prepare: () => void mine.git('update-ref', '-d', TRACE_REF) },
    'for a tag': { args: ['v1'], prepare: () => void mine.git('tag', 'v1') },
    'for a branch that is taken away': {
      args: [':x'],
      prepare: () => void mine.git('push', '-q', '--no-verify', 'origin', 'main:x'),
    },
    'for a push of the notes themselves': { args: ['main', TRACE_REF] },
    'for a mirror': { args: ['--mirror'] },
    'when the user says so': { args: ['main'], env: { AGENT_PUSH: 'off' } },
    'when the settings say so': { args: ['main'], prepare: () => void mine.git('config', 'agent.push', 'no') },
  };
  test.each(Object.entries(cases))('%s', (_, { args, prepare, env = {} }) => {
    mine.git('notes', '--ref=agent/trace', 'add', '-m', '{}');
    prepare?.();
    const starts = countStarts();
    expect(git(['push', '-q', 'origin', ...args], { env })).toEqual(SILENT);
    expect(starts()).toBe(0);
  });
});

test('facts about commits that wait to be worked in start it, facts about edits do not', () => {
  const starts = countStarts();
  const payload = '{"fact":"payload","at":1}\n';
  const fact = '{"fact":"commit","at":2}\n';
  mine.write('.git/agent/state.json', `{"journal":${fact.length},"tips":{}}\n`);
  mine.write('.git/agent/journal', fact + payload);
  git(['push', '-q', 'origin', 'main']);
  expect(starts()).toBe(0);
  mine.write('.git/agent/journal', fact + payload + fact);
  git(['push', '-q', 'origin', 'main']);
  expect(starts()).toBe(1);
  fs.rmSync(path.join(mine.dir, '.git/agent/state.json'));
  git(['push', '-q', 'origin', 'main']);
  expect(starts()).toBe(2);
});

test.each([['--dry-run'], ['-n'], ['--dry'], ['-fn'], ['-nv'], ['-un']])(
  'a push with %s takes nothing along',
  async (flag) => {
    await note('{"a":1}');
    expect(git(['push', '-q', flag, 'origin', 'main']).status).toBe(0);
    expect(hub.git('for-each-ref', 'refs/notes')).toBe('');
    git(['push', '-q', 'origin', 'main']);
    expect(hub.git('for-each-ref', 'refs/notes')).not.toBe('');
  },
);

test.skipIf(process.platform !== 'linux')('so it does where ps cannot be asked for one process (Linux)', async () => {
  await note('{"a":1}');
  const bin = path.join(mine.dir, '.git', 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'ps'), "#!/bin/sh\necho 'ps: unrecognized option: p' >&2; exit 1\n", { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH}` };
  expect(git(['push', '-q', '--dry-run', 'origin', 'main'], { env }).status).toBe(0);
  expect(hub.git('for-each-ref', 'refs/notes')).toBe('');
});

describe("the user's push goes on", () => {
  test('when the remote refuses notes: it is said once, and the log says why', async () => {
    hub.write('hooks/update', '#!/bin/sh\ncase $1 in refs/notes/*) echo no notes >&2; exit 1;; esac\n');
    fs.chmodSync(path.join(hub.dir, 'hooks/update'), 0o755);
    await note('{"a":1}');
    const { status, said } = git(['push', '-q', 'origin', 'main']);
    expect(status).toBe(0);
    expect(said).toMatch(
      /^git agent: origin does not take refs\/notes\/agent\/trace: .*no notes.*agent\.push false.*\n?$/,
    );
    expect(hub.git('rev-parse', 'main')).toBe(commit);
    expect(git(['push', '-q', 'origin', 'main:again'])).toEqual(SILENT);
    expect(log().split('\n')[0]).toMatch(
      /^\S+Z notes not pushed to origin: origin does not take refs\/notes\/agent\/trace: .*no notes.*$/,
    );
  });

  test('when something else is in the place of notes: it is said once, and the other notes get there', async () => {
    const blob = hub.gitBytes(['hash-object', '-w', '--stdin'], 'hi\n').toString().trim();
    hub.git('update-ref', 'refs/notes/agent/log', blob);
    await note('{"a":1}');
    await appendNotes(await findRepository(mine.dir), 'refs/notes/agent/log', new Map([[commit, ['{"log":1}']]]));
    const { status, said } = git(['push', '-q', 'origin', 'main']);
    expect(status).toBe(0);
    expect(said).toMatch(
      /^git agent: refs\/notes\/agent\/log was not pushed, .*git push origin --delete refs\/notes\/agent\/log.* Your push is not affected\.\n?$/,
    );
    const { notes } = await readAllNotes({ cwd: hub.dir }, [TRACE_REF]);
    expect(notes.get(commit)).toEqual(['{"a":1}']);
    expect(git(['push', '-q', 'origin', 'main:again'])).toEqual(SILENT);
    expect(log()).toContain('notes not pushed to origin: refs/notes/agent/log was not pushed');
  });

  test('when the program is gone, and when it breaks', async () => {
    await note('{"a":1}');
    mine.write('.git/agent/hooks/program', '/nowhere/node\n/nowhere/script\n');
    expect(git(['push', '-q', 'origin', 'main'], { env: { PATH: '/usr/bin:/bin' } })).toEqual(SILENT);
    expect(log()).toMatch(/is gone: run git agent init again\n$/);
    mine.write('broken.cjs', 'throw new Error("broken")');
    mine.write('.git/agent/hooks/program', `${process.execPath}\n${mine.dir}/broken.cjs\n`);
    expect(git(['push', '-q', 'origin', 'main:other'])).toEqual(SILENT);
    expect(log()).toContain('Error: broken');
  });

  test('when the time is over; the notes get there all the same', async () => {
    hub.write('hooks/update', '#!/bin/sh\ncase $1 in refs/notes/*) while [ ! -f go ]; do sleep 0.1; done;; esac\n');
    fs.chmodSync(path.join(hub.dir, 'hooks/update'), 0o755);
    mine.write('.git/agent/hooks/pre-push', fs.readFileSync(SHIM, 'utf8').replace('"$peer" 10', '"$peer" 1'));
    await note('{"a":1}');
    expect(git(['push', '-q', 'origin', 'main'])).toEqual(SILENT);
    expect(await linesOf(hub.dir)).toEqual([]);
    hub.write('go', '');
    for (let n = 0; n < 100 && (await linesOf(hub.dir)).length === 0; n++) await sleep(100);
    expect(await linesOf(hub.dir)).toEqual(['{"a":1}']);
    for (let n = 0; n < 50 && !mine.git('for-each-ref', 'refs/notes/origin'); n++) await sleep(100);
  });
});

test.each<[string, (file: string) => void]>([
  ['folder', (file) => fs.mkdirSync(file)],
  ['link to nowhere', (file) => fs.symlinkSync('/nowhere/at/all', file)],
  ['pipe', (file) => spawnSync('mkfifo', [file])],
])('a policy that is a %s stops the push, as it stops check', (_, make) => {
  const gate = path.resolve(import.meta.dirname, '../../git-hooks/gate');
  mine.write('.git/agent/hooks/gate', fs.readFileSync(gate));
  make(path.join(mine.dir, '.agent-policy.json'));
  const { status, said } = git(['push', '-q', 'origin', 'main']);
  expect([status, said]).toEqual([1, expect.stringContaining('no policy can be read from it')]);
  fs.rmSync(path.join(mine.dir, '.agent-policy.json'), { recursive: true });
  expect(git(['push', '-q', 'origin', 'main'])).toEqual(SILENT);
});

describe("the user's own hook", () => {
  const theirs = (first: string) =>
    `${first}\necho "$1 $2 $#" >>"${root}/ran"; cat >>"${root}/ran"; exit \${CODE:-0}\n`;
  const ran = () => fs.readFileSync(`${root}/ran`, 'utf8');

  test.each(['#!/bin/sh', '#!/bin/bash -eu', '#!/usr/bin/env python3'])(
    '%s gets its arguments and lines, and its exit code decides',
    async (first) => {
      const python = `${first}\nimport os, sys\nopen("${root}/ran", "a").write("%s %s %d\\n" % (sys.argv[1], sys.argv[2], len(sys.argv) - 1) + sys.stdin.read())\nsys.exit(int(os.environ.get("CODE", "0")))\n`;
      installHook(first.includes('python') ? python : theirs(first));
      await note('{"a":1}');
      const zeros = '0'.repeat(40);
      const line = `refs/heads/main ${commit} refs/heads/main`;
      expect(git(['push', '-q', 'origin', 'main'], { env: { CODE: '3' } }).status).toBe(1);
      expect(ran()).toBe(`origin ../hub.git 2\n${line} ${zeros}\n`);
      expect(hub.git('for-each-ref', 'refs/heads')).toBe('');
      expect(git(['push', '-q', 'origin', 'main', 'main:refs/heads/two'])).toEqual(SILENT);
      // nothing to do: no line at all, not an empty one
      fs.rmSync(`${root}/ran`);
      expect(git(['push', '-q', 'origin', 'main'])).toEqual(SILENT);
      expect(ran()).toBe('origin ../hub.git 2\n');
      expect(await linesOf(hub.dir)).toEqual(['{"a":1}']);
    },
  );
});

describe.each(gits().filter(({ configHooks }) => configHooks))(
  'git $name, from its configuration',
  ({ path: program }) => {
    test('besides the hook file', async () => {
      fs.writeFileSync(path.join(mine.dir, '.git/hooks/pre-push'), `#!/bin/sh\ncat >"${root}/ran"\n`, { mode: 0o755 });
      mine.git('config', 'hook.ours.command', configCommand('pre-push'));
      mine.git('config', 'hook.ours.event', 'pre-push');
      await note('{"a":1}');
      expect(git(['push', '-q', 'origin', 'main'], { program })).toEqual(SILENT);
      expect(await linesOf(hub.dir)).toEqual(['{"a":1}']);
      expect(fs.readFileSync(`${root}/ran`, 'utf8')).toMatch(/^refs\/heads\/main \S+ refs\/heads\/main 0+\n$/);
    });
  },
);
