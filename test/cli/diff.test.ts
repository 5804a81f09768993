import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { inWorld } from './program.ts';

const shops: Workshop[] = [];
afterEach(() => {
  for (const shop of shops.splice(0)) shop.remove();
});

/** A person's file; an agent's lines in it and an agent's file; then both have gone on and nothing of that is committed. */
async function story() {
  const shop = await openWorkshop();
  shops.push(shop);
  const base = shop.human('a.ts', 'let one = 1;\nlet two = 2;\nlet three = 3;\n').commit('base');
  shop.ai('a.ts', 'let one = 1;\nlet two = 22;\nlet three = 3;\nlet four = 4;\n');
  shop.ai('b.ts', 'const agent = true;\nconst lines = 2;\n', 's2');
  const second = shop.commit('second');
  shop.human('a.ts', 'let zero = 0;\nlet one = 1;\nlet two = 22;\nlet three = 3;\nlet four = 4;\n');
  const third = shop.commit('third');
  shop.ai('b.ts', 'const agent = true;\nconst lines = 2;\nconst more = 3;\n', 's2');
  shop.human('b.ts', 'const typed = 0;\nconst agent = true;\nconst lines = 2;\nconst more = 3;\n');
  return { shop, base, second, third };
}

interface Added {
  readonly line: number;
  readonly type: string;
  readonly [field: string]: unknown;
}
interface DiffJson {
  readonly revision: string | null;
  readonly staged: boolean;
  readonly files: readonly { readonly file: string; readonly added: readonly Added[] }[];
  readonly summary: Readonly<Record<string, number>>;
}

async function json(shop: Workshop, ...args: string[]): Promise<DiffJson> {
  const { status, stdout, stderr } = await shop.agent('diff', '--json', ...args);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const letters = ({ files }: DiffJson) =>
  Object.fromEntries(
    files.map(({ file, added }) => [file, added.map(({ line, type }) => `${line}${type[0]}`).join(' ')]),
  );

const FIELDS = 'text commit type evidence via reason model tool session event conversation trace'.split(' ');
const picked = (line: object) => Object.fromEntries(FIELDS.map((name) => [name, Reflect.get(line, name)]));

/** The law: an added line has the origin that blame gives it on the new side, in every field. */
async function agrees(shop: Workshop, words: readonly string[], revision: readonly string[]): Promise<number> {
  const { files } = await json(shop, ...words);
  const names = files.map(({ file }) => file);
  // several files are one document each
  const { stdout } = await shop.agent('blame', '--json', ...revision, '--', ...names);
  const documents = stdout.split('\n').filter(Boolean);
  let lines = 0;
  for (const [i, { file, added }] of files.entries()) {
    const blamed: object[] = JSON.parse(documents[i] ?? '').lines;
    for (const one of added) {
      const same = blamed[one.line - 1];
      expect([file, one.line, same && picked(same)]).toEqual([file, one.line, picked(one)]);
      lines++;
    }
  }
  return lines;
}

describe('git agent diff', () => {
  it('of what is staged, also where a name has a line end in it', async () => {
    const shop = await openWorkshop();
    shops.push(shop);
    shop.human('start.ts', 'start\n').commit('start');
    shop.ai('two\nlines.ts', 'const agent = 1;\n');
    shop.human('two\nmore.ts', 'typed = 1;\n');
    shop.git('add', '-A');
    const { files } = await json(shop, '--staged');
    expect(files.flatMap(({ added }) => added.map(({ type }) => type)).sort()).toEqual(['ai', 'human']);
  });

  it('of the work tree, of what is staged, of one commit against what is here', async () => {
    const { shop, base, third } = await story();
    expect(letters(await json(shop))).toEqual({ 'b.ts': '1h 4a' });
    expect(letters(await json(shop, third))).toEqual({ 'b.ts': '1h 4a' });
    expect(letters(await json(shop, base))).toEqual({ 'a.ts': '1h 3a 5a', 'b.ts': '1h 2a 3a 4a' });
    expect(await json(shop, '--staged')).toMatchObject({ revision: null, staged: true, files: [] });
    shop.git('add', 'b.ts');
    expect(letters(await json(shop))).toEqual({});
    expect(letters(await json(shop, '--cached'))).toEqual({ 'b.ts': '1h 4a' });
    // what was typed after it was staged is no part of it
    shop.human('b.ts', 'const agent = true;\n');
    expect(letters(await json(shop, '--staged'))).toEqual({ 'b.ts': '1h 4a' });
  });

  it('says of staged lines what the commit will say of them', async () => {
    const { shop } = await story();
    shop.ai('new.ts', 'export const fresh = 1;\n', 's3');
    shop.git('add', '-A');
    shop.human('new.ts', 'export const fresh = 1;\nlater\n');
    const staged = await json(shop, '--staged');
    expect(letters(staged)).toEqual({ 'b.ts': '1h 4a', 'new.ts': '1a' });
    shop.git('commit', '-q', '-m', 'staged');
    const who = (line: object) => ['type', 'session', 'event'].map((name) => Reflect.get(line, name));
    for (const { file, added } of staged.files) {
      const blamed = (await shop.json('HEAD', '--', file)).lines;
      expect(added.map(who)).toEqual(added.map(({ line }) => who(blamed[line - 1] ?? {})));
    }
  });

  it('agrees with blame in every field, of whatever is compared', async () => {
    const { shop, base, second, third } = await story();
    const cases: [string[], string[], number][] = [
      [['HEAD'], [], 2],
      [[base], [], 7],
      [[`${base}..HEAD`], ['HEAD'], 5],
      [[base, second], [second], 4],
      [[`${second}...${third}`], [third], 1],
      [[`${third}^!`], [third], 1],
    ];
    for (const [words, revision, lines] of cases) {
      expect([words, await agrees(shop, words, revision)]).toEqual([words, lines]);
    }
  });

  it('agrees with blame after the background work, and of rewritten commits', async () => {
    const { shop, base } = await story();
    await shop.work();
    expect(await agrees(shop, [base], [])).toBe(7);
    shop.git('mv', 'a.ts', 'moved.ts');
    shop.human('moved.ts', `${shop.read('moved.ts')}let five = 5;\n`);
    shop.commit('moved');
    shop.git('reset', '-q', '--soft', base);
    shop.git('commit', '-q', '-m', 'squashed');
    expect(await agrees(shop, [`${base}..HEAD`], ['HEAD'])).toBe(6 + 4);
    shop.git('commit', '-q', '--amend', '-m', 'amended');
    await shop.work();
    expect(await agrees(shop, [`${base}..HEAD`], ['HEAD'])).toBe(6 + 4);
  });

  it('agrees with blame of contents found again in the record of another commit', async () => {
    const { shop, base, third } = await story();
    shop.commit('fourth');
    await shop.work();
    // picked where no hook saw it
    shop.git('checkout', '-q', '-b', 'other', base);
    shop.git('-c', 'core.hooksPath=/dev/null', 'cherry-pick', `${base}..${third}`);
    expect(await agrees(shop, [`${base}..other`], ['other'])).toBe(5);
  });

  it('takes paths from the current folder, and revisions before them', async () => {
    const { shop } = await story();
    shop.ai('sub/c d.ts', 'export const c = 1;\n');
    shop.git('add', '-N', '.');
    const inside = shop.in(path.join(shop.dir, 'sub'));
    expect(letters(await json(inside, '--', 'c d.ts'))).toEqual({ 'sub/c d.ts': '1a' });
    expect(letters(await json(inside, 'HEAD', 'c d.ts'))).toEqual({ 'sub/c d.ts': '1a' });
    expect(letters(await json(inside, '--', '../b.ts'))).toEqual({ 'b.ts': '1h 4a' });
  });

  it('before the first commit, and where nothing was set up', async () => {
    const shop = await openWorkshop();
    const bare = await openWorkshop({ agents: false });
    shops.push(shop, bare);
    shop.ai('a.ts', 'let first = 1;\n');
    shop.git('add', '-A');
    expect(letters(await json(shop, '--staged'))).toEqual({ 'a.ts': '1a' });
    bare.human('a.ts', 'x\n').commit('one');
    bare.human('a.ts', 'x\ny\n');
    const { files } = await json(bare);
    expect(files[0]?.added).toMatchObject([{ type: 'unknown', reason: 'no record' }]);
  });

  it('odd contents and names: no escapes, nothing taken for structure, links and binaries', async () => {
    const shop = await openWorkshop();
    shops.push(shop);
    shop
      .human('a.ts', 'x\n')
      .human('bin', Buffer.from([0, 1, 2]))
      .commit('one');
    const hostile = 'x\n++ b/other.ts\n@@ -1 +1 @@\ndiff --git a/x b/x\n\x1b[2Jboo\u202e\r\nlast';
    shop.ai('a.ts', hostile);
    shop.ai('t\tab "q".ts', 'let odd = 1;\n');
    shop.human('bin', Buffer.from([0, 1, 3]));
    fs.symlinkSync('nowhere', path.join(shop.dir, 'link'));
    shop.git('add', '-A');
    const { stdout, status } = await shop.agent('diff', '--staged');
    expect(status).toBe(0);
    expect(stdout).toContain('A +++ b/other.ts\nA +@@ -1 +1 @@\nA +diff --git a/x b/x\nA +^[[2Jboo<U+202E>\nA +last\n');
    expect(stdout).toContain('\nBinary files a/bin and b/bin differ\n');
    expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\u202e]/);
    const said = letters(await json(shop, '--staged'));
    expect(said).toMatchObject({ 'a.ts': '2a 3a 4a 5a 6a', 't\tab "q".ts': '1a', link: expect.stringMatching(/^1/) });
  });
});

describe('git agent diff of one story', () => {
  let told: Awaited<ReturnType<typeof story>>;
  beforeAll(async () => {
    told = await story();
    shops.splice(shops.indexOf(told.shop), 1);
  });
  afterAll(() => told.shop.remove());

  it('marks added lines by who wrote them, and shows the rest as git does', async () => {
    const { shop, base, second } = told;
    const { stdout, status } = await shop.agent('diff', `${base}..${second}`, '--', 'a.ts');
    expect(status).toBe(0);
    const git = shop.git('diff', `${base}..${second}`, '--', 'a.ts').split('\n');
    expect(stdout).toBe(
      [
        ...git.slice(0, 5),
        '   let one = 1;',
        '  -let two = 2;',
        'A +let two = 22;',
        '   let three = 3;',
        'A +let four = 4;',
        '',
        '2 added lines: A ai 2 (100%), H human 0, M mixed 0, ? unknown 0',
        'claude-code claude-opus-4-5, session s1, 2 lines',
        '',
      ].join('\n'),
    );
  });

  it('refuses what git diff would refuse', async () => {
    const { shop, base } = told;
    shop.git('branch', 'a.ts');
    for (const [words, said] of [
      [['nothing'], 'nothing is neither a revision nor a file'],
      [['a.ts'], 'a.ts is a revision and a file'],
      [['b.ts', 'HEAD'], 'HEAD is a revision'],
      [[base, 'HEAD', 'HEAD'], 'Name one range'],
      [['--staged', `${base}..HEAD`], 'Name one range'],
      [['nope', '--', 'a.ts'], 'nope names no commit'],
      [['-U', 'x'], '-U needs a number'],
    ] as const) {
      const { status, stderr } = await shop.agent('diff', ...words);
      expect([words, status, stderr]).toEqual([words, 2, expect.stringContaining(said)]);
    }
    const bare = shop.in(path.join(shop.dir, '.git'));
    expect((await inWorld(agent, bare.dir, ['diff'])).stderr).toContain('There is no work tree here');
  });

  it('settings of git diff that would bend what is read do not', async () => {
    const { shop, base, second } = told;
    const plain = letters(await json(shop, `${base}..${second}`));
    const bent = ['diff.noprefix', 'diff.mnemonicPrefix', 'diff.suppressBlankEmpty', 'color.ui', 'diff.relative'];
    for (const name of bent) shop.git('config', name, name === 'color.ui' ? 'always' : 'true');
    shop.git('config', 'diff.algorithm', 'histogram');
    shop.git('config', 'diff.external', 'false');
    expect(letters(await json(shop, `${base}..${second}`))).toEqual(plain);
    // and colours are the person's own
    shop.git('config', 'color.diff.old', 'blue');
    const { stdout } = await shop.agent('diff', `${base}..${second}`, '--', 'a.ts');
    expect(stdout).toContain('\x1b[34m-let two = 2;\x1b[m\n');
    expect(stdout).toContain('\x1b[35mA +let two = 22;\x1b[0m\n');
  });
});

it('is painted, or not, as asked for', async () => {
  const { shop } = await story();
  const told = async (...words: string[]) => (await shop.agent('diff', ...words)).stdout;
  expect(await told('--color')).toContain('\u001b[');
  expect(await told('--color=always')).toBe(await told('--color'));
  for (const words of [[], ['--no-color'], ['--color=never'], ['--color=auto']])
    expect(await told(...words)).not.toContain('\u001b[');
  expect((await shop.agent('log', '--color')).stdout).toContain('\u001b[');
  expect((await shop.agent('log', '--color', 'HEAD')).stdout).toContain('\u001b[');
  expect(await shop.agent('log', '--color=red')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('always'),
  });
});
