import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildPrograms, type Programs } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const FALL = path.join(import.meta.dirname, '..', '..', 'bench', 'faults', 'fall.mjs');

let shop: Workshop;
let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.remove());
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

test('the power goes when the work is done: what it said to be worked in is there', async () => {
  shop.human('a.txt', 'person one\n');
  shop.commit('start');
  shop.ai('a.txt', 'person one\nagent two\n');
  const script = path.join(programs.dir, 'git-agent.js');
  const env = { ...process.env, HOME: shop.home, FALL_HOW: 'power' };
  const { status } = spawnSync(process.execPath, ['--import', FALL, script, 'work', shop.common], {
    cwd: shop.dir,
    env,
  });
  expect(status).toBe(0);
  shop.commit('agent');
  expect(await shop.blame('a.txt')).toBe('ha');
  expect(JSON.parse((await shop.agent('sessions', '--json')).stdout).sessions).toHaveLength(1);
});
