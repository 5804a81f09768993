import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { meanwhile, told } from './told.ts';

const file = (two: string) => `base one\n${two}\nbase three\nbase four\n`;
const BOTH = 'const both = agent + person;';
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', file('base two')).commit('start');
  shop.git('checkout', '-q', '-b', 'topic');
});
afterEach(() => shop.remove());

const WAYS: [string, string, string][] = [
  ['rebase', 'topic', 'main'],
  ['cherry-pick', 'main', 'topic'],
];

/** Git stops in the pick. */
function stop(verb: string, on: string, other: string): void {
  meanwhile(shop, 'base.ts', file('person changed two'));
  shop.git('checkout', '-q', on);
  expect(() => shop.git(verb, other)).toThrow();
}

function goOn(verb: string): void {
  shop.git('add', '-A');
  shop.gitWith({ GIT_EDITOR: 'true' }, verb, '--continue');
}

describe.each(WAYS)('a %s that stopped', (verb, on, other) => {
  test('what a person resolves with words of their own is theirs', async () => {
    shop.human('base.ts', file('another person changed two')).commit('theirs');
    stop(verb, on, other);
    shop.human('base.ts', file(BOTH));
    goOn(verb);
    expect(await told(shop, 'base.ts')).toEqual(['hhhh']);
  });

  test('also where the agent had written one side', async () => {
    shop.ai('base.ts', file('agent changed two'));
    shop.ai('c.ts', 'agent beside\n');
    shop.commit('agent');
    stop(verb, on, other);
    shop.human('base.ts', file(`agent changed two\n${BOTH}`));
    goOn(verb);
    expect(await told(shop, 'base.ts', 'c.ts')).toEqual(['hahhh', 'a']);
  });

  test('what was picked is not typed here, though nobody knows who wrote it', async () => {
    shop.human('base.ts', file('  somebody.changed(two);')).human('c.ts', 'somebody beside\n');
    shop.git('add', '-A');
    // made elsewhere, as far as anything tells
    const made = shop.git('commit-tree', '-p', 'HEAD', '-m', 'foreign', shop.git('write-tree'));
    shop.git('reset', '-q', '--hard');
    shop.git('update-ref', 'refs/remotes/origin/topic', made);
    shop.git('checkout', '-q', '-B', 'topic', made);
    await shop.work();
    stop(verb, on, other);
    shop.human('base.ts', file(`somebody.changed(two);\n${BOTH}`));
    goOn(verb);
    expect(await told(shop, 'base.ts', 'c.ts')).toEqual(['huhhh', 'u']);
  });

  test('what the agent resolves is its own, beside what a person adds', async () => {
    shop.human('base.ts', file('another person changed two')).commit('theirs');
    stop(verb, on, other);
    shop.ai('base.ts', file('resolved by the agent'));
    shop.human('base.ts', file(`resolved by the agent\n${BOTH}`));
    goOn(verb);
    expect(await told(shop, 'base.ts')).toEqual(['hahhh']);
  });

  test('what an agent’s command resolves and goes on with is no person’s, whatever its environment tells', async () => {
    shop.human('base.ts', file('another person changed two')).commit('theirs');
    stop(verb, on, other);
    const write = "printf 'base one\\nthe agent merged both of them\\nbase three\\nbase four\\n' > base.ts";
    const nameless = { CLAUDECODE: '', CLAUDE_CODE_SESSION_ID: '' };
    shop.shell(`${write} && git add -A && GIT_EDITOR=true git ${verb} --continue`, 's1', nameless);
    expect((await told(shop, 'base.ts'))[0]).toMatch(/^h[au]hh$/);
  });

  test('what rerere remembers may be anybody’s', async () => {
    shop.git('config', 'rerere.enabled', 'true');
    shop.human('base.ts', file('another person changed two')).commit('theirs');
    stop(verb, on, other);
    shop.human('base.ts', file(BOTH));
    goOn(verb);
    expect(await told(shop, 'base.ts')).toEqual(['huhh']);
  });
});
