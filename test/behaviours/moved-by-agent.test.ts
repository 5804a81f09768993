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

test('what everybody writes and an agent was seen to write is the agent’s, though the same went elsewhere', async () => {
  shop.ai('a.ts', of(1) + of(3));
  shop.ai('b.ts', 'function other() {\n  return null;\n}\n');
  shop.commit('not moved');
  expect(await told(shop, 'b.ts')).toEqual(['aaa']);
});
