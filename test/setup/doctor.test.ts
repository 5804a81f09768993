import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { command as doctor } from '../../src/commands/doctor.ts';
import { command as init } from '../../src/commands/init.ts';
import { gits, type Machine, makeMachine } from './support.ts';

interface Check {
  readonly name: string;
  readonly level: string;
  readonly said: string;
  readonly mend: string | null;
}

let machine: Machine;
afterEach(() => machine.remove());
const agent = (file: string) => path.join(machine.repo, '.git/agent', file);

function putFolder(file: string): void {
  fs.rmSync(file, { force: true });
  fs.mkdirSync(file);
}

/** Of our files in whose place a folder stands: what doctor says besides that it is in the way. */
const FOLDERS: Record<string, Record<string, string>> = {
  journal: { journal: 'fail' },
  'since.json': { since: 'fail' },
  'state.json': { state: 'warn' },
  'installed.json': {},
  'hooks.log': {},
  'hooks/program': { program: 'fail' },
  'hooks/wake': {},
};

async function look(): Promise<{ code: number; bad: Record<string, string>; checks: readonly Check[] }> {
  const { code, out } = await machine.run(doctor, { json: true });
  const { checks } = JSON.parse(out) as { checks: Check[] };
  const bad = checks.filter((check) => check.level !== 'ok');
  expect(bad.every((check) => check.mend)).toBe(true);
  return { code, checks, bad: Object.fromEntries(bad.map((check) => [check.name, check.level])) };
}

describe.each(gits())('with git $name', (git) => {
  beforeEach(async () => {
    machine = makeMachine(git);
    fs.mkdirSync(path.join(machine.home, '.claude'));
    machine.git('remote', 'add', 'origin', machine.root);
    await machine.run(init);
  });

  test('a sound set-up: every line says ok', async () => {
    expect(await look()).toMatchObject({ code: 0, bad: {} });
    const { out } = await machine.run(doctor);
    expect(
      out
        .split('\n')
        .filter(Boolean)
        .every((line) => line.startsWith('ok    ')),
    ).toBe(true);
  });

  const harm: Record<string, [() => void, Record<string, string>]> = {
    'the hooks of git are gone': [
      () => {
        machine.git('config', '--remove-section', 'hook.git-agent-blame-post-merge');
      },
      { 'post-merge': 'fail' },
    ],
    'the hook is switched off': [
      () => void machine.git('config', 'hook.git-agent-blame-post-commit.enabled', 'false'),
      { 'post-commit': 'fail' },
    ],
    'the event is switched off': [
      () => void machine.git('config', 'hook.post-rewrite.enabled', 'false'),
      { 'post-rewrite': 'fail' },
    ],
  };
  const fileHarm: Record<string, [() => void, Record<string, string>]> = {
    'a hook file is gone': [
      () => fs.rmSync(path.join(machine.repo, '.git/hooks/post-merge')),
      { 'post-merge': 'fail' },
    ],
    'a hook file is not executable': [
      () => fs.chmodSync(path.join(machine.repo, '.git/hooks/post-commit'), 0o644),
      { 'post-commit': 'fail' },
    ],
    'another folder is used': [
      () => void machine.git('config', 'core.hooksPath', '.git/other'),
      {
        'post-commit': 'fail',
        'post-rewrite': 'fail',
        'post-merge': 'fail',
        'post-applypatch': 'fail',
        'pre-push': 'fail',
      },
    ],
  };
  const common: Record<string, [() => void, Record<string, string>]> = {
    'the store is open to others': [() => fs.chmodSync(agent(''), 0o755), { store: 'fail' }],
    'a copy is gone': [() => fs.rmSync(agent('hooks/wake')), { 'copies of our hooks': 'fail' }],
    'the program is gone': [
      () => fs.writeFileSync(agent('hooks/program'), '/no/node\n/no/script\n'),
      { program: 'fail' },
    ],
    'the settings lost our hooks': [
      () => fs.writeFileSync(path.join(machine.home, '.claude/settings.json'), '{}'),
      { 'claude-code': 'fail' },
    ],
    'the settings are broken': [
      () => fs.writeFileSync(path.join(machine.home, '.claude/settings.json'), '{'),
      { 'claude-code': 'fail' },
    ],
    'the agent runs no hooks': [
      () => {
        const file = path.join(machine.home, '.claude/settings.json');
        fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('{', '{"disableAllHooks": true,'));
      },
      { 'claude-code': 'fail' },
    ],
    'what agents call is gone': [
      () => fs.rmSync(path.join(machine.home, '.local/share/git-agent-blame/agent-hook')),
      { 'what agents call': 'warn' },
    ],
    'a remote came later': [
      () => void machine.git('remote', 'add', 'later', machine.root),
      { 'notes of later': 'fail' },
    ],
    'notes that were never pushed': [
      () => {
        machine.git('commit', '-q', '--allow-empty', '-m', 'x');
        machine.git('notes', '--ref=agent/trace', 'add', '-m', '{}');
      },
      { 'notes of origin': 'warn' },
    ],
    'notes that cannot be read': [
      () => {
        const blob = machine.git('hash-object', '-w', '--stdin');
        machine.git('update-ref', 'refs/notes/agent/trace', blob);
      },
      { notes: 'fail', 'notes of origin': 'warn' },
    ],
    'a torn line': [
      () => fs.writeFileSync(agent('journal'), '{"fact":"commit","at":1}\n{"fact":"com'),
      { journal: 'warn' },
    ],
    'a mishap': [() => fs.writeFileSync(agent('hooks.log'), 'something went wrong\n'), { mishaps: 'warn' }],
    'a lock left behind': [
      () => fs.writeFileSync(agent('lock'), '{"token":"t","pid":999999999,"host":"h","at":0}'),
      { lock: 'warn' },
    ],
    'input that was not understood': [
      () => fs.writeFileSync(agent('state.json'), '{"skipped":{"new-event":3}}'),
      { 'not understood': 'warn' },
    ],
    'a transcript that was cut off': [
      () => fs.writeFileSync(agent('state.json'), '{"skipped":{"broken line":1}}'),
      { 'not understood': 'warn' },
    ],
  };
  const cases = { ...common, ...(git.configHooks ? harm : fileHarm) };

  test.each(Object.keys(cases))('%s: it is named, and the exit code follows', async (name) => {
    const [harmIt, expected] = cases[name] ?? [() => {}, {}];
    harmIt();
    const { bad, code } = await look();
    expect(bad).toEqual(expected);
    expect(code).toBe(Object.values(expected).includes('fail') ? 1 : 0);
  });

  test.each(Object.keys(FOLDERS))(
    'a folder in the place of %s: it is in the way, and init mends what there was',
    async (name) => {
      putFolder(agent(name));
      expect(await look()).toMatchObject({ code: 1, bad: { 'in the way': 'fail', ...FOLDERS[name] } });
      fs.rmdirSync(agent(name));
      await machine.run(init);
      expect(await look()).toMatchObject({ code: 0, bad: {} });
    },
  );
});

test('where init was not run, that is the one thing said', async () => {
  const [git] = gits();
  if (!git) throw new Error('the tests need git');
  machine = makeMachine(git);
  expect(await look()).toMatchObject({ code: 1, bad: { 'set-up': 'fail' } });
});
