import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

const own = (name: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, k) => from + k)
    .map((i) => `export const ${name}${i} = computeTheValueOf('${name}', ${i});\n`)
    .join('');

/** A clone in which no hook runs, with the notes of the first; somebody commits a file there. */
async function committedElsewhere(...texts: string[]): Promise<Workshop> {
  shop.human('.agent-policy.json', '{"requireAttribution":"block"}').commit('base');
  shop.ai('y.ts', own('agents', 21));
  shop.commit('agent');
  await shop.work();
  const folder = path.join(shop.home, 'clone');
  shop.git('clone', '-q', shop.dir, folder);
  const clone = shop.in(folder);
  clone.git('fetch', '-q', 'origin', '+refs/notes/agent/*:refs/notes/agent/*');
  clone.git('rm', '-q', 'y.ts');
  for (const [i, text] of texts.entries()) fs.writeFileSync(path.join(folder, `new${i}.ts`), text);
  clone.git('add', '-A');
  clone.git('commit', '-q', '-m', 'elsewhere');
  return clone;
}

test('some lines that are alike make no record of a commit, and let nothing through the gate', async () => {
  const clone = await committedElsewhere(own('agents', 4) + own('others', 100));
  const { stderr } = await clone.agent('reanchor', 'HEAD~1..HEAD');
  expect(stderr).toBe(
    '0 commits re-anchored\n1 left: of less than half of the lines it is known where they come from\n',
  );
  expect((await clone.agent('check', 'HEAD~1..HEAD')).status).toBe(1);
});

test('where most of it is known again, it gets its record', async () => {
  const clone = await committedElsewhere(...[0, 7, 14].map((from) => own('agents', 7, from) + own('others', 4, from)));
  const { stderr } = await clone.agent('reanchor', 'HEAD~1..HEAD');
  expect(stderr).toBe('1 commit re-anchored\n');
  expect((await clone.agent('check', 'HEAD~1..HEAD')).status).toBe(0);
});
