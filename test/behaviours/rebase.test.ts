import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { meanwhile, told, topic } from './told.ts';

const BASE = 'base one\nbase two\nbase three\n';
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', BASE);
  shop.commit('start');
});
afterEach(() => shop.remove());

const noteTip = () => shop.git('rev-parse', 'refs/notes/agent/trace');

test('31: an amend deletes a person’s line: the other lines keep their owners', async () => {
  shop.human('a.ts', 'mine one\nmine two\n');
  shop.ai('a.ts', 'mine one\nmine two\nagent three\n');
  shop.commit();
  shop.human('a.ts', 'mine two\nagent three\n');
  shop.commit('again', '--amend');
  expect(await told(shop, 'a.ts')).toEqual(['ha']);
});

describe('ways to rebase', () => {
  test.each([
    ['an explicit branch', ['main', 'topic']],
    ['--exec', ['--exec', 'true', 'main']],
    ['--no-verify', ['--no-verify', 'main']],
    ['--root', ['--root', '--signoff']],
    ['--apply', ['--apply', 'main']],
  ])('35: %s', async (_, args) => {
    topic(shop);
    meanwhile(shop, 'm.ts', 'meanwhile\n');
    const old = shop.git('rev-parse', 'topic');
    shop.git('rebase', '-q', ...args);
    expect(shop.git('rev-parse', 'topic')).not.toBe(old);
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['aa', 'h', 'a']);
    expect((await shop.json('b.ts')).lines[0]).toMatchObject({ session: 's2', via: 'note' });
  });

  test('35: --keep-empty', async () => {
    topic(shop);
    shop.git('commit', '-q', '--allow-empty', '-m', 'nothing');
    meanwhile(shop, 'm.ts', 'meanwhile\n');
    shop.git('rebase', '-q', '--keep-empty', 'main');
    expect(shop.git('rev-list', '--count', 'main..topic')).toBe('4');
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['aa', 'h', 'a']);
  });

  test('42: merges are kept, and what the agent resolved in one', async () => {
    topic(shop);
    shop.git('checkout', '-q', '-b', 'side', 'main');
    shop.ai('a.ts', 'side alpha\n', 's3');
    shop.commit('side');
    shop.git('checkout', '-q', 'topic');
    expect(() => shop.git('merge', '-q', 'side')).toThrow();
    shop.ai('a.ts', 'both alpha together\nagent beta\n', 's4');
    shop.commit('merged');
    meanwhile(shop, 'm.ts', 'meanwhile\n');
    expect(() => shop.git('rebase', '-q', '--rebase-merges', 'main')).toThrow();
    shop.human('a.ts', 'both alpha together\nagent beta\n');
    shop.git('add', '-A');
    shop.gitWith({ GIT_EDITOR: 'true' }, 'rebase', '--continue');
    expect(shop.git('rev-list', '--merges', '--count', 'main..topic')).toBe('1');
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['aa', 'h', 'a']);
    expect((await shop.json('a.ts')).lines.map(({ session }) => session)).toEqual(['s4', 's1']);
  });

  test('43: a file deleted by a person and made anew by another hand', async () => {
    shop.git('checkout', '-q', '-b', 'topic');
    shop.ai('a.ts', 'agent alpha\nagent beta\n');
    shop.commit('a');
    shop.git('rm', '-q', 'a.ts');
    shop.git('commit', '-q', '-m', 'gone');
    shop.human('a.ts', 'person alpha\nperson beta\n');
    shop.commit('anew');
    meanwhile(shop, 'm.ts', 'meanwhile\n');
    shop.git('rebase', '-q', 'main');
    expect(await told(shop, 'a.ts', 'HEAD~2:a.ts')).toEqual(['hh', 'aa']);
  });

  test('44, 45: each commit’s note speaks of its own files; a person’s note comes along', async () => {
    topic(shop);
    await shop.work();
    meanwhile(shop, 'm.ts', 'meanwhile\n');
    shop.git('rebase', '-q', 'main');
    await shop.work();
    const paths = ['HEAD~2', 'HEAD~1', 'HEAD'].map((commit) =>
      shop.notes(commit).flatMap(({ files }) => files.map((file) => file.path)),
    );
    expect(paths).toEqual([['a.ts'], ['h.ts'], ['b.ts']]);
    expect(JSON.stringify(shop.notes('HEAD~1'))).not.toContain('"s1"');
  });

  test('47: nothing to rebase, or only to go forward: no note is touched', async () => {
    topic(shop);
    await shop.work();
    const tip = noteTip();
    shop.git('rebase', '-q', 'main');
    shop.git('checkout', '-q', 'main');
    shop.git('rebase', '-q', 'topic');
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['aa', 'h', 'a']);
    expect(noteTip()).toBe(tip);
  });

  test('48: seventy commits', async () => {
    shop.git('checkout', '-q', '-b', 'topic');
    const lines = Array.from({ length: 70 }, (_, i) => `agent line ${i}\n`);
    shop.ai('a.ts', lines.join(''));
    fs.writeFileSync(path.join(shop.home, 'all'), lines.join(''));
    const each = `for i in $(seq 70); do head -n $i ${shop.home}/all >a.ts; git add a.ts; git commit -q -m "line $i"; done`;
    shop.git('-c', `alias.each=!${each}`, 'each');
    meanwhile(shop, 'm.ts', 'meanwhile\n');
    shop.git('rebase', '-q', 'main');
    expect(shop.git('rev-list', '--count', 'main..topic')).toBe('70');
    expect(await told(shop, 'a.ts')).toEqual(['a'.repeat(70)]);
    expect((await shop.json('a.ts')).lines.every(({ via }) => via === 'note')).toBe(true);
  });

  test('49: a rebase over a long trunk is taken back with reset --keep', async () => {
    topic(shop);
    for (let i = 0; i < 5; i++) meanwhile(shop, 'base.ts', `trunk ${i}\n${BASE}`);
    const old = shop.git('rev-parse', 'topic');
    shop.git('rebase', '-q', 'main');
    shop.git('reset', '-q', '--keep', old);
    shop.human('base.ts', `${BASE}person four\n`);
    shop.commit('on the old one');
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts', 'base.ts', 'main:base.ts')).toEqual([
      'aa',
      'h',
      'a',
      'hhhh',
      'hhhh',
    ]);
  });

  test('50: subjects in many letters', async () => {
    shop.git('checkout', '-q', '-b', 'topic');
    shop.ai('a.ts', 'agent alpha\n');
    shop.commit(`変更：é 🧑‍💻 ${'ü'.repeat(300)}`);
    shop.human('h.ts', 'person gamma\n');
    shop.commit('תיקון\u202e');
    meanwhile(shop, 'm.ts', 'meanwhile\n');
    shop.git('rebase', '-q', 'main');
    expect(await told(shop, 'a.ts', 'h.ts')).toEqual(['a', 'h']);
  });

  test('52: autostash with the agent’s and a person’s lines uncommitted', async () => {
    topic(shop);
    meanwhile(shop, 'base.ts', `trunk zero\n${BASE}`);
    shop.ai('base.ts', `${BASE}agent four {\n}\n`, 's5');
    shop.human('base.ts', `${BASE}agent four {\n}\nperson five\n`);
    shop.git('rebase', '-q', '--autostash', 'main');
    expect(shop.read('base.ts')).toBe(`trunk zero\n${BASE}agent four {\n}\nperson five\n`);
    expect(await told(shop, 'base.ts')).toEqual(['hhhhaah']);
    shop.commit('rest');
    expect(await told(shop, 'base.ts', 'a.ts')).toEqual(['hhhhaah', 'aa']);
    expect((await shop.json('base.ts')).lines[4]).toMatchObject({ session: 's5' });
  });
});

describe('a squash in which a file grew, was renamed and edited: git calls it new, and one line of it is older than all that', () => {
  const GROWN = Array.from({ length: 5 }, (_, i) => `person typed remark ${i + 1} about weather\n`);
  const START = 'agent wrote statement 1 of the core module\n';

  beforeEach(() => {
    shop.ai('a.ts', START);
    shop.commit('base');
    shop.git('checkout', '-q', '-b', 'topic');
    shop.human('a.ts', START + GROWN.join('')).commit('grows');
    shop.git('mv', 'a.ts', 'b.ts');
    shop.commit('renamed');
  });

  const squash = (steps: string) =>
    shop.gitWith(
      { GIT_SEQUENCE_EDITOR: `sed -i -e '${steps}s/pick/squash/'`, GIT_EDITOR: 'true' },
      ...['rebase', '-q', '-i', 'main'],
    );

  test('by a rebase', async () => {
    shop.edit('b.ts', [GROWN[1] ?? '', 'agent scratch words\n'], 's2');
    shop.commit('edited');
    squash('2,3');
    expect(await told(shop, 'b.ts')).toEqual(['ahahhh']);
    expect((await shop.json('b.ts')).lines.map(({ session }) => session)).toEqual(['s1', null, 's2', null, null, null]);
  });

  test('by a rebase, the agent’s edit being put aside', async () => {
    shop.edit('b.ts', [GROWN[1] ?? '', 'agent scratch words\n'], 's2');
    shop.git('stash', 'push', '-q');
    squash('2');
    expect(await told(shop, 'b.ts')).toEqual(['ahhhhh']);
  });

  test('by merge --squash', async () => {
    shop.edit('b.ts', [GROWN[1] ?? '', 'agent scratch words\n'], 's2');
    shop.commit('edited');
    shop.git('checkout', '-q', 'main');
    shop.git('merge', '-q', '--squash', 'topic');
    shop.git('commit', '-q', '-m', 'squashed');
    expect(await told(shop, 'b.ts')).toEqual(['ahahhh']);
  });

  test('what a person adds to it by an amend is theirs', async () => {
    squash('2');
    shop.edit('b.ts', [GROWN[1] ?? '', 'agent scratch words\n'], 's2');
    shop.human('b.ts', `${START}person’s last words on it\nagent scratch words\n`);
    shop.commit('again', '--amend');
    expect(await told(shop, 'b.ts')).toEqual(['aha']);
  });
});
