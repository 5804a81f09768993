import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readAttribute } from '../../src/git/attributes.ts';
import { withObjects } from '../../src/git/objects.ts';
import { gits } from '../setup/support.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const report = async (...args: string[]) => {
  const { status, stdout, stderr } = await shop.agent('report', ...args);
  return { status, stdout, stderr };
};
const json = async (...args: string[]) => JSON.parse((await report(...args, '--format', 'json')).stdout);

/** Three files by a person and an agent, and some that do not count. */
async function scene(): Promise<void> {
  shop = await openWorkshop();
  shop.human('app.ts', 'const port = 80;\nlisten(port);\n').human('logo.png', Buffer.from([0x89, 0x50, 0, 1, 2]));
  shop.human('package-lock.json', '{\n"a": 1\n}\n').human('gen/api.ts', 'generated\n').human('empty.txt', '');
  shop.human('.gitattributes', 'gen/* linguist-generated\n').commit('start');
  shop.ai('src/greet.ts', 'export const greet = 1;\nexport const bye = 2;\nexport const hi = 3;\n', 's7');
  shop.commit('greet');
}

test('counts what the commits of a range added, and lists what does not count', async () => {
  await scene();
  const all = await json();
  expect(all.counts).toEqual({ total: 6, ai: 3, mixed: 0, human: 3, unknown: 0 });
  expect(all.excluded.map(({ path: file, why }: { path: string; why: string }) => `${file}: ${why}`).sort()).toEqual([
    'gen/api.ts: generated',
    'logo.png: binary',
    'package-lock.json: lock file',
  ]);
  const last = await json('HEAD');
  expect([last.scope.commits, last.counts.ai, last.counts.total]).toEqual([1, 3, 3]);
  expect(last.by.session).toEqual([expect.objectContaining({ key: 's7' })]);
});

test('lines that stand: what was taken away is gone, what moved is counted where it is', async () => {
  await scene();
  shop.git('mv', 'src/greet.ts', 'src/moved.ts');
  shop.human('src/moved.ts', 'export const greet = 1;\nexport const hi = 3;\n').commit('move');
  const standing = await json('--standing');
  expect(standing.files.find((file: { path: string }) => file.path === 'src/moved.ts').counts.ai).toBe(2);
  expect((await json('--standing', 'HEAD~1')).counts.ai).toBe(3);
});

test('lines that stand in files that do not count are told, as those that a range added', async () => {
  await scene();
  const told = async (...args: string[]) => {
    const { excluded } = await json(...args);
    return excluded.map(({ path: file, lines }: { path: string; lines: number }) => `${file} ${lines}`).sort();
  };
  expect(await told('--standing')).toEqual(['gen/api.ts 1', 'logo.png 0', 'package-lock.json 3']);
  expect(await told()).toEqual(await told('--standing'));
  expect((await report('--standing')).stdout).toContain('3 files, 4 lines');
});

test('the policy says what else does not count; a broken one is told and does not stop a report', async () => {
  await scene();
  shop.human('.agent-policy.json', '{"exclude":["src/**"]}');
  expect((await json()).counts).toEqual({ total: 3, ai: 0, mixed: 0, human: 3, unknown: 0 });
  shop.human('.agent-policy.json', '{"exclud":[]}');
  const { status, stdout, stderr } = await report('--format', 'json');
  expect([status, JSON.parse(stdout).counts.total]).toEqual([0, 6]);
  expect(stderr).toBe('git agent: .agent-policy.json:1:2: there is no "exclud" in a policy: did you mean exclude?\n');
});

test('commits without a record are told whatever else is in the range; those that add nothing are not', async () => {
  shop = await openWorkshop({ agents: false });
  shop.human('a', Array.from({ length: 50 }, (_, i) => `line number ${i} of many\n`).join('')).commit('1');
  await shop.agent('declare', '--human');
  const solo = shop.human('n', 'solo\n').commit('2');
  shop.git('commit', '-q', '--allow-empty', '-m', 'empty');
  shop.human('copy', shop.read('a')).commit('3');
  expect((await json()).unrecorded).toContain(solo);
  expect((await json('HEAD~2..HEAD~1')).unrecorded).toEqual([]);
});

test('a shallow clone says that it is one', async () => {
  await scene();
  const there = shop.in(
    shop.git('clone', '-q', '--depth', '1', `file://${shop.dir}`, `${shop.dir}-shallow`) || `${shop.dir}-shallow`,
  );
  expect((await there.agent('report')).stderr).toContain('this clone is shallow');
  fs.rmSync(there.dir, { recursive: true, force: true });
});

test('a policy that is a link leads nowhere', async () => {
  await scene();
  fs.symlinkSync('/etc/passwd', path.join(shop.dir, '.agent-policy.json'));
  const { status, stderr } = await report();
  expect([status, stderr]).toEqual([0, expect.stringContaining('.agent-policy.json:1:1: no plain file')]);
});

test.each([
  ['text', /^50 % of 6 added lines were written by agents/],
  ['markdown', /\| ai \| 3 \| 50 % \|/],
  ['html', /^<!doctype html>[\s\S]*src\/greet\.ts/],
  ['sarif', /"version":\s*"2\.1\.0"/],
])('%s has the same figures', async (format, pattern) => {
  await scene();
  const { status, stdout, stderr } = await report('--format', format);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(pattern);
});

test('tables by what was asked for', async () => {
  await scene();
  const { stdout } = await report('--by', 'session,week');
  expect(stdout).toMatch(/^session .*\n.*s7|s7/m);
  expect(stdout).not.toMatch(/^author/m);
  const wrong = await report('--by', 'colour');
  expect([wrong.status, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('model, tool, author, path, session, week'),
  ]);
});

test('a bare repository, and one without any note', async () => {
  await scene();
  await shop.work();
  const bare = `${shop.dir}-bare`;
  shop.git('clone', '-q', '--bare', shop.dir, bare);
  const there = shop.in(bare);
  const one = await there.agent('report', '--format', 'json');
  expect(JSON.parse(one.stdout).counts.unknown).toBe(6);
  there.git('fetch', '-q', shop.dir, 'refs/notes/agent/*:refs/notes/agent/*');
  const two = await there.agent('report', '--standing', '--format', 'json');
  expect(JSON.parse(two.stdout).counts.ai).toBe(3);
  fs.rmSync(bare, { recursive: true, force: true });
});

describe.each(gits())('attributes with git $name', (git) => {
  const PATH = `${path.dirname(git.path)}${path.delimiter}${process.env.PATH}`;
  const ask = (revision: string, files: readonly string[]) => {
    const place = { cwd: shop.dir, ...(git.path.includes('/') && { env: { PATH } }) };
    const question = { name: 'linguist-generated', revision, paths: Promise.resolve(files) };
    const looking = withObjects(place, (reader) => readAttribute(place, { ...question, reader }));
    return Promise.all([readAttribute(place, question), looking]);
  };
  const alike = (said: Readonly<Record<string, string>>) => [1, 2].map(() => new Map(Object.entries(said)));

  test('those of the commit count, not those of the work tree', async () => {
    await scene();
    const revision = shop.git('rev-parse', 'HEAD');
    shop.human('.gitattributes', '');
    expect(await ask(revision, ['gen/api.ts', 'app.ts'])).toEqual(alike({ 'gen/api.ts': 'set' }));
  });

  test('those in folders, and those outside the commit, also for who looks first whether there are any', async () => {
    shop = await openWorkshop();
    const first = shop.human('a/b/c.ts', 'c\n').human('d/é/e.ts', 'e\n').commit();
    const second = shop.human('a/b/.gitattributes', '*.ts linguist-generated\n').commit();
    const files = ['a/b/c.ts', 'd/é/e.ts', 'gone/by/now.ts', 'top.ts'];
    expect(await ask(first, files)).toEqual(alike({}));
    expect(await ask(second, files)).toEqual(alike({ 'a/b/c.ts': 'set' }));
    expect(await ask(second, files.slice(1))).toEqual(alike({}));
    expect(await ask(second, ['"d/\\377/f.ts"', ...files])).toEqual(alike({ 'a/b/c.ts': 'set' }));
    expect(await ask(second, [])).toEqual(alike({}));
    fs.mkdirSync(path.join(shop.dir, '.git/info'), { recursive: true });
    fs.writeFileSync(path.join(shop.dir, '.git/info/attributes'), 'e.ts linguist-generated=false\n');
    expect(await ask(first, files)).toEqual(alike({ 'd/é/e.ts': 'false' }));
    expect(await ask(second, files)).toEqual(alike({ 'a/b/c.ts': 'set', 'd/é/e.ts': 'false' }));
  });
});

test('people are called as .mailmap has it, as by blame', async () => {
  shop = await openWorkshop({ agents: false });
  shop.human('a.ts', 'one\ntwo\n').commit();
  shop.human('.mailmap', 'Real Ada <real@example.org> <ada@example.com>\n').commit();
  for (const args of [[], ['--standing']]) {
    const { by } = await json(...args);
    expect(by.author.map(({ key }: { key: string }) => key)).toEqual(['Real Ada <real@example.org>']);
  }
});

test('a ref that replaces a commit changes nothing of what was added, as with check', async () => {
  shop = await openWorkshop({ agents: false });
  const id = shop.human('a.ts', 'one\ntwo\n').commit();
  shop.human('b.ts', 'three\n').commit();
  shop.git('replace', id, shop.git('rev-parse', 'HEAD'));
  expect((await json(id)).counts.total).toBe(2);
});

test('in whatever encoding the person reads the log, names are what they are', async () => {
  shop = await openWorkshop({ agents: false });
  shop.git('config', 'i18n.logOutputEncoding', 'ISO-8859-1');
  shop.human('a.ts', 'one\n').git('add', '-A');
  shop.gitWith({ GIT_AUTHOR_NAME: 'J\u00fcrgen' }, 'commit', '-q', '-m', '\u00fcber');
  const { stdout } = await shop.agent('log', '--json');
  expect(stdout).toContain('J\u00fcrgen');
  expect(stdout).toContain('\u00fcber');
  expect((await shop.json('a.ts')).lines[0]).toMatchObject({ author: 'J\u00fcrgen' });
});

test('what stands is asked of one revision', async () => {
  shop = await openWorkshop({ agents: false });
  shop.human('a.ts', 'one\n').commit();
  const { status, stderr } = await report('--standing', 'HEAD..HEAD');
  expect([status, stderr]).toEqual([2, 'git agent: --standing takes one revision, and HEAD..HEAD is a range.\n']);
});
