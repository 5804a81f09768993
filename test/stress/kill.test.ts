import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildPrograms, type Programs } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { auditNotes, leftovers, seeded } from './audit.ts';

/** KILLS=1000 is a long run. */
const KILLS = Number(process.env.KILLS ?? 40);
const LONGEST_MS = 400;

let shop: Workshop;
let programs: Programs;
beforeEach(async () => {
  programs = await buildPrograms();
  shop = await openWorkshop();
});
afterEach(() => {
  shop.remove();
  programs.remove();
});

const PROGRAM = () => [process.execPath, path.join(programs.dir, 'git-agent.js'), 'work', shop.common];

/** Started and killed by a shell of its own, since telling a round keeps this process busy. True: it was still at work. */
function workUntil(ms: number): Promise<boolean> {
  const script = '"$@" >/dev/null 2>&1 & sleep "$PATIENCE" && kill -9 $!';
  return new Promise((resolve) => {
    spawn('sh', ['-c', script, 'sh', ...PROGRAM()], {
      cwd: shop.dir,
      env: { ...process.env, HOME: shop.home, PATIENCE: String(ms / 1000) },
      stdio: 'ignore',
    }).once('exit', (code) => resolve(code === 0));
  });
}

/** A person and an agent write one file each way round; shells come in between. */
function tellRound(n: number): void {
  const had = fs.existsSync(path.join(shop.dir, 'a.txt')) ? shop.read('a.txt') : '';
  shop.human('a.txt', `${had}person in round ${n}\n`);
  shop.ai('a.txt', `${had}person in round ${n}\nagent in round ${n}\n`, `session-${n % 3}`);
  if (n % 10 === 5) shop.shell(`echo agent shell in round ${n} > shell-${n}.txt`, `session-${n % 3}`);
  shop.human(`own-${n}.txt`, `person alone in round ${n}\n`);
  shop.commit(`round ${n}`);
}

/** Every line of every file is JSON, apart from those that a kill tore: they may only be followed by whole ones. */
function readEdits(): { event: string }[] {
  const folder = path.join(shop.common, 'agent', 'timelines');
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  return files.flatMap((name) =>
    fs
      .readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          return [JSON.parse(line)];
        } catch {
          return [];
        }
      }),
  );
}

test(`background work killed ${KILLS} times: nothing is lost, nothing is doubled`, {
  timeout: Math.max(180_000, 2000 * KILLS),
}, async () => {
  const random = seeded(20260101);
  let killed = 0;
  for (let n = 0; n < KILLS; n++) {
    const working = workUntil(random() * LONGEST_MS); // it meets a journal that is being written, and a backlog
    tellRound(n);
    if (await working) killed++;
  }
  expect(killed).toBeGreaterThan(KILLS / 2);
  const [node = '', ...args] = PROGRAM();
  const last = spawnSync(node, args, { cwd: shop.dir, env: { ...process.env, HOME: shop.home }, encoding: 'utf8' });
  expect([last.status, last.stderr]).toEqual([0, '']);
  const { commits, faults } = auditNotes(shop.dir);
  expect(faults).toEqual([]);
  expect(commits).toBe(KILLS);
  expect(leftovers(shop.common).filter((name) => !/^lock-draft|^lock\./.test(name))).toEqual([]);
  const events = new Set(readEdits().map(({ event }) => event));
  expect(events.size).toBe(KILLS + KILLS / 10);
  const sessions = path.join(shop.common, 'agent', 'sessions', 'claude-code');
  const documents = [0, 1, 2].map((i) =>
    JSON.parse(fs.readFileSync(path.join(sessions, `session-${i}.agentlog.json`), 'utf8')),
  );
  const calls = documents
    .flatMap(({ events: all }) => all)
    .map(({ id }) => id)
    .filter((id) => /^toolu_\d+$/.test(id));
  expect(calls).toHaveLength(new Set(calls).size);
  expect(new Set(calls).size).toBe(events.size);
  expect(shop.git('fsck', '--no-dangling')).toBe('');
});
