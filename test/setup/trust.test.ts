import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command as deinit } from '../../src/commands/deinit.ts';
import { command as doctor } from '../../src/commands/doctor.ts';
import { command as init } from '../../src/commands/init.ts';
import { gits, type Machine, makeMachine } from './support.ts';

const CONFIG = 'model = "gpt-5.5"\n[features]\nhooks = true';
const git = gits()[0] ?? { name: 'git', path: 'git', configHooks: false };
let machine: Machine;
const inHome = (file: string) => path.join(machine.home, file);
const read = (file: string) => fs.readFileSync(inHome(file), 'utf8');

beforeEach(() => {
  machine = makeMachine(git);
  fs.mkdirSync(inHome('dots'));
  fs.symlinkSync('dots', inHome('.codex'));
  fs.writeFileSync(inHome('dots/config.toml'), CONFIG);
});
afterEach(() => machine.remove());

async function codexCheck(): Promise<string | undefined> {
  const { checks } = JSON.parse((await machine.run(doctor, { json: true })).out);
  return checks.find((check: { name: string }) => check.name === 'codex')?.level;
}

test('hooks that Codex does not run yet: init says so and approves none, doctor warns', async () => {
  expect((await machine.run(init)).out).toContain('--trust-hooks');
  expect(fs.existsSync(inHome('dots/hooks.json'))).toBe(true);
  expect(read('dots/config.toml')).toBe(CONFIG);
  expect(await codexCheck()).toBe('warn');
});

test('approved by name and by where a link leads; once is enough, and all of it goes again', async () => {
  expect((await machine.run(init, { trustHooks: true })).out).not.toContain('--trust-hooks');
  const approved = read('dots/config.toml');
  for (const folder of ['.codex', 'dots'])
    expect(approved).toContain(`[hooks.state."${inHome(folder)}/hooks.json:stop:0:0"]`);
  expect(await codexCheck()).toBe('ok');
  expect((await machine.run(init)).out).not.toContain('--trust-hooks');
  expect(read('dots/config.toml')).toBe(approved);
  fs.appendFileSync(inHome('dots/config.toml'), '\n[projects."/repo"]\ntrust_level = "trusted"\n');
  await machine.run(deinit);
  expect(read('dots/config.toml')).toBe(`${CONFIG}\n[projects."/repo"]\ntrust_level = "trusted"\n`);
  expect(fs.readdirSync(inHome('dots'))).toEqual(['config.toml']);
});
