import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

/** The agent sits in one repository, and its shell writes into another one of the same user. */
let shop: Workshop;
let other: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('first.ts', 'first\n').commit('first');
  other = shop.in(fs.mkdtempSync(path.join(shop.home, 'other-')));
  other.git('init', '-q', '-b', 'main');
  await other.init();
  other.human('x.ts', 'export const first = 1;\n').commit('first');
});
afterEach(() => shop.remove());

describe('102: a command names the other repository', () => {
  test.each([
    ['in full', () => `echo 'agent alpha' >> ${other.dir}/x.ts`],
    ['as the folder to go to', () => `cd "${other.dir}" && echo 'agent alpha' >> x.ts`],
    ['from the home folder', () => `echo 'agent alpha' >> ~/${path.basename(other.dir)}/x.ts`],
    ['by a way up', () => `cd ${path.relative(shop.dir, other.dir)} && echo 'agent alpha' >> x.ts`],
    ['and its own', () => `echo own >> ${shop.dir}/first.ts; echo 'agent alpha' >> ${other.dir}/x.ts`],
  ])('%s: its lines are the agent’s there, and the person’s stay the person’s', async (_, command) => {
    other.human('mine.ts', 'typed before\n');
    shop.shell(command());
    other.human('mine.ts', 'typed before\ntyped after\n');
    other.commit('there');
    expect(await told(other, 'x.ts', 'mine.ts')).toEqual(['ha', 'hh']);
    expect((await other.json('x.ts')).lines[1]).toMatchObject({ session: 's1', evidence: 'observed' });
  });

  test('and only looks: nothing changes for the person there', async () => {
    shop.shell(`cat ${other.dir}/x.ts; git -C ${other.dir} log -1`);
    other.human('mine.ts', 'typed\n').commit('there');
    expect(await told(other, 'mine.ts')).toEqual(['h']);
  });

  test('or one whose name only begins alike: it hears nothing of it', () => {
    const journal = () => fs.readFileSync(path.join(other.common, 'agent/journal'), 'utf8');
    const before = journal();
    shop.shell(`mkdir -p ${other.dir}-more && touch ${other.dir}-more/y`);
    expect(journal()).toBe(before);
  });
});

test('the agent sits in no repository at all', async () => {
  const folder = shop.in(fs.mkdtempSync(path.join(shop.home, 'folder-')));
  folder.shell(`echo 'agent alpha' >> ../${path.basename(other.dir)}/x.ts`);
  other.commit('there');
  expect(await told(other, 'x.ts')).toEqual(['ha']);
});
