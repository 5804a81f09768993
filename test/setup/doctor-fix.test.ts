import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('a.txt', 'person one\n');
  const id = shop.ai('a.txt', 'person one\nagent two\n');
  shop.tellResult('s1', id, { filePath: path.join(shop.dir, 'a.txt'), content: 'person one\nagent two\n' });
  shop.commit();
  await shop.work();
});
afterEach(() => shop.remove());

const at = (...names: string[]) => path.join(shop.common, 'agent', ...names);
const SESSION = ['sessions', 'claude-code', 's1.agentlog.json'] as const;

async function bad(): Promise<string[]> {
  const { stdout } = await shop.agent('doctor', '--json');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; level: string }[] };
  return checks.filter(({ level, name }) => level !== 'ok' && name !== 'program').map(({ name }) => name);
}

/** Of a git that is gone for long. */
function leaveLock(name: string): void {
  const file = path.join(shop.common, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '');
  fs.utimesSync(file, 1, 1);
}

const HARM: Readonly<Record<string, readonly [harm: () => void, named: string]>> = {
  'a hook of git is gone': [() => fs.rmSync(path.join(shop.common, 'hooks', 'post-commit')), 'post-commit'],
  'a copy of a shim is gone': [() => fs.rmSync(at('hooks', 'fact')), 'copies of our hooks'],
  'others may read': [() => fs.chmodSync(at(), 0o755), 'store'],
  'nobody may write': [() => fs.chmodSync(at(), 0o500), 'store'],
  'the settings lost our hooks': [
    () => fs.writeFileSync(path.join(shop.home, '.claude', 'settings.json'), '{}'),
    'claude-code',
  ],
  'since.json is junk': [() => fs.writeFileSync(at('since.json'), '{"at'), 'since'],
  'installed.json is junk': [() => fs.writeFileSync(at('installed.json'), '{"ver'), 'memory'],
  'state.json is junk': [() => fs.writeFileSync(at('state.json'), '{"jour'), 'state'],
  'a session is junk': [() => fs.truncateSync(at(...SESSION), 40), 'session'],
  'the texts are junk': [() => fs.writeFileSync(at('texts', 'pack'), randomBytes(200)), 'texts'],
  'the index is junk': [
    () => {
      fs.mkdirSync(at('cache', 'index'), { recursive: true });
      fs.writeFileSync(at('cache', 'index', 'manifest.json'), '{');
    },
    'cache',
  ],
  'a lock is left': [() => fs.writeFileSync(at('lock'), '{"token":"t","pid":999999999,"host":"h","at":0}'), 'lock'],
  'a power cut left a ref of the notes empty': [
    () => fs.writeFileSync(path.join(shop.common, 'refs/notes/agent/trace'), ''),
    'notes',
  ],
  'a ref of the notes is junk': [
    () => fs.writeFileSync(path.join(shop.common, 'refs/notes/agent/trace'), Buffer.alloc(41)),
    'notes',
  ],
  'git left the lock of a ref': [() => leaveLock('refs/notes/agent/trace.lock'), 'lock of a ref'],
  'git left the lock of what is shared': [() => leaveLock('refs/agent/sessions.lock'), 'lock of a ref'],
  'git left the lock of fetched notes': [() => leaveLock('refs/notes/my/fork/agent/trace.lock'), 'lock of a ref'],
  'a line of the journal was torn': [() => fs.appendFileSync(at('journal'), '{"fact":"pay\n'), 'journal'],
  'a line of the journal is junk': [
    () => {
      const [, ...facts] = fs.readFileSync(at('journal'), 'utf8').split('\n');
      fs.writeFileSync(at('journal'), ['junk', ...facts].join('\n'));
    },
    'journal',
  ],
  'a draft is left': [() => fs.writeFileSync(at('.state.json.999999999.0'), 'half'), 'drafts'],
  'a mishap was logged': [() => fs.writeFileSync(at('hooks.log'), 'it went wrong\n'), 'mishaps'],
};

test.each(Object.keys(HARM))('%s: named, mended, and blame is as it was', async (name) => {
  const [harm, named] = HARM[name] ?? [() => {}, ''];
  harm();
  expect(await bad()).toEqual([named]);
  const { stderr } = await shop.agent('doctor', '--fix');
  expect(stderr).toMatch(/^mended: \S/);
  expect(await bad()).toEqual([]);
  expect(await shop.blame('a.txt')).toBe('ha');
});

test.each(['hooks/program', 'hooks'])('%s is gone: named for what it is, and put back', async (name) => {
  fs.rmSync(at(name), { recursive: true });
  const { stdout } = await shop.agent('doctor');
  expect(stdout).toMatch(/fail {2}program: hooks do not know what to start/);
  expect(stdout).not.toContain('init was not run');
  const { stderr } = await shop.agent('doctor', '--fix');
  expect(stderr).toContain('mended: git agent init was run again');
  expect(await bad()).toEqual([]);
  expect(fs.readFileSync(at('hooks', 'program'), 'utf8')).toMatch(/^\/.*\n\/.*\n$/);
});

test('a lock that is a folder: no writer waits for it, and --fix puts it aside', async () => {
  fs.mkdirSync(at('lock'));
  fs.writeFileSync(at('lock', 'something'), 'kept');
  expect(await bad()).toEqual(['in the way', 'lock']);
  const began = Date.now();
  const { status, stderr } = await shop.agent('join');
  expect([status, stderr]).toEqual([3, expect.stringContaining('lock is no plain file: git agent doctor --fix')]);
  expect(Date.now() - began).toBeLessThan(20_000); // a writer that is at work is waited for 30 seconds
  await shop.agent('doctor', '--fix');
  expect(await bad()).toEqual([]);
  expect(fs.readFileSync(at('lock.damaged', 'something'), 'utf8')).toBe('kept');
  expect((await shop.agent('join')).status).toBe(0);
});

test('nothing is thrown away: what cannot be read is kept beside, and the transcript is read again', async () => {
  const whole = JSON.parse(fs.readFileSync(at(...SESSION), 'utf8'));
  fs.truncateSync(at(...SESSION), 40);
  const torn = fs.readFileSync(at(...SESSION), 'utf8');
  await shop.agent('doctor', '--fix');
  expect(fs.readFileSync(`${at(...SESSION)}.damaged`, 'utf8')).toBe(torn);
  const again = JSON.parse(fs.readFileSync(at(...SESSION), 'utf8'));
  expect(again.id).toBe(whole.id);
  expect(again.events.map(({ id }: { id: string }) => id)).toContain('toolu_0001');
});

test('a damaged session that is added to is kept beside, too', async () => {
  fs.writeFileSync(at(...SESSION), 'junk');
  shop.ai('b.txt', 'agent one\n');
  await shop.work();
  expect(fs.readFileSync(`${at(...SESSION)}.damaged`, 'utf8')).toBe('junk');
  expect(JSON.parse(fs.readFileSync(at(...SESSION), 'utf8')).id).toBe('s1');
});

test('where all is well, nothing is changed', async () => {
  // the workshop starts nothing in the background: then the program is missed
  fs.writeFileSync(at('hooks', 'program'), `${process.execPath}\n${import.meta.filename}\n`);
  const before = fs.readFileSync(at('since.json'), 'utf8') + fs.readFileSync(at('installed.json'), 'utf8');
  const { status, stderr } = await shop.agent('doctor', '--fix');
  expect([status, stderr]).toEqual([0, '']);
  expect(fs.readFileSync(at('since.json'), 'utf8') + fs.readFileSync(at('installed.json'), 'utf8')).toBe(before);
});

test('what a hook that was killed was told: named and removed, and nothing else with it', async () => {
  const shim = path.join(shop.home, '.local/share/git-agent-blame/agent-hook');
  const env = { ...process.env, HOME: shop.home, TMPDIR: shop.home };
  const hook = spawn('sh', [shim, 'claude-code', 'event'], { cwd: shop.dir, env });
  const left = path.join(shop.home, `agent-hook.${hook.pid}`);
  hook.stdin.write('{"secret":');
  await expect.poll(() => fs.statSync(left, { throwIfNoEntry: false })?.size, { timeout: 60_000 }).toBeGreaterThan(0);
  const ended = new Promise((resolve) => hook.on('close', resolve));
  hook.kill('SIGKILL');
  hook.stdin.end();
  await ended;
  expect(await bad()).toEqual([]); // it is too young
  const others = [`agent-hook.${process.pid}`, 'agent-hook.notes.txt', 'agent-hook.1234567'].map((name) =>
    path.join(shop.home, name),
  );
  for (const file of others.slice(0, 2)) fs.writeFileSync(file, 'kept');
  fs.symlinkSync('agent-hook.notes.txt', others[2] ?? '');
  for (const file of [left, ...others]) fs.lutimesSync(file, 1, 1);
  expect(await bad()).toEqual(['hooks that were killed']);
  expect((await shop.agent('doctor')).stdout).toContain(`${left} has what an agent told, secrets and all`);
  const second = path.join(shop.home, 'agent-hook.999999999');
  fs.writeFileSync(second, 'kept');
  fs.utimesSync(second, 1, 1);
  expect((await shop.agent('doctor')).stdout).toContain(' and 1 more have what an agent told, secrets and all');
  const { stderr } = await shop.agent('doctor', '--fix');
  expect(stderr).toContain(`mended: ${left}`);
  expect(fs.existsSync(left)).toBe(false);
  expect(others.every((file) => fs.existsSync(file))).toBe(true);
  expect(await bad()).toEqual([]);
});
