import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPrograms, type Programs } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const CAPABILITIES = '-dac_override,-dac_read_search';
/** Root may do everything: it has to be told not to. */
const AS_A_USER =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set', CAPABILITIES, '--inh-caps', CAPABILITIES] : ['env'];
const left = process.platform === 'win32' || spawnSync(AS_A_USER[0] ?? '', ['--version']).error ? 'no setpriv' : '';

let shop: Workshop;
let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.remove());
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n').commit('start');
  shop.human('a.txt', 'person one\n');
  shop.ai('a.txt', 'person one\nagent two\n');
  await shop.work();
});
afterEach(() => shop.remove());

function run(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  const [name = '', ...args] = [...AS_A_USER, process.execPath, path.join(programs.dir, 'git-agent.js'), ...words];
  return spawnSync(name, args, { cwd: shop.dir, env: { ...process.env, HOME: shop.home }, encoding: 'utf8' });
}

/** What is told while the rights to a file are taken away. */
function without(name: string, mode: number): { work: ReturnType<typeof run>; doctor: string[] } {
  const file = path.join(shop.common, name);
  const before = fs.statSync(file).mode & 0o7777;
  fs.chmodSync(file, mode);
  try {
    const work = run('work', shop.common);
    const { checks } = JSON.parse(run('doctor', '--json').stdout) as { checks: { name: string; said: string }[] };
    return { work, doctor: checks.filter((check) => check.name === 'rights').map(({ said }) => said) };
  } finally {
    fs.chmodSync(file, before);
  }
}

const title = `rights that are gone${left ? ` (left out: ${left})` : ''}`;

describe.skipIf(left)(title, () => {
  test.each([
    ['agent', 0],
    ['agent/journal', 0],
    ['agent/texts/pack', 0],
    ['agent/texts/index', 0],
    ['agent/timelines', 0],
    ['agent/since.json', 0],
    ['agent/state.json', 0],
    ['agent/sessions', 0],
  ])('%s may not be read: nothing is written down without it, and doctor says so', async (name, mode) => {
    shop.commit();
    const { work, doctor } = without(name, mode);
    expect([0, 3]).toContain(work.status);
    expect(doctor).toEqual([expect.stringContaining(`${path.join(shop.common, name)} cannot be read`)]);
    await shop.work();
    expect(await shop.blame('a.txt')).toBe('ha');
    expect(shop.notes()).toHaveLength(2);
  });

  test('what is another user’s is passed over: blame answers by the notes', async () => {
    shop.commit();
    await shop.work();
    fs.chmodSync(path.join(shop.common, 'agent'), 0);
    try {
      const { status, stdout } = run('blame', '--json', 'a.txt');
      expect([status, JSON.parse(stdout).summary]).toEqual([0, expect.objectContaining({ ai: 1, human: 1 })]);
    } finally {
      fs.chmodSync(path.join(shop.common, 'agent'), 0o700);
    }
  });

  test.each([
    ['agent', 0o500],
    ['agent/journal', 0o400],
    ['agent/sessions', 0o500],
    ['refs/notes', 0o500],
    ['objects', 0o500],
  ])('%s may not be written: doctor says so, though nothing is to be written now', async (name, mode) => {
    shop.commit();
    await shop.work();
    const { work, doctor } = without(name, mode);
    expect([0, 3]).toContain(work.status);
    expect(doctor).toEqual([expect.stringContaining(`${path.join(shop.common, name)} cannot be written`)]);
    expect(await shop.blame('a.txt')).toBe('ha');
  });
});
