import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FORMAT } from '../../src/sessions/store.ts';
import { makeFolder } from '../support/repository.ts';
import { Workshop } from '../support/workshop.ts';

const FIXTURES = path.join(import.meta.dirname, '..', '..', 'fixtures', 'store');
const FORMS = fs.readdirSync(FIXTURES).filter((name) => /^\d+$/.test(name));

test('there is a folder for every form up to ours', () => {
  expect(FORMS.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: FORMAT }, (_, i) => i + 1));
});

describe.each(FORMS)('form %s', (form) => {
  let shop: Workshop;
  beforeEach(() => {
    shop = new Workshop(makeFolder('repository'), makeFolder('home'));
    shop.git('init', '-q', '-b', 'main');
    const bundle = path.join(FIXTURES, form, 'repository.bundle');
    shop.git('fetch', '-q', '--update-head-ok', bundle, 'refs/heads/*:refs/heads/*', 'refs/notes/*:refs/notes/*');
    shop.git('reset', '-q', '--hard', 'main');
    const from = path.join(FIXTURES, form, 'agent');
    for (const name of fs.readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      if (!fs.statSync(path.join(from, name)).isFile()) continue;
      const text = fs.readFileSync(path.join(from, name), 'latin1').replaceAll('/srv/files', shop.dir);
      const to = path.join(shop.common, 'agent', name);
      fs.mkdirSync(path.dirname(to), { recursive: true });
      fs.writeFileSync(to, text.replaceAll('/home/ada', shop.home), 'latin1');
    }
    shop.human('waits.txt', 'agent waits\n').human('journal.txt', 'agent in the journal\n');
    shop.git('add', '-A');
  });
  afterEach(() => shop.remove());

  const letters = async () =>
    Promise.all(['a.txt', 'shell.txt', 'waits.txt', 'journal.txt'].map((file) => shop.blame('--', file)));

  test('notes, store and journal are read, and worked on', async () => {
    expect(await letters()).toEqual(['ha', 'a', 'a', 'a']);
    await shop.work();
    expect(await letters()).toEqual(['ha', 'a', 'a', 'a']);
    shop.commit('what waited');
    await shop.work();
    expect(await letters()).toEqual(['ha', 'a', 'a', 'a']);
    const { lines } = await shop.json('--', 'waits.txt');
    expect(lines[0]).toMatchObject({ session: 's2', evidence: 'observed' });
  });

  test('its sessions are listed, and nothing is called damaged', async () => {
    const { stdout } = await shop.agent('sessions');
    expect(stdout).toMatch(/s1/);
    expect(stdout).toMatch(/s2/);
    await shop.init();
    const { checks } = JSON.parse((await shop.agent('doctor', '--json')).stdout);
    const names = (checks as { name: string; level: string }[])
      .filter(({ level }) => level !== 'ok')
      .map(({ name }) => name);
    expect(names).toEqual(['program']); // the workshop's own: nothing starts in the background
  });
});
