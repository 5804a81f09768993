import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

// An agent moves a person's committed lines to another file with its edit tools.
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('a.ts', [1, 2, 3].map(of).join('')).commit('start');
});
afterEach(() => shop.remove());

const LONG = 'function checkSchedule(header, margin) {\n  return margin.mergePayment(header, 891);\n}\n';
const of = (n: number) => `function f${n}() {\n  call${n}(arg${n});\n  return null;\n}\n\n`;

test('a small function stays the person’s, though none of its lines says much', async () => {
  shop.ai('a.ts', of(1) + of(3));
  shop.ai('b.ts', of(2));
  shop.commit('moved');
  expect(await told(shop, 'a.ts', 'b.ts')).toEqual(['hhhhhhhhhh', 'hhhhh']);
});

test('what the agent writes beside it is the agent’s', async () => {
  shop.ai('a.ts', of(1) + of(3));
  shop.ai('b.ts', `import of agents;\n${of(2)}export of agents;\n`);
  shop.commit('moved');
  expect(await told(shop, 'b.ts')).toEqual(['ahhhhha']);
});

test.each([
  ['cut, then paste', (text: string) => [text.replace(LONG, ''), LONG + text.replace(LONG, '')]],
  ['paste, then cut', (text: string) => [LONG + text, LONG + text.replace(LONG, '')]],
  ['at once', (text: string) => [LONG + text.replace(LONG, '')]],
])('inside its file, by edits of its own, %s: it is the person’s before the commit and after', async (_, steps) => {
  const text = [1, 2, 3].map(of).join('') + LONG;
  shop.human('a.ts', text).commit('more');
  for (const step of steps(text)) shop.ai('a.ts', step);
  expect(await shop.blame('a.ts')).toBe('h'.repeat(18));
  shop.commit('moved');
  expect(await told(shop, 'a.ts')).toEqual(['h'.repeat(18)]);
});

test('what a person has not committed, pasted, then cut: nobody is named, least of all the agent', async () => {
  const text = [1, 2, 3].map(of).join('');
  shop.human('a.ts', text + LONG);
  shop.ai('a.ts', LONG + text + LONG);
  shop.ai('a.ts', LONG + text);
  shop.commit('moved');
  expect((await told(shop, 'a.ts')).join('')).toMatch(/^[uh]{3}h{15}$/);
});

test('what everybody writes and an agent was seen to write is the agent’s, though the same went elsewhere', async () => {
  shop.ai('a.ts', of(1) + of(3));
  shop.ai('b.ts', 'function other() {\n  return null;\n}\n');
  shop.commit('not moved');
  expect(await told(shop, 'b.ts')).toEqual(['aaa']);
});
