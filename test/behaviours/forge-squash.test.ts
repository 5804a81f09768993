// A forge squashes a branch of people's and agents' functions; the originals are gone for good. Only hashes in notes tell whose lines are whose.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
let server: string;
beforeEach(async () => {
  shop = await openWorkshop();
  server = fs.mkdtempSync(path.join(shop.home, 'server-'));
  shop.git('init', '-q', '--bare', '-b', 'main', server);
  shop.human('base.ts', 'base one\n').commit('start');
  shop.git('push', '-q', server, 'HEAD:main');
  shop.git('checkout', '-q', '-b', 'topic');
});
afterEach(() => shop.remove());

/** Every line of the file, as its commits tell it before, and as a fresh clone tells it after. */
async function squashed(file: string): Promise<readonly [before: string[], after: string[]]> {
  const before = await told(shop, file);
  await shop.work();
  shop.git('push', '-q', server, 'topic');
  expect((await shop.agent('push', server)).status).toBe(0);
  const forge = path.join(shop.home, 'forge');
  shop.git('clone', '-q', pathToFileURL(server).href, forge);
  shop.git('-C', forge, 'merge', '-q', '--squash', 'origin/topic');
  shop.git('-C', forge, 'commit', '-q', '-m', 'squashed');
  shop.git('-C', forge, 'push', '-q', 'origin', 'HEAD:main', ':topic');
  shop.git('-C', server, 'gc', '-q', '--prune=now');
  const folder = path.join(shop.home, 'fresh');
  shop.git('clone', '-q', pathToFileURL(server).href, folder);
  const fresh = shop.in(folder);
  expect((await fresh.agent('fetch')).status).toBe(0);
  return [before, await told(fresh, file)];
}

async function told(place: Workshop, file: string): Promise<string[]> {
  const { lines } = await place.json('HEAD', '--', file);
  return lines.map(({ type, session }) => `${type} ${session ?? ''}`.trim());
}

const body = (name: string) =>
  `export function ${name}(items) {\n  const ${name}Total = sum(items, "${name}");\n  if (!${name}Total) {\n    return null;\n  }\n  return ${name}Total;\n}\n\n`;

test('functions of three sessions, one below the other, that end in the same lines', async () => {
  let text = '';
  for (const [i, name] of ['alpha', 'beta', 'gamma'].entries()) {
    text += body(name);
    shop.ai('a.ts', text, `s${i + 1}`);
    shop.commit(name);
  }
  const [before, after] = await squashed('a.ts');
  expect(after).toEqual(before);
});

test('thirty commits of four sessions and a person, above and below, that end in the same lines', async () => {
  let text = '';
  for (let i = 0; i < 30; i++) {
    const lines = [0, 1, 2].map((n) => `  const value${i}of${n} = call(${i * 7 + n}, "which ${i}");\n`).join('');
    const typed = i % 3 === 2;
    text = typed ? lines + text : `${text}${lines}}\n\n`;
    if (typed) shop.human('a.ts', text);
    else shop.ai('a.ts', text, `s${(i % 4) + 1}`);
    shop.commit(`c${i}`);
  }
  const [before, after] = await squashed('a.ts');
  expect(after).toEqual(before);
});
