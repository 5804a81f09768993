import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

// What was written and never committed goes: thrown away for good, or put aside for a while.
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('f.ts', FILE()).commit('start');
});
afterEach(() => shop.remove());

const BASE = Array.from({ length: 10 }, (_, i) => `person base line ${i} stands\n`);
/** The file with something after its third and after its eighth line. */
const FILE = (high = '', low = '') => [...BASE.slice(0, 3), high, ...BASE.slice(3, 8), low, ...BASE.slice(8)].join('');
/** Only its first line says whose it is. */
const block = (name: string) => `function ${name}() {\n  return null;\n}\n\n`;

/** The session of each line, `me` for a person, `?` where nobody knows. */
async function hands(): Promise<string[]> {
  const { lines } = await shop.json('f.ts');
  return lines.map(({ type, session }) => (type === 'human' ? 'me' : type === 'unknown' ? '?' : (session ?? type)));
}

const of = (hand: string, count: number) => Array.from({ length: count }, () => hand);

describe('an agent’s function is thrown away, and a person types one in its place', () => {
  test.each([
    ['checkout', '-q', '--', 'f.ts'],
    ['restore', 'f.ts'],
    ['reset', '-q', '--hard'],
  ])('git %s: what everybody writes in it is not told as the agent’s', async (...words) => {
    shop.ai('f.ts', FILE(block('computeTotalsOfOrders')));
    shop.git(...words);
    shop.human('f.ts', FILE(block('renderSidebar')));
    expect(await hands()).not.toContain('s1');
    shop.commit('anew');
    expect(await hands()).not.toContain('s1');
  });

  test.each([
    ['mine', 'thing', 'myOwn'],
    ['me', 'thing', 'own'],
  ])('nor where none of its lines says much: %s', async (name, theirs, own) => {
    const short = (called: string, body: string) => `function ${called}() {\n  ${body}();\n  return null;\n}\n\n`;
    shop.ai('f.ts', FILE(short('ag', theirs)));
    shop.git('checkout', '-q', '--', 'f.ts');
    shop.human('f.ts', FILE(short(name, own)));
    expect(new Set(await hands())).toEqual(new Set(['me', '?']));
    shop.commit('anew');
    expect(new Set(await hands())).toEqual(new Set(['me', '?']));
  });

  test('of a short one of which a person changes one line, the rest is still the agent’s', async () => {
    shop.ai('f.ts', FILE('function ag() {\n  thing();\n  return null;\n}\n\n'));
    shop.human('f.ts', FILE('function ag() {\n  other();\n  return null;\n}\n\n')).commit('edited');
    expect((await hands()).slice(3, 8)).toEqual(['s1', 'me', 's1', 's1', 's1']);
  });

  test('where a person only edits its one telling line, the rest is still the agent’s', async () => {
    shop.ai('f.ts', FILE(block('computeTotalsOfOrders')));
    shop.human('f.ts', FILE(block('computeTotalsOfOrders').replace('()', '(orders)'))).commit('edited');
    expect((await hands()).slice(4, 7)).toEqual(of('s1', 3));
  });
});

describe('what one hand wrote is put aside while another writes in the same file', () => {
  test.each([
    ['s1', 's2'],
    ['s2', 's1'],
  ])('%s, %s: what says nothing comes back to whom it belongs', async (first, second) => {
    shop.ai('f.ts', FILE(block('computeTotalsOfOrders')), first);
    shop.git('stash', '-q');
    shop.ai('f.ts', FILE('', block('openConnection')), second);
    shop.commit('second');
    shop.git('stash', 'pop', '-q');
    shop.commit('both');
    expect(await hands()).toEqual([...of('me', 3), ...of(first, 4), ...of('me', 5), ...of(second, 4), ...of('me', 2)]);
  });

  test('commits by others may lie in between: no line is told as another’s', async () => {
    shop.ai('f.ts', FILE(block('computeTotalsOfOrders')), 's1');
    shop.git('stash', '-q');
    shop.ai('f.ts', FILE('', block('openConnection')), 's2');
    shop.commit('second');
    shop.human('f.ts', `${FILE('', block('openConnection'))}person goes on\n`).commit('third');
    shop.git('stash', 'pop', '-q');
    shop.commit('both');
    const told = await hands();
    expect(told.slice(3, 7).every((hand) => hand === 's1' || hand === '?')).toBe(true);
    expect([told[3], told.at(-1)]).toEqual(['s1', 'me']);
  });
});
