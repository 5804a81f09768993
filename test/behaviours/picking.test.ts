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

describe('65: after a cherry-pick that came to nothing, the next ones are right', () => {
  beforeEach(() => {
    topic(shop);
    shop.git('checkout', '-q', 'main');
    shop.human('a.ts', 'in the way\n');
    shop.commit('in the way');
  });

  test.each([['--skip'], ['--abort'], ['--quit']])('%s', async (end) => {
    expect(() => shop.git('cherry-pick', 'topic~2', 'topic~1')).toThrow();
    shop.git('cherry-pick', end);
    if (end === '--quit') shop.git('reset', '-q', '--hard');
    if (end !== '--skip') shop.git('cherry-pick', 'topic~1');
    shop.git('cherry-pick', 'topic');
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['h', 'h', 'a']);
  });

  test('bad arguments', async () => {
    expect(() => shop.git('cherry-pick', 'no-such-thing')).toThrow();
    expect(() => shop.git('cherry-pick', '--continue')).toThrow();
    shop.git('cherry-pick', 'topic~1', 'topic');
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['h', 'h', 'a']);
  });
});

test('67: a pick claims no line of the branch it goes to', async () => {
  shop.git('checkout', '-q', '-b', 'topic');
  shop.ai('base.ts', `${BASE}agent four\n`);
  shop.ai('c.ts', 'agent wrote this line\n');
  shop.commit('a');
  await shop.work();
  meanwhile(shop, 'base.ts', `person zero\n${BASE}`);
  shop.git('checkout', '-q', 'main');
  shop.git('cherry-pick', 'topic');
  expect(await told(shop, 'base.ts', 'c.ts')).toEqual(['hhhha', 'a']);
});

test('68: a record that a commit has already is left alone', async () => {
  topic(shop);
  await shop.work();
  shop.git('checkout', '-q', 'main');
  shop.git('cherry-pick', 'topic~2');
  await shop.work();
  const tip = shop.git('rev-parse', 'refs/notes/agent/trace');
  shop.git('branch', 'again');
  shop.git('checkout', '-q', 'again');
  expect(await told(shop, 'a.ts')).toEqual(['aa']);
  expect(shop.git('rev-parse', 'refs/notes/agent/trace')).toBe(tip);
});

describe('69: reverts', () => {
  const lines = (...some: string[]) => some.map((line) => `${line}\n`).join('');

  test('a revert of a deletion in a file that has grown on top', async () => {
    shop.ai('a.ts', lines('agent one', 'agent two', 'agent three', 'agent four', 'agent five', 'agent six'));
    shop.commit('a');
    shop.human('a.ts', lines('agent one', 'agent two', 'agent three', 'agent six'));
    const deletion = shop.commit('deletion');
    shop.human('a.ts', lines('person zero', 'agent one', 'agent two', 'agent three', 'agent six'));
    shop.commit('on top');
    shop.git('revert', '--no-edit', deletion);
    expect(await told(shop, 'a.ts')).toEqual(['haaaaaa']);
    expect((await shop.json('a.ts')).lines[5]).toMatchObject({ type: 'ai', session: 's1' });
  });

  test('a revert that is committed by hand', async () => {
    shop.ai('a.ts', lines('agent one', 'agent two', 'agent three'));
    shop.commit('a');
    shop.human('a.ts', lines('agent one', 'agent three'));
    shop.commit('deletion');
    await shop.work();
    shop.git('revert', '--no-commit', 'HEAD');
    shop.human('a.ts', `${shop.read('a.ts')}person four\n`);
    shop.git('add', '-A');
    shop.git('commit', '-q', '--no-edit');
    expect(await told(shop, 'a.ts')).toEqual(['aaah']);
  });

  test('a revert of a revert, and of several at once', async () => {
    topic(shop);
    shop.git('revert', '--no-edit', 'HEAD~3..HEAD');
    shop.git('revert', '--no-edit', 'HEAD~3..HEAD');
    expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['aa', 'h', 'a']);
  });

  test('a person’s line comes back as a person’s', async () => {
    shop.human('a.ts', 'mine one\nmine two\n');
    shop.commit('mine');
    shop.ai('a.ts', 'agent one\n');
    shop.commit('agent');
    shop.git('revert', '--no-edit', 'HEAD');
    expect(await told(shop, 'a.ts')).toEqual(['hh']);
  });
});

test('70: a squash of three commits with a person’s line between the agent’s', async () => {
  shop.git('checkout', '-q', '-b', 'topic');
  shop.ai('a.ts', 'agent one\nagent three\n');
  shop.commit('one');
  shop.human('a.ts', 'agent one\nperson two\nagent three\n');
  shop.commit('two');
  shop.ai('a.ts', 'agent one\nperson two\nagent three\nagent four\n', 's2');
  shop.commit('three');
  shop.git('checkout', '-q', 'main');
  shop.git('merge', '-q', '--squash', 'topic');
  shop.git('commit', '-q', '-m', 'squashed');
  expect(await told(shop, 'a.ts')).toEqual(['ahaa']);
  expect((await shop.json('a.ts')).lines[3]).toMatchObject({ session: 's2' });
});

test('73: a squash keeps a file that only a commit in the middle has touched', async () => {
  topic(shop);
  shop.ai('a.ts', 'agent alpha\nagent beta\nagent gamma\n', 's3');
  shop.commit('last');
  shop.git('checkout', '-q', 'main');
  shop.git('merge', '-q', '--squash', 'topic');
  shop.git('commit', '-q', '-m', 'squashed');
  expect(await told(shop, 'a.ts', 'h.ts', 'b.ts')).toEqual(['aaa', 'h', 'a']);
});

test('a squash of what was amended just before, with a look at the other branch in between', async () => {
  shop.git('checkout', '-q', '-b', 'topic');
  shop.ai('a.ts', 'agent one\nagent two\n');
  shop.commit('one');
  shop.human('b.ts', 'person one\n');
  shop.commit('two');
  shop.human('a.ts', 'agent one\nperson alpha beta gamma\nperson delta epsilon zeta\nagent two\n');
  shop.commit('two', '--amend');
  for (const branch of ['main', 'topic', 'main']) shop.git('checkout', '-q', branch);
  shop.git('merge', '-q', '--squash', 'topic');
  shop.git('commit', '-q', '-m', 'squashed');
  expect(await told(shop, 'a.ts', 'b.ts')).toEqual(['ahha', 'h']);
});

test('a squash of what was reverted and brought back just before', async () => {
  shop.git('checkout', '-q', '-b', 'topic');
  shop.human('a.ts', 'person alpha beta gamma\nperson delta epsilon zeta\n');
  shop.commit('one');
  shop.git('revert', '--no-edit', 'HEAD');
  shop.git('revert', '--no-edit', 'HEAD');
  shop.ai('a.ts', 'person alpha beta gamma\nagent between the two\nperson delta epsilon zeta\n');
  shop.commit('two');
  shop.git('checkout', '-q', 'main');
  shop.git('merge', '-q', '--squash', 'topic');
  shop.git('commit', '-q', '-m', 'squashed');
  expect(await told(shop, 'a.ts')).toEqual(['hah']);
});

describe('an agent\u2019s shell brings another branch\u2019s lines, and somebody commits', () => {
  const PERSONS =
    'const typed = byPerson(stone, 1);\nconst alsoTyped = byPerson(stone, 2);\nconst lastTyped = byPerson(river, 4);\n';
  const AGENTS =
    'const written = byAgent(lemon, 1);\nconst alsoWritten = byAgent(lemon, 2);\nconst lastWritten = byAgent(melon, 3);\n';

  test.each([
    ['cherry-pick -n', 'git cherry-pick -n side'],
    ['checkout', 'git checkout side -- p.ts a.ts'],
    ['restore', 'git restore -s side p.ts a.ts'],
  ])('%s', async (_, command) => {
    shop.git('checkout', '-q', '-b', 'side');
    shop.human('p.ts', PERSONS).human('base.ts', `${BASE}base four\n`);
    shop.ai('a.ts', AGENTS, 's3');
    shop.commit('side');
    shop.git('checkout', '-q', 'main');
    shop.human('x.txt', 'x\ny\n').commit('y');
    await shop.work();
    shop.shell(command);
    shop.git('add', '-A');
    shop.commit('brought');
    expect(await told(shop, 'p.ts', 'a.ts')).toEqual(['hhh', 'aaa']);
    if (command.includes('-n')) expect(await told(shop, 'base.ts')).toEqual(['hhhh']);
    expect((await shop.json('a.ts')).lines[0]).toMatchObject({ session: 's3' });
  });
});
