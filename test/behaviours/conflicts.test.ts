import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { meanwhile, told } from './told.ts';

const file = (two: string, four = 'base four') => `base one\n${two}\nbase three\n${four}\nbase five\n`;
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', file('base two'));
  shop.commit('start');
  shop.git('checkout', '-q', '-b', 'topic');
});
afterEach(() => shop.remove());

function resume(): void {
  shop.git('add', '-A');
  shop.gitWith({ GIT_EDITOR: 'true' }, 'rebase', '--continue');
}

/** The agent and a person change the same line on two branches. */
function contend(): void {
  shop.ai('base.ts', file('agent changed two'));
  shop.ai('c.ts', 'agent beside\n');
  shop.commit('agent');
  meanwhile(shop, 'base.ts', file('person changed two'));
}

describe('in a rebase', () => {
  test('54: the trunk’s side is kept', async () => {
    contend();
    expect(() => shop.git('rebase', '-q', 'main')).toThrow();
    shop.git('checkout', '--ours', 'base.ts');
    resume();
    expect(await told(shop, 'base.ts', 'c.ts')).toEqual(['hhhhh', 'a']);
  });

  test('61: checkout --theirs takes the agent’s side', async () => {
    contend();
    expect(() => shop.git('rebase', '-q', 'main')).toThrow();
    shop.git('checkout', '--theirs', 'base.ts');
    resume();
    expect(await told(shop, 'base.ts', 'c.ts')).toEqual(['hahhh', 'a']);
  });

  test('58: one of seven commits', async () => {
    for (let i = 1; i <= 3; i++) {
      shop.ai(`a${i}.ts`, `agent file ${i}\n`);
      shop.commit(`a${i}`);
    }
    contend();
    for (let i = 4; i <= 6; i++) {
      shop.human(`h${i}.ts`, `person file ${i}\n`);
      shop.commit(`h${i}`);
    }
    expect(() => shop.git('rebase', '-q', 'main')).toThrow();
    shop.ai('base.ts', file('both changed two'), 's9');
    resume();
    expect(await told(shop, 'a1.ts', 'a3.ts', 'h4.ts', 'h6.ts', 'base.ts')).toEqual(['a', 'a', 'h', 'h', 'hahhh']);
    expect((await shop.json('base.ts')).lines[1]).toMatchObject({ session: 's9' });
  });

  test('59: one is skipped, the next conflicts, the agent resolves it', async () => {
    shop.ai('base.ts', file('agent first try'));
    shop.commit('one');
    shop.ai('base.ts', file('agent second try'));
    shop.commit('two');
    meanwhile(shop, 'base.ts', file('person changed two'));
    expect(() => shop.git('rebase', '-q', 'main')).toThrow();
    expect(() => shop.git('rebase', '--skip')).toThrow();
    shop.ai('base.ts', file('resolved by the agent'), 's9');
    resume();
    expect(await told(shop, 'base.ts')).toEqual(['hahhh']);
    expect((await shop.json('base.ts')).lines[1]).toMatchObject({ session: 's9' });
  });

  test('60: two stops, the first goes on with nothing left', async () => {
    shop.ai('base.ts', file('agent first try'));
    shop.commit('one');
    shop.ai('base.ts', file('agent first try', 'agent four'));
    shop.ai('base.ts', file('agent second try', 'agent four'));
    shop.commit('two');
    meanwhile(shop, 'base.ts', file('person changed two'));
    expect(() => shop.git('rebase', '-q', 'main')).toThrow();
    shop.git('checkout', '--ours', 'base.ts');
    expect(() => resume()).toThrow();
    shop.ai('base.ts', file('resolved by the agent', 'agent four'), 's9');
    resume();
    expect(await told(shop, 'base.ts')).toEqual(['hahah']);
  });
});

describe('62: the work runs while the conflict stands, and the agent resolves it', () => {
  test.each([
    ['rebase', ['rebase', '-q', 'main'], ['rebase', '--continue']],
    ['cherry-pick', ['cherry-pick', 'main'], ['cherry-pick', '--continue']],
    ['merge', ['merge', '-q', 'main'], ['commit', '-q', '--no-edit']],
    ['revert', ['revert', '--no-edit', 'HEAD~1'], ['revert', '--continue']],
  ])('in a %s', async (_, start, goOn) => {
    contend();
    shop.ai('base.ts', file('agent changed two again'), 's2');
    shop.commit('again');
    expect(() => shop.git(...start)).toThrow();
    await shop.work();
    shop.ai('base.ts', file('resolved by the agent'), 's9');
    await shop.work();
    shop.git('add', '-A');
    const more = () => shop.gitWith({ GIT_EDITOR: 'true' }, ...goOn);
    if (start[0] !== 'rebase') more();
    else {
      expect(more).toThrow(); // the second commit conflicts too
      shop.ai('base.ts', file('resolved by the agent'), 's9');
      shop.git('add', '-A');
      shop.gitWith({ GIT_EDITOR: 'true' }, 'rebase', '--skip');
    }
    expect(await told(shop, 'base.ts')).toEqual(['hahhh']);
    expect((await shop.json('base.ts')).lines[1]).toMatchObject({ session: 's9' });
  });
});

test.each([
  ['rebase', 'topic', 'main'],
  ['cherry-pick', 'main', 'topic'],
])(
  'in a %s: a common line in the agent’s resolution is not the one that both sides took out',
  async (verb, on, other) => {
    const [first, last] = ['the first line that stays', 'the last line that stays'];
    shop.git('checkout', '-q', 'main');
    shop.human('c.ts', `${first}\n  return null;\n${last}\n`);
    shop.commit('common');
    shop.git('checkout', '-q', '-B', 'topic');
    shop.ai('c.ts', `${first}\nagent changed it\n${last}\n`);
    shop.commit('agent');
    meanwhile(shop, 'c.ts', `${first}\nperson changed it\n${last}\n`);
    shop.git('checkout', '-q', on);
    expect(() => shop.git(verb, other)).toThrow();
    shop.ai('c.ts', `${first}\nresolved by the agent\n  return null;\n${last}\n`, 's9');
    shop.git('add', '-A');
    shop.gitWith({ GIT_EDITOR: 'true' }, verb, '--continue');
    expect(await told(shop, 'c.ts')).toEqual(['haah']);
  },
);

describe('in a cherry-pick onto a person’s branch', () => {
  beforeEach(() => {
    contend();
    shop.git('checkout', '-q', 'main');
    expect(() => shop.git('cherry-pick', 'topic')).toThrow();
  });
  const goOn = () => {
    shop.git('add', '-A');
    shop.gitWith({ GIT_EDITOR: 'true' }, 'cherry-pick', '--continue');
  };

  test('a person keeps both', async () => {
    shop.human('base.ts', file('person changed two\nagent changed two'));
    goOn();
    expect(await told(shop, 'base.ts', 'c.ts')).toEqual(['hhahhh', 'a']);
  });

  test('another session keeps both: the picked line is not a person’s', async () => {
    shop.ai('base.ts', file('person changed two\nagent changed two'), 's9');
    goOn();
    expect(await told(shop, 'base.ts', 'c.ts')).toEqual(['hhahhh', 'a']);
    expect((await shop.json('base.ts')).lines[2]).toMatchObject({ session: 's1' });
  });
});

describe('in a merge', () => {
  beforeEach(() => {
    contend();
    expect(() => shop.git('merge', '-q', 'main')).toThrow();
  });

  test('63: the agent resolves, a person commits', async () => {
    shop.ai('base.ts', file('both changed two'), 's9');
    shop.commit('merged');
    expect(await told(shop, 'base.ts', 'c.ts')).toEqual(['hahhh', 'a']);
    expect((await shop.json('base.ts')).lines[1]).toMatchObject({ session: 's9' });
  });

  test('63: a person resolves by keeping both', async () => {
    shop.human('base.ts', file('agent changed two\nperson changed two'));
    shop.commit('merged');
    expect(await told(shop, 'base.ts')).toEqual(['hahhhh']);
  });

  test('63: a person resolves with words of their own', async () => {
    shop.human('base.ts', file('something else altogether'));
    shop.commit('merged');
    expect((await told(shop, 'base.ts'))[0]).toMatch(/^h[hu]hhh$/);
  });
});

test('71: a squash with a conflict that keeps both', async () => {
  contend();
  shop.git('checkout', '-q', 'main');
  expect(() => shop.git('merge', '-q', '--squash', 'topic')).toThrow();
  shop.human('base.ts', file('person changed two\nagent changed two'));
  shop.git('add', '-A');
  shop.git('commit', '-q', '-m', 'squashed');
  expect(await told(shop, 'base.ts', 'c.ts')).toEqual(['hhahhh', 'a']);
});

test('a conflict that still stands: its marks and what it brings are nobody’s', async () => {
  contend();
  expect(() => shop.git('cherry-pick', 'main')).toThrow();
  expect(await shop.blame('base.ts')).toBe('huauuuhhh');
});

describe('both sides are kept, and the pick brings back what the trunk had taken away', () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `const value${from + i} = gamma(stone, ${from + i});\n`).join('');
  const ADDED = 'const fresh = maple(river, 1);\n';
  const TRUNK = 'const trunk = lemon(pixel, 5);\n';

  const OWNERS = { 'a person': 'h', 'an agent': 'a' } as const;
  const WAYS = ['cherry-pick', 'rebase', 'merge'] as const;
  const cases = Object.entries(OWNERS).flatMap(([owner, letter]) =>
    WAYS.flatMap((way) => (['a person', 'an agent'] as const).map((hand) => [owner, way, hand, letter] as const)),
  );

  test.each(cases)('of what %s wrote: a %s, resolved by %s', async (owner, way, hand, letter) => {
    const write = (text: string) => (owner === 'a person' ? shop.human('x.ts', text) : shop.ai('x.ts', text, 's3'));
    shop.git('checkout', '-q', 'main');
    write(lines(0, 7));
    shop.commit('x');
    shop.git('checkout', '-q', '-b', 'feature');
    write(`${lines(0, 3)}${ADDED}${lines(4, 7)}`);
    shop.commit('fresh');
    shop.git('checkout', '-q', 'main');
    shop.ai('x.ts', `${lines(0, 2)}${TRUNK}${lines(5, 7)}`, 's2');
    shop.commit('trunk');
    await shop.work();
    const start = {
      'cherry-pick': ['cherry-pick', 'feature'],
      rebase: ['rebase', '-q', 'main', 'feature'],
      merge: ['merge', '-q', 'feature'],
    };
    expect(() => shop.git(...start[way])).toThrow();
    const both = `${lines(0, 2)}${TRUNK}${lines(3, 3)}${ADDED}${lines(4, 7)}`;
    if (hand === 'a person') shop.human('x.ts', both);
    else shop.ai('x.ts', both, 's9');
    shop.git('add', '-A');
    if (way === 'merge') shop.git('commit', '-q', '--no-edit');
    else shop.gitWith({ GIT_EDITOR: 'true' }, way, '--continue');
    expect(await told(shop, 'x.ts')).toEqual([`${letter.repeat(3)}a${letter.repeat(6)}`]);
    const sessions = (await shop.json('x.ts')).lines.map(({ session }) => session);
    expect(sessions).not.toContain('s9');
  });
});
