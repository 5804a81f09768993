import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

// What an agent wrote and nobody has committed yet, a person puts into another file.
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('a.ts', BASE('a')).human('o.ts', BASE('o')).commit('base');
});
afterEach(() => shop.remove());

const BASE = (name: string) => `import of ${name}\n\nfunction ${name}() {\n  return null;\n}\n`;
const AGENTS =
  'function totalOf(orders: Order[]) {\n  const prices = orders.map(priceOf);\n  return prices.reduce(sumUp, 0);\n}\n';
/** None of its lines says much. */
const SHORT = 'function ag() {\n  thing(1);\n  other(2);\n  return 5;\n}\n';

/** Before the commit, after it, and once the work has been done. */
async function letters(file: string): Promise<string> {
  const uncommitted = await shop.blame(file);
  shop.commit('moved');
  expect(await shop.blame(file)).toBe(uncommitted);
  await shop.work();
  expect(await shop.blame(file)).toBe(uncommitted);
  return uncommitted;
}

describe('it stays the agent’s', () => {
  test('out of a file that is again as it was', async () => {
    shop.ai('a.ts', BASE('a') + AGENTS);
    shop.human('a.ts', BASE('a')).human('o.ts', BASE('o') + AGENTS);
    expect(await letters('o.ts')).toBe('hhhhhaaaa');
  });

  test('with lines of the person’s around it, and others of the agent’s left behind', async () => {
    shop.ai('a.ts', `${BASE('a')}${AGENTS}const left = 'behind by the person';\n`);
    shop.human('a.ts', `${BASE('a')}const left = 'behind by the person';\n`);
    shop.human('o.ts', `${BASE('o')}// mine, before it\n${AGENTS}// mine, after it\n`);
    expect(await letters('o.ts')).toBe('hhhhhhaaaah');
  });

  test('with a line of the person’s put into it', async () => {
    const [first = '', ...rest] = AGENTS.split(/(?<=\n)/);
    const last = 'const agents = totalOf(all);\n';
    shop.ai('a.ts', BASE('a') + AGENTS + last);
    shop.human('a.ts', BASE('a')).human('o.ts', `${BASE('o')}${first}// mine, within it\n${rest.join('')}${last}`);
    expect(await letters('o.ts')).toBe('hhhhhahaaaa');
  });

  test('into a file that the agent edits as well', async () => {
    shop.ai('a.ts', BASE('a') + AGENTS);
    shop.human('a.ts', BASE('a')).human('o.ts', BASE('o') + AGENTS);
    shop.ai('o.ts', `${BASE('o')}${AGENTS}const agents = 'own line here';\n`);
    expect(await letters('o.ts')).toBe('hhhhhaaaaa');
  });

  test('a line of its own within what the person had written, all of which moves', async () => {
    const [first = '', second = '', third = '', last = ''] = AGENTS.split(/(?<=\n)/);
    shop.human('a.ts', BASE('a') + first + third + last).commit('mine');
    shop.ai('a.ts', BASE('a') + AGENTS);
    shop.human('a.ts', BASE('a')).human('o.ts', `${BASE('o')}${first}${second}${third}${last}`);
    expect(await letters('o.ts')).toBe('hhhhhhahh');
  });

  test('a line of its own within what the person had written, which an agent puts aside and brings back', async () => {
    const [mine, own] = [[1, 2, 3, 4].map((n) => `const typed${n} = byHand(${n});\n`), 'const agents = [1, 2];\n'];
    const whole = [...mine.slice(0, 2), own, ...mine.slice(2)].join('');
    shop.human('a.ts', BASE('a') + mine.join('')).commit('mine');
    shop.ai('a.ts', BASE('a') + whole);
    shop.ai('o.ts', `${BASE('o')}// the agent's line\n`, 's2');
    shop.human('a.ts', BASE('a')).human('o.ts', `${BASE('o')}// the agent's line\n${whole}`);
    shop.shell('git stash push -q', 's3');
    shop.shell('git stash pop -q', 's3');
    expect(await letters('o.ts')).toBe('hhhhhahhahh');
  });

  test('what it put into its own lines, all of which move', async () => {
    const put = '  orders.sort(byPrice);\n';
    const all = (between: string) => `${AGENTS.replace('totalOf', 'allOf')}const of = 1;\n${between}// of\n${AGENTS}`;
    shop.ai('a.ts', BASE('a') + all(''));
    shop.ai('a.ts', BASE('a') + all(put));
    shop.human('a.ts', BASE('a')).human('o.ts', BASE('o') + all(put));
    expect(await letters('o.ts')).toBe('hhhhhaaaaaaaaaaa');
  });

  test('which its shell was given as a text', async () => {
    shop.shell(`cat >> a.ts <<'EOF'\n${AGENTS}EOF`);
    shop.human('a.ts', BASE('a')).human('o.ts', BASE('o') + AGENTS);
    expect(await letters('o.ts')).toBe('hhhhhaaaa');
  });

  test('which the commit between left out', async () => {
    shop.ai('a.ts', BASE('a') + AGENTS);
    shop.human('a.ts', BASE('a')).human('o.ts', BASE('o') + AGENTS);
    await sleep(1100); // git's clock knows seconds
    shop.git('commit', '-q', '--allow-empty', '-m', 'between');
    expect(await letters('o.ts')).toBe('hhhhhaaaa');
  });

  test('out of a new file, which goes', async () => {
    shop.ai('new.ts', AGENTS);
    fs.rmSync(path.join(shop.dir, 'new.ts'));
    shop.human('o.ts', BASE('o') + AGENTS);
    expect(await letters('o.ts')).toBe('hhhhhaaaa');
  });

  test('after commits of it were taken back softly and made one', async () => {
    shop.ai('a.ts', BASE('a') + AGENTS);
    shop.commit('agent');
    shop
      .human('a.ts', BASE('a'))
      .human('o.ts', BASE('o') + AGENTS)
      .commit('move');
    shop.git('reset', '-q', '--soft', 'HEAD~2');
    expect(await letters('o.ts')).toBe('hhhhhaaaa');
  });
});

describe('nobody is named', () => {
  test('where none of its lines says much: they may have been typed anew', async () => {
    shop.ai('a.ts', BASE('a') + SHORT);
    shop.human('a.ts', BASE('a')).human('o.ts', BASE('o') + SHORT);
    expect(await letters('o.ts')).toBe('hhhhhuuuuu');
  });
});

describe('it is the person’s', () => {
  test('where it still stands where the agent wrote it: that is a copy', async () => {
    shop.ai('a.ts', BASE('a') + AGENTS);
    shop.human('o.ts', BASE('o') + AGENTS);
    expect(await letters('o.ts')).toBe('hhhhhhhhh');
  });

  test('where one line is the same', async () => {
    shop.ai('a.ts', BASE('a') + AGENTS);
    const mine = 'const prices = orders.map(priceOf);\nreturn prices;\n';
    shop.human('a.ts', BASE('a')).human('o.ts', `${BASE('o')}  ${mine}`);
    expect(await letters('o.ts')).toBe('hhhhhhh');
  });

  test('where it was seen there before the agent wrote the same', async () => {
    shop.human('o.ts', BASE('o') + AGENTS);
    shop.ai('o.ts', `${BASE('o')}${AGENTS}const agents = 'own line here';\n`);
    shop.ai('a.ts', BASE('a') + AGENTS);
    shop.human('a.ts', BASE('a'));
    expect(await letters('o.ts')).toBe('hhhhhhhhha');
  });
});
