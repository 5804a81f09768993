import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command as deinit } from '../../src/commands/deinit.ts';
import { command as doctor } from '../../src/commands/doctor.ts';
import { command as init } from '../../src/commands/init.ts';
import { gits, type Machine, makeMachine, picture } from './support.ts';

const [git] = gits();
if (!git) throw new Error('the tests need git');

let machine: Machine;
beforeEach(() => {
  machine = makeMachine(git);
});
afterEach(() => machine.remove());

const settings = () => path.join(machine.home, '.claude/settings.json');
const shim = () => path.join(machine.home, '.local/share/git-agent-blame/agent-hook');
const write = (file: string, text: string) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};

test('an agent that is not used here is named and left alone', async () => {
  const said = await machine.run(init);
  expect(said.out).toContain('No agent was found on this machine');
  expect(fs.readdirSync(machine.home)).toEqual([]);
});

test('settings keep everything that was in them, their mode and their link', async () => {
  write(path.join(machine.home, 'dotfiles/claude.json'), '{"model":"opus", "hooks":{"Stop":[]}}');
  fs.chmodSync(path.join(machine.home, 'dotfiles/claude.json'), 0o640);
  fs.mkdirSync(path.dirname(settings()));
  fs.symlinkSync('../dotfiles/claude.json', settings());
  const before = picture(machine.home);
  expect(await machine.run(init)).toMatchObject({ code: 0 });
  expect(fs.readlinkSync(settings())).toBe('../dotfiles/claude.json');
  expect(fs.statSync(settings()).mode & 0o777).toBe(0o640);
  const now = JSON.parse(fs.readFileSync(settings(), 'utf8')) as { model: string; hooks: Record<string, unknown[]> };
  expect(now.model).toBe('opus');
  expect(Object.keys(now.hooks)).toContain('PostToolUse');
  expect(JSON.stringify(now.hooks)).toContain('git-agent-blame/agent-hook');
  expect(fs.statSync(shim()).mode & 0o777).toBe(0o755);
  await machine.run(deinit);
  expect(picture(machine.home)).toEqual(before);
});

test('settings that the user changed since then lose only our hooks', async () => {
  write(settings(), '{\n  "model": "opus"\n}\n');
  await machine.run(init);
  const changed = fs.readFileSync(settings(), 'utf8').replace('"opus"', '"haiku"');
  fs.writeFileSync(settings(), changed);
  await machine.run(deinit);
  expect(fs.readFileSync(settings(), 'utf8')).toBe('{\n  "model": "haiku"\n}\n');
});

test('settings that are not JSON are left alone, the rest is done, and the exit code says so', async () => {
  write(settings(), '{ not json');
  const said = await machine.run(init);
  expect(said.code).toBe(1);
  expect(said.err).toMatch(/^git agent: .*settings\.json was left alone: it is not JSON; .*\.\n$/);
  expect(fs.readFileSync(settings(), 'utf8')).toBe('{ not json');
  machine.commit();
  expect(machine.facts()).toHaveLength(1);
});

const captured = () => {
  const since = JSON.parse(fs.readFileSync(path.join(machine.repo, '.git/agent/since.json'), 'utf8'));
  return since as { readonly at: number; readonly agents: string[]; readonly tree?: string };
};

test('an agent whose settings were left alone is not captured; the others are, and it comes to them once it is set up', async () => {
  write(settings(), '{ not json');
  expect((await machine.run(init, { agents: 'claude-code,gemini-cli' })).code).toBe(1);
  expect(captured().agents).toEqual(['gemini-cli']);
  const { at } = captured();
  expect((await machine.run(doctor)).code).toBe(1);
  fs.writeFileSync(settings(), '{}');
  expect((await machine.run(init, { agents: 'claude-code,gemini-cli' })).code).toBe(0);
  expect(captured()).toMatchObject({ at, agents: ['claude-code', 'gemini-cli'] });
  // they are captured as they were: what the settings look like later is for doctor to tell
  fs.writeFileSync(settings(), '{ not json');
  expect((await machine.run(init, { agents: 'claude-code' })).code).toBe(1);
  expect(captured().agents).toEqual(['claude-code', 'gemini-cli']);
});

test('capture begins with the first agent that is set up', async () => {
  write(settings(), '{ not json');
  await machine.run(init);
  const before = captured();
  expect(before.agents).toEqual([]);
  expect((await machine.run(init)).out).toContain('Nothing to change');
  fs.writeFileSync(path.join(machine.repo, 'typed-meanwhile'), 'who knows\n');
  fs.writeFileSync(settings(), '{}');
  expect((await machine.run(init)).code).toBe(0);
  expect(captured().agents).toEqual(['claude-code']);
  const stood = ({ tree = '' }: typeof before) => machine.git('ls-tree', '--name-only', tree);
  expect([stood(before), stood(captured())]).toEqual(['', 'typed-meanwhile']);
});

test('an agent without settings that a team commits is not captured by --project', async () => {
  await machine.run(init, { project: true, agents: 'claude-code,opencode' });
  expect(captured().agents).toEqual(['claude-code']);
});

test('where settings were left alone, too, all that was made goes again', async () => {
  write(settings(), '{ not json');
  const before = picture(machine.home);
  await machine.run(init);
  await machine.run(deinit, { purge: true });
  expect(picture(machine.home)).toEqual(before);
});

test('a second repository uses the same settings; they go with the last', async () => {
  fs.mkdirSync(path.dirname(settings()));
  const before = picture(machine.home);
  const other = path.join(machine.root, 'other');
  machine.gitIn(machine.root, 'init', '-q', other);
  await machine.run(init);
  const one = fs.readFileSync(settings(), 'utf8');
  await machine.run(init, {}, other);
  expect(fs.readFileSync(settings(), 'utf8')).toBe(one);
  expect((await machine.run(deinit)).out).toContain(
    'hooks in the settings of agents: kept, another repository uses them\n',
  );
  expect(fs.readFileSync(settings(), 'utf8')).toBe(one);
  await machine.run(deinit, {}, other);
  expect(picture(machine.home)).toEqual(before);
});

test('CLAUDE_CONFIG_DIR and XDG_DATA_HOME say where', async () => {
  Object.assign(machine.env, {
    CLAUDE_CONFIG_DIR: path.join(machine.root, 'c'),
    XDG_DATA_HOME: path.join(machine.root, "d'ata"),
  });
  fs.mkdirSync(path.join(machine.root, 'c'));
  await machine.run(init);
  expect(fs.existsSync(path.join(machine.root, "d'ata/git-agent-blame/agent-hook"))).toBe(true);
  expect(fs.readFileSync(path.join(machine.root, 'c/settings.json'), 'utf8')).toContain(
    "d'\\\\''ata/git-agent-blame/agent-hook",
  );
  expect((await machine.run(init)).out).toContain('Nothing to change');
  await machine.run(deinit);
  expect(fs.readdirSync(path.join(machine.root, 'c'))).toEqual([]);
});

test('--project writes what the team commits, and nothing at user level', async () => {
  await machine.run(init, { project: true, agents: 'claude-code' });
  const text = fs.readFileSync(path.join(machine.repo, '.claude/settings.json'), 'utf8');
  expect(text).toContain('git rev-parse --git-common-dir');
  expect(text).not.toContain(machine.root);
  expect(fs.readdirSync(machine.home)).toEqual([]);
  expect((await machine.run(doctor)).code).toBe(0);
  await machine.run(deinit);
  expect(fs.existsSync(path.join(machine.repo, '.claude'))).toBe(false);
});

test('a command that the settings call records a payload, and does nothing where the shim is gone', async () => {
  fs.mkdirSync(path.dirname(settings()));
  await machine.run(init);
  const { hooks } = JSON.parse(fs.readFileSync(settings(), 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const command = hooks.UserPromptSubmit?.[0]?.hooks[0]?.command ?? '';
  const call = () =>
    execFileSync('sh', ['-c', command], {
      cwd: machine.repo,
      env: machine.env,
      input: `{"session_id":"s"}${' '.repeat(1 << 20)}`,
      encoding: 'utf8',
    });
  expect(call()).toBe('');
  expect(machine.facts()).toMatchObject([{ fact: 'payload', agent: 'claude-code' }]);
  fs.rmSync(shim());
  expect(call()).toBe('');
});

test('a name without capture is a wrong call that names the ones there are', async () => {
  const said = await machine.run(init, { agents: 'claude-code,nobody' });
  expect(said).toMatchObject({ code: 2 });
  expect(said.err).toContain('"nobody"; there is for: claude-code');
});
