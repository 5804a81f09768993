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

describe('108: a repository whose git dir lies elsewhere', () => {
  /** A clone of the other one, inside the agent's: git keeps the rest of it outside its work tree. */
  async function makeInner(...clone: string[]): Promise<Workshop> {
    shop.git('-c', 'protocol.file.allow=always', ...clone);
    const inner = shop.in(path.join(shop.dir, 'packages/lib'));
    await inner.init();
    return inner;
  }
  const submodule = () => makeInner('submodule', '--quiet', 'add', other.dir, 'packages/lib');
  const list = () => fs.readFileSync(path.join(shop.home, '.local/share/git-agent-blame/repositories'), 'utf8');
  const separate = () => makeInner('clone', '-q', `--separate-git-dir=${shop.home}/apart`, other.dir, 'packages/lib');

  test.each([
    ['a submodule', submodule, "echo 'agent alpha' >> packages/lib/x.ts"],
    ['a submodule, to go to', submodule, "cd ./packages/lib && echo 'agent alpha' >> x.ts"],
    ['a submodule, from a folder on the way', submodule, "cd packages && echo 'agent alpha' >> lib/x.ts"],
    ['one with a separate git dir', separate, "echo 'agent alpha' >> packages/lib/x.ts"],
  ])('%s: what the agent’s shell writes there is the agent’s', async (_, make, command) => {
    const inner = await make();
    inner.human('mine.ts', 'typed before\n');
    shop.shell(command);
    inner.human('mine.ts', 'typed before\ntyped after\n').commit('there');
    expect(await told(inner, 'x.ts', 'mine.ts')).toEqual(['ua', 'hh']);
    expect((await inner.json('x.ts')).lines[1]).toMatchObject({ session: 's1', evidence: 'observed' });
  });

  test('a submodule hears once of a command of its own that names it', async () => {
    const inner = await submodule();
    inner.shell(`echo 'agent alpha' >> ${inner.dir}/x.ts`);
    inner.commit('there');
    const journal = fs.readFileSync(path.join(inner.common, 'agent/journal'), 'utf8');
    expect(journal.match(/"fact":"payload"/g)).toHaveLength(2);
    expect(await told(inner, 'x.ts')).toEqual(['ua']);
  });

  test('one that is gone from its place is not taken for what lies around it', async () => {
    await submodule();
    shop.git('submodule', '--quiet', 'deinit', '-f', 'packages/lib');
    shop.shell('ls packages/lib');
    const journal = fs.readFileSync(path.join(shop.common, 'agent/journal'), 'utf8');
    expect(journal.match(/"fact":"payload"/g)).toHaveLength(2);
  });

  test('a submodule whose folder is called by two lines puts nobody else on the list', async () => {
    const folder = `two\n${shop.home}`;
    shop.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '--name', 'two', other.dir, folder);
    const inner = shop.in(path.join(shop.dir, folder));
    await inner.init();
    expect(list().split('\n')).toEqual([shop.common, other.common, inner.common, '']);
  });

  test('deinit takes it off the list, and leaves the others on it', async () => {
    const before = list();
    const inner = await submodule();
    const added = `${before}${inner.common}\n${inner.dir}/.git\n`;
    await inner.init();
    expect(list()).toBe(added);
    await other.agent('deinit');
    expect(list()).toBe(added.replace(`${other.common}\n`, ''));
    await inner.agent('deinit');
    expect(list()).toBe(before.replace(`${other.common}\n`, ''));
  });
});
