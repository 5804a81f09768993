import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { widthOf } from '../../src/terminal/width.ts';
import { removeFolder } from '../support/remove.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const shops: Workshop[] = [];
afterEach(() => {
  for (const shop of shops.splice(0)) shop.remove();
});

const ROWS = 23;

async function why(shop: Workshop, place: string): Promise<string> {
  const { status, stdout, stderr } = await shop.agent('why', place);
  if (status !== 0) throw new Error(stderr);
  expect(stdout.split('\n').length - 1).toBeLessThanOrEqual(ROWS);
  for (const line of stdout.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(80);
  expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  return stdout;
}

describe('git agent why FILE:LINE', () => {
  it('is one screen: the line, who, how it is known, the prompt, the edit, and where to read on', async () => {
    const shop = await openWorkshop();
    shops.push(shop);
    shop.human('src/a.ts', 'let one = 1;\n').commit('first');
    shop.prompt(`Please add many\n\x1b[31m${'and then some more words '.repeat(60)}`);
    const content = `let one = 1;\n${Array.from({ length: 200 }, (_, i) => `let n${i} = ${i};\n`).join('')}`;
    const id = shop.ai('src/a.ts', content);
    const filePath = path.join(shop.dir, 'src/a.ts');
    const before = { originalFile: 'let one = 1;\n', structuredPatch: [], userModified: false };
    shop.tellResult('s1', id, { type: 'update', filePath, content, ...before });
    const open = await why(shop, 'src/a.ts:151');
    expect(open).toContain('when   not committed yet\n');
    expect(open).toContain('found  not committed yet: worked out from what hooks noted down\n');
    const commit = shop.commit('second').slice(0, 8);
    await shop.work();
    const told = await why(shop, 'src/a.ts:151');
    expect(told).toMatch(
      /^src\/a\.ts:151 {2}let n149 = 149;\n\nwho {5}an agent, claude-code .*claude-opus-4-5-20251101\n/,
    );
    expect(told).toMatch(
      new RegExp(`when {4}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC, .*, in ${commit}\ncommit {2}second\n`),
    );
    expect(told).toContain('how     observed: the file was seen before and after the edit\n');
    expect(told).toContain('found   the note of the commit itself says so\n');
    expect(told).toContain('\nprompt\n    Please add many\n');
    expect(told).toMatch(/ {4}… \d+ more lines\n/);
    expect(told).toContain('\nedit src/a.ts\n');
    expect(told).toContain('    +let n149 = 149;\n');
    expect(told).toContain('\ngit agent show src/a.ts:151  this step in full\n');
    expect(told).toContain(`\ngit show ${commit}            the commit\n`);
    // from another folder, what is advised is still right there
    expect(await why(shop.in(path.join(shop.dir, 'src')), 'a.ts:151')).toContain('git agent show a.ts:151 ');
    removeFolder(path.join(shop.common, 'agent', 'sessions'));
    removeFolder(path.dirname(shop.transcript('s1')));
    expect(await why(shop, 'src/a.ts:151')).toContain('The session s1 is not recorded in this repository');
  });

  it('says of a person’s line how that is known, of an unknown one what can be done', async () => {
    const shop = await openWorkshop({ agents: false });
    shops.push(shop);
    const old = shop.human('a.ts', 'let old = 1;\n').commit('before').slice(0, 8);
    await shop.init();
    shop.human('a.ts', 'let old = 1;\nlet typed = 2;\n').commit('typed');
    const unknown = await why(shop, 'a.ts:1');
    expect(unknown).toContain('\nwho     nobody knows\n');
    expect(unknown).toContain('\nNobody knows who wrote this line: ');
    expect(unknown).toContain(`\ngit agent backfill ${old} `);
    expect(unknown).toContain(`\ngit agent declare ${old} --human `);
    const human = await why(shop, 'a.ts:2');
    expect(human).toContain('\nwho     a person\n');
    expect(human).toContain('\nhow     absent: capture was on, and no agent touched these lines\n');
    expect(human).toContain('\nA person wrote this line: there is no conversation behind it.\n');
    const { status, stderr } = await shop.agent('why', 'a.ts');
    expect([status, stderr]).toEqual([2, 'git agent: Name a line: git agent why FILE:LINE\n']);
    expect((await shop.agent('why', 'a.ts:99')).status).toBe(2);
  });
});
