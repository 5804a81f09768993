import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const POLICY = '{"requireAttribution":"block","maxUnknownShare":0,"exclude":["dist/**"]}';
const TEN = Array.from({ length: 10 }, (_, i) => `line ${i} of nobody\n`).join('');

async function start(): Promise<void> {
  shop = await openWorkshop({ agents: false });
  shop.human('.agent-policy.json', POLICY).commit('policy');
}

async function counted(...args: string[]): Promise<{ status: number; total: number; unknown: number }> {
  const { status, stdout } = await shop.agent(...args, '--format', 'json');
  const { counts } = JSON.parse(stdout);
  const { total, unknown } = counts.lines ?? counts;
  return { status: status ?? -1, total, unknown };
}

test('a file that was binary and is text now brings all its lines, and they can be declared', async () => {
  await start();
  shop.human('a.js', `\0\n${TEN}`).commit('binary');
  expect(await counted('check', 'HEAD')).toEqual({ status: 0, total: 0, unknown: 0 });
  shop.human('a.js', TEN).commit('text');
  expect(await counted('check', 'HEAD')).toEqual({ status: 1, total: 10, unknown: 10 });
  expect(await counted('report', 'HEAD~2..HEAD')).toEqual({ status: 0, total: 10, unknown: 10 });
  await shop.agent('declare', 'HEAD', '--human');
  expect(await counted('check', 'HEAD')).toEqual({ status: 0, total: 10, unknown: 0 });
  shop.human('a.js', `${TEN}more\n`).commit('more');
  expect(await counted('check', 'HEAD')).toEqual({ status: 1, total: 1, unknown: 1 });
});

test('a merge that makes text of what is binary in a parent brings all its lines', async () => {
  await start();
  shop.human('a.js', `\0\n${TEN}`).commit('binary');
  shop.git('checkout', '-q', '-b', 'other', 'HEAD~1');
  shop.human('a.js', 'one\n').commit('text');
  shop.git('merge', '-q', '--no-commit', '-s', 'ours', '--allow-unrelated-histories', 'main');
  shop.human('a.js', TEN).commit('merge');
  expect(await counted('check', 'HEAD^!')).toMatchObject({ status: 1, unknown: 10 });
});

test('what attributes call no text counts in what stands as in what was added', async () => {
  shop = await openWorkshop({ agents: false });
  shop.human('.gitattributes', '*.dat -diff\n').human('a.dat', TEN).commit();
  for (const args of [['report'], ['report', '--standing']]) expect((await counted(...args)).total).toBe(11);
});

test.each(['yarn.lock', 'dist/a.js'])(
  'lines that move out of %s are counted where they come to count',
  async (from) => {
    await start();
    shop.human(from, TEN).commit('one');
    expect(await counted('check', 'HEAD')).toEqual({ status: 0, total: 0, unknown: 0 });
    const wrote = shop.git('rev-parse', 'HEAD');
    shop.git('config', 'diff.renames', 'false');
    fs.mkdirSync(path.join(shop.dir, 'src'));
    shop.git('mv', from, 'src/a.js');
    shop.git('commit', '-q', '-m', 'two');
    for (const range of ['HEAD', 'HEAD~2..HEAD'])
      expect(await counted('check', range)).toEqual({ status: 1, total: 10, unknown: 10 });
    expect(await counted('report', '--standing')).toMatchObject({ total: 11, unknown: 11 });
    // they are told by who wrote them, as by blame
    const { lines } = await shop.json('HEAD', '--', 'src/a.js');
    expect(new Set(lines.map(({ commit }) => commit))).toEqual(new Set([wrote]));
    await shop.agent('declare', wrote, '--human');
    expect(await counted('check', 'HEAD')).toEqual({ status: 0, total: 10, unknown: 0 });
    // once there, a move changes nothing
    shop.git('mv', 'src/a.js', 'src/b.js');
    shop.git('commit', '-q', '-m', 'three');
    expect(await counted('check', 'HEAD')).toEqual({ status: 0, total: 0, unknown: 0 });
  },
);

test('nor do they get in by a merge that renames what another parent has', async () => {
  await start();
  shop.git('checkout', '-q', '-b', 'other');
  shop.human('yarn.lock', TEN).commit('one');
  shop.git('checkout', '-q', 'main');
  shop.human('b.js', 'b\n').commit('b');
  shop.git('merge', '-q', '--no-commit', '--no-ff', 'other');
  shop.git('mv', 'yarn.lock', 'a.js');
  shop.git('commit', '-q', '-m', 'merge');
  expect(await counted('check', 'HEAD^!')).toMatchObject({ status: 1, total: 10, unknown: 10 });
});
