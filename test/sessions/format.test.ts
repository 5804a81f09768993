import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseJournal } from '../../src/sessions/journal.ts';
import { FORMAT } from '../../src/sessions/store.ts';
import { INSTALLED_FORMAT } from '../../src/setup/installed.ts';
import { STORE_FORMAT } from '../../src/setup/plan-own.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

const at = (...names: string[]) => path.join(shop.common, 'agent', ...names);
const json = (name: string) => JSON.parse(fs.readFileSync(at(name), 'utf8'));
const say = (name: string, version: unknown) => fs.writeFileSync(at(name), JSON.stringify({ ...json(name), version }));

function tell(): void {
  shop.human('a.txt', 'person one\n');
  shop.ai('a.txt', 'person one\nagent two\n');
  shop.commit();
}

/** Every file of `agent/` but the cache, with its bytes. */
function contents(): Record<string, string> {
  const files = fs.readdirSync(at(), { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('cache'));
  return Object.fromEntries(
    files.filter((name) => fs.statSync(at(name)).isFile()).map((name) => [name, fs.readFileSync(at(name), 'latin1')]),
  );
}

test('what is written says its form, the same in both rooms', async () => {
  tell();
  await shop.work();
  expect(STORE_FORMAT).toBe(FORMAT);
  for (const name of ['since.json', 'state.json']) expect(json(name).version).toBe(FORMAT);
  expect(json('installed.json').version).toBe(INSTALLED_FORMAT);
  expect(fs.readFileSync(at('state.json'), 'utf8')).toMatch(/^\{"journal":\d/); // the pre-push shim reads it there
});

test('files that say no form are of the first, and are worked on', async () => {
  say('since.json', undefined);
  tell();
  await shop.work();
  say('state.json', undefined);
  shop.ai('a.txt', 'person one\nagent two\nagent three\n');
  shop.commit();
  await shop.work();
  expect(await shop.blame('a.txt')).toBe('haa');
  expect(json('state.json').version).toBe(FORMAT);
});

describe.each(['since.json', 'state.json'])('%s of a form to come', (name) => {
  beforeEach(async () => {
    tell();
    await shop.work();
    say(name, FORMAT + 1);
    shop.ai('b.txt', 'agent one\n');
    shop.commit();
  });

  test('no verb touches anything, notes are still read', async () => {
    const before = contents();
    await shop.work();
    await shop.agent('doctor', '--fix');
    await shop.agent('join');
    expect(await shop.blame('a.txt')).toBe('ha');
    expect(await shop.blame('b.txt')).toBe('u');
    expect(contents()).toEqual(before);
  });

  test('doctor says so; once the form is known again, nothing is missing', async () => {
    const { status, stdout } = await shop.agent('doctor');
    expect(status).toBe(1);
    expect(stdout).toMatch(new RegExp(`fail {2}form: \\S*${name} is of form ${FORMAT + 1}`));
    say(name, FORMAT);
    await shop.work();
    expect(await shop.blame('b.txt')).toBe('a');
  });
});

test('init does not write over a form to come', async () => {
  say('since.json', FORMAT + 1);
  const before = contents();
  const { status, stderr } = await shop.agent('init', '--agents', 'claude-code');
  expect([status, stderr]).toEqual([
    3,
    expect.stringMatching(/ of form 2, this program knows 1: install a newer one\.\n$/),
  ]);
  expect(contents()).toEqual(before);
});

test('installed.json of a form to come is not called damaged, and --fix leaves it', async () => {
  say('installed.json', INSTALLED_FORMAT + 1);
  const before = fs.readFileSync(at('installed.json'), 'utf8');
  const { stdout } = await shop.agent('doctor', '--fix');
  expect(stdout).toMatch(/fail {2}memory: \S*installed\.json is of the newer form 3\n {6}-> install a newer/);
  expect((await shop.agent('init')).status).toBe(3);
  expect(fs.readFileSync(at('installed.json'), 'utf8')).toBe(before);
});

test('facts of a kind to come are passed over, those around them count', () => {
  const commit = (digit: string) => `{"fact":"commit","at":1,"commit":"${digit.repeat(40)}","worktree":""}\n`;
  const { facts, torn } = parseJournal(`${commit('1')}{"fact":"dreamt","at":2}\n${commit('2')}`, 0);
  expect([facts.length, torn]).toEqual([2, 1]);
});
