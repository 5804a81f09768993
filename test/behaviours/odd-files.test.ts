import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('lib/a.ts', 'export const typed = 1;\n');
  fs.symlinkSync('lib', path.join(shop.dir, 'folder'));
  fs.symlinkSync('lib/a.ts', path.join(shop.dir, 'link.ts'));
  shop.commit('start');
});
afterEach(() => shop.remove());

test.each(['link.ts', 'folder/a.ts'])('the agent writes through a link: %s', async (name) => {
  shop.ai(name, 'export const typed = 1;\nexport const agents = 2;\n');
  shop.human('lib/a.ts', `${shop.read('lib/a.ts')}export const after = 3;\n`).commit('through');
  expect(await told(shop, 'lib/a.ts')).toEqual(['hah']);
});

test('a link that the agent replaced by a file is that file', async () => {
  fs.rmSync(path.join(shop.dir, 'link.ts'));
  shop.ai('link.ts', 'export const agents = 2;\n');
  shop.human('lib/a.ts', 'export const typed = 2;\n').commit('replaced');
  expect(await told(shop, 'link.ts', 'lib/a.ts')).toEqual(['a', 'h']);
});

test('attributes that have git show no lines take no origin away', async () => {
  shop.human('.gitattributes', '*.min.js -diff\n').commit('attributes');
  shop.ai('a.min.js', 'one();\ntwo();\n');
  shop.human('b.min.js', 'three();\n').commit('two files');
  expect(await told(shop, 'a.min.js', 'b.min.js')).toEqual(['aa', 'h']);
});

describe('what Git LFS stores in place of a file is nobody’s', () => {
  const clean = (oid: string) =>
    `cat >/dev/null; printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:${oid}\\nsize 12\\n'`;
  const storedAs = (oid: string) => void shop.git('config', 'filter.lfs.clean', clean(oid));

  test('whoever made that, new or changed', async () => {
    shop.human('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    storedAs('a'.repeat(64));
    shop.ai('agents.bin', 'by the agent\n');
    shop.human('persons.bin', 'by a person\n').human('mine.ts', 'typed\n').commit('large');
    expect(await told(shop, 'agents.bin', 'persons.bin', 'mine.ts')).toEqual(['uuu', 'uuu', 'h']);
    storedAs('b'.repeat(64));
    shop.ai('agents.bin', 'by the agent again\n');
    shop.commit('changed');
    expect((await shop.json('agents.bin')).lines[1]).toMatchObject({ reason: 'Git LFS wrote it in place of the file' });
  });
});

describe('a filter changes the text when it is staged', () => {
  const CLEANED = 'a filter changes the file when it is committed';
  beforeEach(() => {
    shop.git('config', 'filter.up.clean', "sed 's/.*secret.*/HIDDEN &/; s/HIDDEN .*=/HIDDEN key=/'");
    shop.git('config', 'filter.up.smudge', 'cat');
    shop.human('.gitattributes', '*.up filter=up\n').human('a.up', 'base one\nbase secret=two\n').commit('filter');
  });

  test('what the agent wrote is nobody’s where it was changed, and the agent’s where it was not', async () => {
    shop.edit('a.up', ['base one', 'agent secret=alpha\nexport const beta = agentWrote();\nbase one']);
    shop.human('mine.up', 'my secret=gamma\nmine delta\n').human('mine.ts', 'my secret=gamma\n');
    shop.commit('changed');
    expect(await told(shop, 'a.up', 'mine.up', 'mine.ts')).toEqual(['uahh', 'hh', 'h']);
    expect((await shop.json('a.up')).lines[0]).toMatchObject({ text: 'HIDDEN key=alpha', reason: CLEANED });
  });

  test('nobody’s too where no line stays as it was', async () => {
    shop.git('config', 'filter.up.clean', 'tr a-z A-Z');
    shop.human('b.up', 'base one\nbase two\n').commit('base');
    shop.edit('b.up', ['base one', 'base one\nagent alpha\nagent beta']);
    shop.commit('changed');
    expect(await told(shop, 'b.up')).toEqual(['huuh']);
  });

  test('it is the agent’s until then, and nobody’s also where the attributes are gone since', async () => {
    shop.edit('a.up', ['base one', 'agent secret=alpha\nexport const beta = agentWrote();\nbase one']);
    shop.human('a.up', shop.read('a.up').replace('base one', 'base one\nmine delta'));
    expect(await shop.blame('a.up')).toBe('aahhh');
    shop.commit('changed');
    shop.human('.gitattributes', '').git('commit', '-q', '-m', 'gone', '.gitattributes');
    expect(await told(shop, 'HEAD:a.up')).toEqual(['uahuh']);
  });

  test('a command of the agent that changes the file after that shows it as it is committed', async () => {
    shop.edit('a.up', ['base one', 'agent secret=alpha\nbase one']);
    shop.shell("echo 'agent gamma' >> a.up; echo 'agent secret=delta' >> a.up");
    expect(await shop.blame('a.up')).toBe('ahhuu');
    shop.commit('changed');
    expect(await told(shop, 'a.up')).toEqual(['uhhaa']);
  });

  test('what a person writes once that is committed is the person’s', async () => {
    shop.edit('a.up', ['base one', 'agent secret=alpha\nbase one']);
    shop.commit('changed');
    shop.human('a.up', `${shop.read('a.up')}my secret=gamma\nmine delta\n`).commit('mine');
    expect(await told(shop, 'a.up')).toEqual(['uhhhh']);
  });
});
