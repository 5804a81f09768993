import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { told } from '../behaviours/told.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** An agent moves with its edit tools, from file to file, what nobody has committed yet. */
const BASE = 'export const base = 0;\n';
const TYPED = [1, 2, 3, 4].map((n) => `export const typed${n} = byHand(${n});\n`).join('');
const OWN = "import { own } from './own.ts';\n";

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('a.ts', BASE);
  shop.commit('start');
  shop.human('a.ts', BASE + TYPED);
});
afterEach(() => shop.remove());

describe('what a person typed stays the person’s', () => {
  test('taken out of one file, then put into another', async () => {
    shop.ai('a.ts', OWN + BASE);
    shop.ai('b.ts', TYPED + OWN);
    shop.commit('moved');
    expect(await told(shop, 'a.ts', 'b.ts')).toEqual(['ah', 'hhhha']);
  });

  test('taken out of a file that is then as it was', async () => {
    shop.ai('a.ts', BASE);
    shop.ai('b.ts', TYPED + OWN);
    shop.commit('moved');
    expect(await told(shop, 'b.ts')).toEqual(['hhhha']);
  });

  test('put into another, then taken out', async () => {
    shop.ai('b.ts', OWN + TYPED);
    shop.ai('a.ts', OWN + BASE);
    shop.commit('moved');
    expect(await told(shop, 'a.ts', 'b.ts')).toEqual(['ah', 'ahhhh']);
  });

  test('into a file that was there', async () => {
    shop.ai('c.ts', OWN, 's2');
    shop.ai('a.ts', OWN + BASE);
    shop.ai('c.ts', OWN + TYPED);
    shop.commit('moved');
    expect(await told(shop, 'a.ts', 'c.ts')).toEqual(['ah', 'ahhhh']);
  });
});

test('what the agent itself wrote stays its own, seen where it stands', async () => {
  shop.ai('a.ts', `${BASE + TYPED + OWN}export const agents = [1];\nexport const others = [2];\n`);
  shop.ai('a.ts', BASE + TYPED);
  shop.ai('b.ts', `${OWN}export const agents = [1];\nexport const others = [2];\n`);
  shop.commit('moved');
  expect(await told(shop, 'a.ts', 'b.ts')).toEqual(['hhhhh', 'aaa']);
});

test('a line or two in common are no move', async () => {
  const [one = '', two = ''] = TYPED.split(/(?<=\n)/);
  shop.ai('a.ts', OWN + BASE);
  shop.ai('b.ts', one + two + OWN);
  shop.commit('written');
  expect(await told(shop, 'b.ts')).toEqual(['aaa']);
});

test('what the agent itself moved stays its own, also where a person has taken the rest of that file elsewhere', async () => {
  const more = [5, 6, 7, 8].map((n) => `export const typed${n} = byHand(${n});\n`).join('');
  const own = [1, 2, 3, 4].map((n) => `export const agents${n} = byMachine(${n});\n`).join('');
  shop.human('a.ts', BASE + TYPED + more).commit('typed');
  shop.ai('a.ts', own + BASE + TYPED + more);
  shop.ai('b.ts', own);
  shop.ai('a.ts', BASE + TYPED + more);
  shop.human('a.ts', BASE).human('c.ts', TYPED + more);
  shop.commit('moved');
  expect(await told(shop, 'a.ts', 'b.ts', 'c.ts')).toEqual(['h', 'aaaa', 'hhhhhhhh']);
});

test('what one session moved of another’s commit stays that one’s in a copy, put aside by an agent and brought back by a person', async () => {
  const own = [1, 2, 3, 4].map((n) => `export const agents${n} = byMachine(${n});\n`).join('');
  shop.human('a.ts', BASE).ai('a.ts', BASE + own, 's1');
  shop.commit('agents');
  shop.ai('a.ts', BASE, 's2');
  shop.ai('b.ts', own, 's2');
  shop.human('c.ts', own);
  shop.shell('git stash push -q -u', 's3');
  shop.git('stash', 'pop', '-q');
  shop.human('c.ts', `${own}// mine, at the end\n`).commit('moved');
  expect(await told(shop, 'b.ts', 'c.ts')).toEqual(['aaaa', 'aaaah']);
});

test('what a person took to a new file with an agent’s lines in it, and an agent moves there, is not where these are from', async () => {
  const own = [1, 2, 3].map((n) => `export const agents${n} = [${n}];\n`).join('');
  shop.human('a.ts', BASE + TYPED).commit('typed');
  shop.ai('a.ts', BASE + TYPED + own, 's2');
  shop.human('a.ts', BASE).human('c.ts', TYPED + own);
  shop.ai('c.ts', `${TYPED}${own}// the agent's\n`);
  shop.ai('c.ts', "// the agent's\n");
  shop.ai('c.ts', `${TYPED}${own}// the agent's\n`);
  shop.commit('moved');
  expect(await told(shop, 'c.ts')).toEqual(['hhhhaaaa']);
});

test('what an agent wrote in a file is not from a copy that a person made of it, and an agent renames', async () => {
  const own = [1, 2, 3, 4].map((n) => `export const agents${n} = byMachine(${n});\n`).join('');
  shop.human('b.ts', TYPED).commit('typed');
  shop.ai('b.ts', TYPED + own);
  shop.human('c.ts', own + TYPED);
  shop.ai('b.ts', TYPED);
  shop.human('c.ts', `${own}// mine, between them\n${TYPED}`);
  shop.shell('mv c.ts d.ts', 's2');
  shop.commit('moved');
  expect(await told(shop, 'd.ts')).toEqual(['aaaahhhhh']);
});
