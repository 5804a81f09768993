import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AGENTS } from '../../src/capture/index.ts';
import { readPending } from '../../src/pending/reader.ts';
import { surroundingsAt } from '../../src/pending/world.ts';
import { buildPrograms, type Programs } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { seeded } from './audit.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

function world() {
  return surroundingsAt(shop.dir, {
    home: shop.home,
    env: process.env,
    agents: AGENTS,
    settings: { shellSeconds: 30, transcripts: true, conversationUrl: '', filters: [] },
    version: '1.2.3',
    now: () => Date.now(),
  });
}

test('a reader that looked at what is pending before a writer finished still has the records', async () => {
  shop.ai('a.txt', 'agent one\n');
  const commit = shop.commit();
  const pending = await readPending(await world()); // it has read the notes by now: there are none
  await shop.work();
  const records = await pending.records([commit]);
  expect(records.get(commit)).toHaveLength(1);
  expect(shop.git('notes', '--ref=agent/trace', 'show', commit)).toBe(records.get(commit)?.[0]);
});

test('a reader that looked at what is pending before the payloads went still knows the work tree', async () => {
  shop.human('a.txt', 'person one\n').commit();
  shop.ai('a.txt', 'person one\nagent two\n');
  const pending = await readPending(await world());
  await shop.work();
  const file = { path: 'a.txt', text: ['person one', 'agent two'], added: [{ start: 2, end: 2 }] };
  expect((await pending.worktree(file)).get(2)?.type).toBe('ai');
});

test('blame gives the same letters all the while work runs, is killed, and runs again', {
  timeout: 120_000,
}, async () => {
  const programs = await buildPrograms();
  try {
    const random = seeded(7);
    const letters: string[] = [];
    let text = '';
    for (let round = 0; round < 12; round++) {
      text += `person ${round}\n`;
      shop.human('a.txt', text);
      text += `agent ${round}\n`;
      shop.ai('a.txt', text);
      shop.commit(`round ${round}`);
      const expected = 'ha'.repeat(round + 1);
      const working = workUntil(programs, random() * 700);
      let over = false;
      void working.then(() => {
        over = true;
      });
      do {
        const seen = await shop.blame('a.txt');
        if (seen !== expected) letters.push(`${round}: ${seen}`);
      } while (!over);
      await working;
    }
    expect(letters).toEqual([]);
  } finally {
    programs.remove();
  }
});

function workUntil(programs: Programs, ms: number): Promise<void> {
  const args = [path.join(programs.dir, 'git-agent.js'), 'work', shop.common];
  const child = spawn(process.execPath, args, { env: { ...process.env, HOME: shop.home }, stdio: 'ignore' });
  const alarm = setTimeout(() => child.kill('SIGKILL'), ms);
  return new Promise((resolve) => {
    child.once('exit', () => {
      clearTimeout(alarm);
      resolve();
    });
  });
}
