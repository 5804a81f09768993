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

describe('reset', () => {
  test('74: --hard: the agent’s uncommitted lines are gone, what a person writes then is theirs', async () => {
    shop.ai('base.ts', `${BASE}agent four {\n  agent five\n}\n`);
    shop.git('reset', '-q', '--hard');
    expect(await told(shop, 'base.ts')).toEqual(['hhh']);
    shop.human('base.ts', `${BASE}person four {\n  person five\n}\n`);
    shop.commit('mine');
    expect(await told(shop, 'base.ts')).toEqual(['hhhhhh']);
    expect(JSON.stringify(shop.notes())).not.toContain('"s1"');
  });

  test('74: --hard over the agent’s commit, and a person’s own words in its place', async () => {
    shop.ai('a.ts', 'agent one {\n}\n');
    shop.commit('agent');
    shop.git('reset', '-q', '--hard', 'HEAD~1');
    shop.human('a.ts', 'person one {\n}\n');
    shop.commit('mine');
    expect(await told(shop, 'a.ts')).toEqual(['hh']);
  });

  test.each([
    ['--mixed', 1],
    ['--mixed', 3],
    ['--soft', 1],
    ['--soft', 3],
  ])('75: %s over %i commits', async (kind, count) => {
    topic(shop);
    shop.git('reset', '-q', kind, `HEAD~${count}`);
    shop.commit('anew');
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['aa', 'h', 'a']);
  });

  test('75: --soft over what a rebase has made one: what it brought back is still the person’s who typed it', async () => {
    shop.git('checkout', '-q', '-b', 'topic');
    shop.human('h.ts', 'person gamma\n');
    shop.commit('first');
    shop.ai('base.ts', `${BASE}agent four\nagent five\n`);
    shop.human('base.ts', `${BASE}agent four\nperson one typed\nperson two typed\nagent five\nperson three typed\n`);
    shop.commit('second');
    const todo = { GIT_SEQUENCE_EDITOR: "sed -i -e '2s/pick/fixup/'", GIT_EDITOR: 'true' };
    shop.gitWith(todo, 'rebase', '-q', '-i', 'main');
    shop.ai('h.ts', 'person gamma\nagent delta\n', 's2');
    shop.commit('third');
    shop.git('reset', '-q', '--soft', 'main');
    shop.commit('anew');
    expect(await told(shop, 'base.ts', 'h.ts')).toEqual(['hhhahhah', 'ha']);
  });

  test.each([
    ['a pathspec', ['dir/a.ts']],
    ['a folder', ['dir']],
  ])('75: %s', async (_, paths) => {
    shop.ai('dir/a.ts', 'agent one\n');
    shop.human('dir/h.ts', 'person one\n');
    shop.commit('first');
    shop.ai('dir/a.ts', 'agent one\nagent two\nagent three\n', 's2');
    shop.human('dir/h.ts', 'person one\nperson two\n');
    shop.commit('second');
    shop.git('reset', '-q', 'HEAD~1', '--', ...paths);
    shop.git('commit', '-q', '-m', 'taken back');
    expect(await told(shop, 'dir/a.ts', 'dir/h.ts')).toEqual(['aaa', 'hh']);
    shop.commit('again');
    expect(await told(shop, 'dir/a.ts', 'dir/h.ts')).toEqual(['aaa', 'hh']);
  });

  test.each([['--mixed'], ['--keep']])('76: forward with %s: what is uncommitted is carried', async (kind) => {
    topic(shop);
    shop.git('checkout', '-q', '-b', 'behind', 'main');
    shop.ai('base.ts', `${BASE}agent four\n`, 's5');
    shop.human('base.ts', `${BASE}agent four\nperson five\n`);
    shop.git('reset', '-q', kind, 'topic');
    if (kind === '--mixed') shop.git('checkout', '-q', '--', 'a.ts', 'h.ts', 'b.ts');
    shop.commit('rest');
    expect(await told(shop, 'base.ts', 'a.ts', 'h.ts')).toEqual(['hhhah', 'aa', 'h']);
  });
});

describe('stash', () => {
  test('77: stash, forward, pop', async () => {
    topic(shop);
    shop.git('checkout', '-q', '-b', 'behind', 'main');
    shop.ai('base.ts', `${BASE}agent four {\n}\n`, 's5');
    shop.git('stash', '-q');
    shop.git('reset', '-q', '--hard', 'topic');
    shop.git('stash', 'pop', '-q');
    expect(await told(shop, 'base.ts')).toEqual(['hhhaa']);
    shop.commit('rest');
    expect(await told(shop, 'base.ts', 'a.ts')).toEqual(['hhhaa', 'aa']);
  });

  test('78: popped on another branch, further down; then a person adds a line', async () => {
    shop.git('checkout', '-q', '-b', 'topic');
    meanwhile(shop, 'base.ts', `trunk zero\n${BASE}`);
    shop.ai('base.ts', `${BASE}agent four\n`);
    shop.git('stash', '-q');
    shop.git('checkout', '-q', 'main');
    shop.git('stash', 'pop', '-q');
    shop.human('base.ts', `${shop.read('base.ts')}person five\n`);
    expect(await told(shop, 'base.ts')).toEqual(['hhhhah']);
    shop.commit('popped');
    expect(await told(shop, 'base.ts')).toEqual(['hhhhah']);
  });

  test('79: a pop that conflicts, resolved by hand: the stashed lines are the agent’s', async () => {
    shop.ai('base.ts', 'base one\nagent changed two\nbase three\n');
    shop.git('stash', '-q');
    shop.human('base.ts', 'base one\nperson changed two\nbase three\n');
    shop.commit('mine');
    expect(() => shop.git('stash', 'pop', '-q')).toThrow();
    shop.human('base.ts', 'base one\nperson changed two\nagent changed two\nbase three\n');
    shop.commit('resolved');
    expect(await told(shop, 'base.ts')).toEqual(['hhah']);
  });

  test('80: only some files', async () => {
    shop.ai('a.ts', 'agent one\n');
    shop.ai('b.ts', 'agent two\n');
    shop.human('h.ts', 'person one\n');
    shop.git('add', '-A');
    shop.git('stash', 'push', '-q', '--', 'a.ts');
    shop.commit('without it');
    expect(await told(shop, 'b.ts', 'h.ts')).toEqual(['a', 'h']);
    shop.git('stash', 'pop', '-q');
    shop.commit('with it');
    expect(await told(shop, 'a.ts', 'b.ts', 'h.ts')).toEqual(['a', 'a', 'h']);
  });

  test('81: named and stacked, popped out of order', async () => {
    shop.ai('base.ts', `${BASE}agent four\n`);
    shop.git('stash', 'push', '-q', '-m', 'first');
    shop.human('base.ts', `person zero\n${BASE}`);
    shop.git('stash', 'push', '-q', '-m', 'second');
    shop.ai('c.ts', 'agent in the third\n', 's2');
    shop.git('stash', 'push', '-q', '-u', '-m', 'third');
    for (const stash of ['stash@{2}', 'stash@{1}', 'stash@{0}']) {
      shop.git('stash', 'pop', '-q', stash);
      shop.commit(stash);
    }
    expect(await told(shop, 'base.ts', 'c.ts')).toEqual(['hhhha', 'a']);
  });

  test('81: stashed, and a person writes such a line on a branch that is older', async () => {
    shop.git('branch', 'other');
    shop.human('m.ts', 'mine\n');
    shop.commit('mine');
    shop.ai('base.ts', `${BASE}agent four {\n}\n`);
    shop.git('stash', '-q');
    shop.git('checkout', '-q', 'other');
    shop.human('base.ts', `${BASE}person four {\n}\n`);
    shop.commit('by hand');
    expect(await told(shop, 'base.ts')).toEqual(['hhhhh']);
  });

  test('81: stash branch', async () => {
    shop.ai('base.ts', `${BASE}agent four\n`);
    shop.git('stash', '-q');
    shop.human('base.ts', `${BASE}person four\n`);
    shop.commit('mine');
    shop.git('stash', 'branch', 'rescued');
    shop.commit('rescued');
    expect(await told(shop, 'base.ts', 'main:base.ts')).toEqual(['hhha', 'hhhh']);
  });

  test('81: applied twice, on two branches', async () => {
    shop.git('branch', 'other');
    shop.ai('base.ts', `${BASE}agent four\n`);
    shop.git('stash', '-q');
    for (const branch of ['main', 'other']) {
      shop.git('checkout', '-q', branch);
      shop.git('stash', 'apply', '-q');
      shop.commit(`on ${branch}`);
    }
    expect(await told(shop, 'main:base.ts', 'other:base.ts')).toEqual(['hhha', 'hhha']);
  });

  test('81: a person’s stash stays a person’s after the agent has worked on', async () => {
    shop.human('base.ts', `${BASE}person four\n`);
    shop.git('stash', '-q');
    shop.ai('base.ts', `agent zero\n${BASE}`);
    shop.commit('agent');
    shop.git('stash', 'pop', '-q');
    shop.commit('popped');
    expect(await told(shop, 'base.ts')).toEqual(['ahhhh']);
  });
});

describe('checkout', () => {
  test('a file of an older commit, with the agent’s lines that were deleted since', async () => {
    shop.ai('base.ts', `${BASE}agent four of the file\n}\nagent five of the file\n`);
    shop.commit('agent');
    shop.human('base.ts', BASE);
    shop.commit('deleted');
    shop.git('checkout', '-q', 'HEAD~1', '--', 'base.ts');
    shop.human('base.ts', `${shop.read('base.ts')}person six\n`);
    shop.commit('back');
    expect(await told(shop, 'base.ts')).toEqual(['hhhaaah']);
  });

  test('82: to a tree with names that differ in case only', async () => {
    shop.git('checkout', '-q', '-b', 'cases');
    shop.human('A.ts', 'person in capitals\n');
    shop.human('a.ts', 'person in small letters\n');
    shop.commit('cases');
    shop.git('checkout', '-q', 'main');
    shop.ai('b.ts', 'agent one\n');
    shop.git('checkout', '-q', 'cases');
    shop.ai('A.ts', 'person in capitals\nagent two\n');
    shop.commit('both');
    expect(await told(shop, 'A.ts', 'a.ts', 'b.ts')).toEqual(['ha', 'h', 'a']);
  });

  test('83: switch -f drops the agent’s lines', async () => {
    shop.git('branch', 'other');
    shop.ai('base.ts', `${BASE}agent four\n`);
    shop.git('switch', '-q', '-f', 'other');
    shop.human('base.ts', `${BASE}person four\n`);
    shop.commit('mine');
    expect(await told(shop, 'base.ts')).toEqual(['hhhh']);
    expect(JSON.stringify(shop.notes())).not.toContain('"s1"');
  });

  test('83: switch --merge with a conflict keeps them', async () => {
    shop.git('branch', 'other');
    meanwhile(shop, 'base.ts', 'base one\nperson changed two\nbase three\n', 'other');
    shop.ai('base.ts', 'base one\nagent changed two\nbase three\nagent four\n');
    shop.git('switch', '-q', '--merge', 'other');
    expect(shop.read('base.ts')).toContain('<<<<<<<');
    shop.human('base.ts', 'base one\nperson changed two\nagent changed two\nbase three\nagent four\n');
    shop.commit('merged');
    expect(await told(shop, 'base.ts')).toEqual(['hhaha']);
  });

  test('83: checkout -- file takes the agent’s lines away; undone by hand, they are the agent’s again', async () => {
    shop.ai('base.ts', `${BASE}agent four\n`);
    shop.git('checkout', '-q', '--', 'base.ts');
    expect(await told(shop, 'base.ts')).toEqual(['hhh']);
    shop.human('base.ts', `${BASE}agent four\n`);
    shop.commit('undone');
    expect(await told(shop, 'base.ts')).toEqual(['hhha']);
  });
});
