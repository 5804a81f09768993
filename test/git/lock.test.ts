import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { holder, withLock } from '../../src/git/lock.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { makeProgram } from './program.ts';

let dir = '';
const file = () => path.join(dir, 'agent/lock');
beforeEach(() => {
  dir = makeFolder('lock');
});
afterEach(() => removeFolder(dir));

/** Counts up a file so carelessly that two at once lose a step; `hang` dies with the lock in its hands. */
const program = makeProgram(`
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from 'src/git/lock.ts';
const [, , mode, dir, times] = process.argv;
const count = async () => {
  const n = Number(fs.readFileSync(dir + '/counter', 'utf8'));
  await sleep(1);
  fs.writeFileSync(dir + '/counter', String(n + 1));
};
// on a busy machine the eighth waits long
if (mode === 'count') for (let i = 0; i < Number(times); i++) await withLock(dir, count, { waitMs: 300_000 });
else await withLock(dir, async () => {
  process.stdout.write('held');
  await sleep(60_000);
});
`);
afterAll(() => program.remove());

/** Starts a process, waits until it holds the lock, and kills it without mercy. */
async function killHolder(): Promise<void> {
  const child = program.start('hang', dir);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

function leave(text: string): void {
  fs.mkdirSync(path.dirname(file()), { recursive: true });
  fs.writeFileSync(file(), text);
}

const someone = { token: 'someone-1', pid: process.pid, host: os.hostname(), at: Date.now(), started: '' };

const LINUX = process.platform === 'linux';
/** From here all containers of the system are seen. */
const OUTERMOST = LINUX && fs.readlinkSync('/proc/self/ns/pid') === 'pid:[4026531836]';
const BOOT = LINUX ? fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';
const canUnshare = spawnSync('unshare', ['-p', '-f', '--mount-proc', 'true']).status === 0;

test.skipIf(!canUnshare)('a writer in a container is waited for (skipped where none can be made)', async () => {
  // the kernel ends everything in there with its first process
  const within = ['-p', '-f', '--kill-child', '--mount-proc', process.execPath];
  const child = spawn('unshare', [...within, program.file, 'hang', dir], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    await expect(withLock(dir, async () => 'taken', { waitMs: 200 })).rejects.toThrow(/is still writing/);
    expect(holder(dir)).toBeDefined();
  } finally {
    child.kill('SIGKILL');
  }
});

test.skipIf(!canUnshare || !OUTERMOST)('one whose container is gone stops nobody (skipped inside of one)', async () => {
  const within = ['-p', '-f', '--kill-child', '--mount-proc', process.execPath];
  const child = spawn('unshare', [...within, program.file, 'hang', dir], { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await gone;
  expect(await withLock(dir, async () => 'taken', { waitMs: 5000 })).toBe('taken');
});

test('eight processes lose no step, and leave nothing behind', async () => {
  fs.writeFileSync(path.join(dir, 'counter'), '0');
  await Promise.all(Array.from({ length: 8 }, () => program.run('count', dir, '25')));
  expect(fs.readFileSync(path.join(dir, 'counter'), 'utf8')).toBe('200');
  expect(fs.readdirSync(path.join(dir, 'agent'))).toEqual([]);
});

test('a killed holder does not stop the next ones, however many take over at once', async () => {
  await killHolder();
  expect(fs.existsSync(file())).toBe(true);
  expect(holder(dir)).toBeUndefined();
  fs.writeFileSync(path.join(dir, 'counter'), '0');
  const began = Date.now();
  await Promise.all(Array.from({ length: 6 }, () => program.run('count', dir, '5')));
  expect(fs.readFileSync(path.join(dir, 'counter'), 'utf8')).toBe('30');
  expect(Date.now() - began).toBeLessThan(20_000);
  expect(fs.readdirSync(path.join(dir, 'agent'))).toEqual([]);
});

test('one who died while taking over does not stop the next one either', async () => {
  await killHolder();
  const dead = JSON.parse(fs.readFileSync(file(), 'utf8'));
  fs.writeFileSync(path.join(dir, 'agent', `lock.${dead.token}`), JSON.stringify({ ...dead, token: 'died-too' }));
  const draft = path.join(dir, 'agent/lock-draft.of-a-killed-waiter');
  fs.writeFileSync(draft, '');
  fs.utimesSync(draft, 0, 0);
  expect(await withLock(dir, async () => 'mine', { waitMs: 2000 })).toBe('mine');
  expect(fs.readdirSync(path.join(dir, 'agent'))).toEqual([]);
});

test('a living holder is waited for, and named when it takes too long', async () => {
  const events: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const first = withLock(dir, async () => {
    await ended;
    events.push('first');
  });
  expect(holder(dir)).toMatchObject({ pid: process.pid });
  const second = withLock(dir, async () => events.push('second'), { waitMs: 300_000 });
  await expect(withLock(dir, async () => 0, { waitMs: 5 })).rejects.toThrow(new RegExp(`Process ${process.pid} `));
  expect(events).toEqual([]);
  end();
  await Promise.all([first, second]);
  expect(events).toEqual(['first', 'second']);
  expect(holder(dir)).toBeUndefined();
});

test('work inside work has the lock already; work that outlives it has not', async () => {
  let later: Promise<string> | undefined;
  const inner = await withLock(dir, async () => {
    later = sleep(30).then(() => withLock(dir, async () => String(holder(dir) !== undefined)));
    return withLock(dir, async () => 'inner');
  });
  expect(inner).toBe('inner');
  expect(fs.existsSync(file())).toBe(false);
  expect(await later).toBe('true');
});

test('a failure gives the lock back', async () => {
  await expect(withLock(dir, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock(dir, async () => 1)).toBe(1);
});

test('who lives, and who does not', async () => {
  const table: [string, object | string, boolean][] = [
    ['this process', someone, true],
    ['a process of that number that began at another time', { ...someone, started: '1' }, !LINUX],
    ['a number that no process has', { ...someone, pid: 2 ** 22 + 1 }, false],
    ['a number of another container, lately', { ...someone, pid: 2 ** 22 + 1, space: 'pid:[1]' }, LINUX],
    [
      'a container of this system that is gone',
      { ...someone, pid: 1, boot: BOOT, space: 'pid:[1]' },
      LINUX && !OUTERMOST,
    ],
    [
      'a number of another container, long ago',
      { ...someone, pid: 2 ** 22 + 1, space: 'pid:[1]', at: Date.now() - 11 * 60_000 },
      false,
    ],
    ['another system by our name', { ...someone, pid: 2 ** 22 + 1, boot: 'another' }, LINUX],
    ['before the system was started again', { ...someone, pid: 2 ** 22 + 1, boot: 'another', at: 1 }, false],
    ['another host, lately', { ...someone, host: 'elsewhere' }, true],
    ['another host, long ago', { ...someone, host: 'elsewhere', at: Date.now() - 11 * 60_000 }, false],
    ['a file that is being written', '', true],
    ['a number that is none', { ...someone, pid: -1 }, true],
  ];
  for (const [name, left, lives] of table) {
    leave(typeof left === 'string' ? left : JSON.stringify(left));
    expect(holder(dir) !== undefined, name).toBe(lives);
    // who is dead is not waited for; but a busy machine may take its time
    const taken = withLock(dir, async () => 'taken', { waitMs: lives ? 30 : 4000 });
    if (lives) await expect(taken, name).rejects.toMatchObject({ code: 'surroundings' });
    else expect(await taken, name).toBe('taken');
  }
});

test('what a power cut left behind is removed after a while', async () => {
  leave('{"tok');
  const past = new Date(Date.now() - 60_000);
  fs.utimesSync(file(), past, past);
  expect(await withLock(dir, async () => 'taken', { waitMs: 4000 })).toBe('taken');
});

test('where nothing can be written, a fault says so', async () => {
  fs.writeFileSync(path.join(dir, 'agent'), 'a file');
  await expect(withLock(dir, async () => 1)).rejects.toThrow(/cannot be written to/);
  await expect(withLock(dir, async () => 1)).rejects.toMatchObject({ code: 'surroundings' });
});
