import fs from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { blame as blameCommand } from '../../src/commands/blame.ts';
import { blame, readTraces } from '../../src/web/index.ts';
import { inWorld, Sandbox } from '../cli/program.ts';
import { makeFolder, openRepository } from '../support/repository.ts';
import { type BlameJson, openWorkshop, type Workshop } from '../support/workshop.ts';

const made: { remove(): void }[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.remove();
});

async function workshop(): Promise<Workshop> {
  const shop = await openWorkshop();
  made.push(shop);
  return shop;
}

function sandbox(...args: string[]): Sandbox {
  const box = new Sandbox(args);
  made.push(box);
  return box;
}

const lines = (word: string, count: number) =>
  Array.from({ length: count }, (_, i) => `const ${word}${i} = compute('${word}', ${i});\n`).join('');

function removeObject(box: Sandbox, name: string): void {
  const id = box.git('rev-parse', name);
  fs.rmSync(`${box.dir}/.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
}

/** What the program says of the file in a clone, where only the notes tell, and what the reader without git says there. */
async function both(from: Pick<Workshop, 'git'>, file: string, anchor = false) {
  const clone = openRepository(makeFolder('clone'));
  made.push(clone);
  from.git('clone', '-q', '--mirror', '.', clone.dir);
  const { stdout, stderr } = await inWorld(blameCommand, clone.dir, ['--json', 'HEAD', '--', file]);
  expect(stderr).toBe('');
  const said: BlameJson = JSON.parse(stdout);
  return { said, read: await blame({ fs, gitdir: clone.dir, file, anchor }) };
}

describe('blame without git', () => {
  it('says what git agent-blame --json says, of agents and people, over a rename and a merge', async () => {
    const shop = await workshop();
    shop.ai('a.ts', lines('first', 6));
    shop.human('b.ts', lines('person', 3));
    shop.commit();
    shop.git('checkout', '-q', '-b', 'side');
    shop.ai('a.ts', lines('first', 6) + lines('side', 3), 's2');
    shop.commit();
    shop.git('checkout', '-q', 'main');
    shop.git('mv', 'a.ts', 'c.ts');
    shop.human('c.ts', lines('top', 2) + lines('first', 6));
    shop.commit();
    shop.git('merge', '-q', '-m', 'merge', 'side');
    await shop.work();
    const { said, read } = await both(shop, 'c.ts');
    expect(read.lines).toEqual(said.lines);
    expect(read.summary).toEqual(said.summary);
    expect(new Set(read.lines.map(({ session }) => session))).toEqual(new Set([null, 's1', 's2']));
    expect(read.lines.map(({ originalFile }) => originalFile)).toContain('a.ts');
  });

  it('finds the lines of commits that were squashed where nobody saw it, only when asked', async () => {
    const shop = await workshop();
    shop.human('README', 'a project\n');
    const base = shop.commit('base');
    shop.ai('a.ts', lines('one', 5));
    shop.commit();
    shop.ai('a.ts', lines('one', 5) + lines('two', 5), 's2');
    shop.ai('b.ts', lines('other', 4), 's2');
    shop.commit();
    await shop.work();
    const squashed = shop.git('commit-tree', '-p', base, '-m', 'squashed', 'HEAD^{tree}');
    shop.git('update-ref', 'refs/heads/main', squashed);
    const { said, read } = await both(shop, 'a.ts', true);
    expect(read.lines).toEqual(said.lines);
    expect(read.lines.map(({ via }) => via)).toEqual(Array(10).fill('content'));
    expect(read.summary.ai).toBe(10);
    const plain = await blame({ fs, dir: shop.dir, file: 'a.ts' });
    expect(plain.lines.map(({ type, reason }) => `${type}: ${reason}`)).toEqual(Array(10).fill('unknown: no record'));
  });

  it.each([
    '"quoted".ts',
    '"',
    'a"b.ts',
    '"dir"/a.ts',
    'tab\tand\nline.ts',
    '"\t\\t.ts',
    'back\\slash.ts',
    'z\u00fcrich \u65e5\u672c.ts',
  ])('says it of a file that is called %j, by its record and by content', async (name) => {
    const shop = await workshop();
    shop.human('README', 'a project\n');
    const base = shop.commit('base');
    shop.ai(name, lines('one', 4));
    shop.commit();
    await shop.work();
    const noted = await both(shop, name);
    expect(noted.said.summary).toMatchObject({ total: 4, ai: 4 });
    expect(noted.read).toMatchObject(noted.said);
    shop.git('update-ref', 'refs/heads/main', shop.git('commit-tree', '-p', base, '-m', 'other', 'HEAD^{tree}'));
    const anchored = await both(shop, name, true);
    expect(anchored.said.lines.map(({ via }) => via)).toEqual(Array(4).fill('patch-id'));
    expect(anchored.read).toMatchObject(anchored.said);
  });

  it('says it of a file whose name is no text, asked for as git prints it', async () => {
    const shop = await workshop();
    fs.writeFileSync(Buffer.from(`${shop.dir}/caf\xe9.ts`, 'latin1'), lines('person', 3));
    shop.commit();
    await shop.work();
    const { said, read } = await both(shop, '"caf\\351.ts"');
    expect(said.summary).toMatchObject({ total: 3, human: 3 });
    expect(read).toMatchObject(said);
  });

  it('knows a commit again by its patch, and by what cherry-pick -x says', async () => {
    const shop = await workshop();
    shop.human('README', 'a project\n');
    const base = shop.commit('base');
    shop.ai('a.ts', lines('one', 5));
    const picked = shop.commit();
    await shop.work();
    shop.git('checkout', '-q', '-b', 'other', base);
    shop.human('c.ts', lines('unrelated', 3));
    const other = shop.commit('other');
    const tree = shop.git('merge-tree', '--write-tree', other, picked).split('\n')[0] ?? '';
    for (const [message, via] of [
      ['again', 'patch-id'],
      [`again\n\n(cherry picked from commit ${picked})`, 'rewrite'],
    ]) {
      shop.git('update-ref', 'HEAD', shop.git('commit-tree', '-p', other, '-m', message ?? '', tree));
      const { said, read } = await both(shop, 'a.ts', true);
      expect(read.lines).toEqual(said.lines);
      expect(new Set(read.lines.map((line) => line.via))).toEqual(new Set([via]));
    }
  });

  it('knows a commit again by its change id, and carries its lines over a change', async () => {
    const shop = await workshop();
    shop.human('README', 'a project\n');
    const base = shop.commit('base');
    const change = (text: string, parent: string) => {
      shop.ai('a.ts', text);
      shop.git('add', '-A');
      const person = 'Ada <ada@example.com> 1798761600 +0000';
      const headers = `tree ${shop.git('write-tree')}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\nchange-id kkmpptxz\n`;
      const bytes = openRepository(shop.dir).gitBytes(
        ['hash-object', '-t', 'commit', '-w', '--stdin'],
        `${headers}\nx\n`,
      );
      shop.git('update-ref', 'HEAD', bytes.toString().trim());
      return bytes.toString().trim();
    };
    change(lines('one', 5), base);
    const { status } = await shop.agent('join', 'HEAD');
    expect(status).toBe(0);
    expect(shop.notes()).not.toHaveLength(0);
    change(`${lines('one', 5)}// by hand\n`, base);
    const { said, read } = await both(shop, 'a.ts', true);
    expect(read.lines).toEqual(said.lines);
    expect(read.lines.map(({ via }) => via)).toEqual([...Array(5).fill('change-id'), null]);
  });

  it('of a commit by name, tag or beginning of its id; a wrong name is told', async () => {
    const box = sandbox();
    const first = box.write('a.txt', 'one\n').commit();
    box.note(first, 'a.txt', [1, 1]);
    box.git('tag', '-a', '-m', 'tag', 'v1');
    box.git('tag', '-a', '-m', 'tag of a tag', 'v2', 'v1');
    const second = box.write('a.txt', 'one\ntwo\n').commit();
    for (const [ref, revision] of [
      ['v1', first],
      ['v2', first],
      [first.slice(0, 10), first],
      [first, first],
      ['main', second],
      ['HEAD', second],
    ])
      expect(await blame({ fs, dir: box.dir, file: 'a.txt', ...(ref && { ref }) })).toMatchObject({ revision });
    const at = { fs, dir: box.dir };
    await expect(blame({ ...at, file: 'a.txt', ref: 'nothing' })).rejects.toMatchObject({ code: 'usage' });
    await expect(blame({ ...at, file: 'b.txt' })).rejects.toMatchObject({ code: 'usage', message: /no such path/ });
    await expect(blame({ fs, file: 'a.txt' })).rejects.toMatchObject({ code: 'usage' });
  });

  it('of a bare repository, and with no notes at all', async () => {
    const box = sandbox();
    box.write('a.txt', 'one\ntwo\n').commit();
    box.git('clone', '-q', '--bare', '.', 'bare.git');
    const told = await blame({ fs, gitdir: `${box.dir}/bare.git`, file: 'a.txt', anchor: true });
    expect(told.summary).toEqual({ total: 2, ai: 0, human: 0, mixed: 0, unknown: 2 });
    expect((await readTraces({ fs, gitdir: `${box.dir}/bare.git` })).records.size).toBe(0);
  });

  it('where nothing can be read, that is said: no repository is not one without records', async () => {
    const box = sandbox();
    box.git('init', '-q', 'empty');
    expect((await readTraces({ fs, dir: `${box.dir}/empty` })).records.size).toBe(0);
    box.git('init', '-q', '--object-format=sha256', 'other');
    for (const [place, message] of [
      [{ dir: `${box.dir}/nowhere` }, /no repository/],
      [{ gitdir: `${box.dir}/other/.git` }, /sha256/],
    ] as const) {
      await expect(readTraces({ fs, ...place })).rejects.toMatchObject({ code: 'surroundings', message });
      await expect(blame({ fs, ...place, file: 'a' })).rejects.toMatchObject({ code: 'surroundings', message });
    }
  });

  it('authors in other encodings, zones and odd names are as git tells them', async () => {
    const box = sandbox();
    const tree = box.git('rev-parse', `${box.write('a.txt', 'one\n').commit()}^{tree}`);
    const person = 'Zo\xeb  <z>> 1767355200 -0330';
    const headers = `tree ${tree}\nauthor ${person}\ncommitter ${person}\nencoding ISO-8859-1\n\nM\xe9\n`;
    const repository = openRepository(box.dir);
    const id = repository.gitBytes(
      ['hash-object', '-t', 'commit', '--literally', '-w', '--stdin'],
      Buffer.from(headers, 'latin1'),
    );
    box.git('update-ref', 'refs/heads/main', id.toString().trim());
    const { said, read } = await both(box, 'a.txt');
    expect(read.lines).toEqual(said.lines);
    expect(read.lines[0]).toMatchObject({ author: 'Zo\u00eb', authorTime: '2026-01-02T08:30:00-03:30' });
  });

  it('takes a file system with callbacks', async () => {
    const box = sandbox();
    box.note(box.write('a.txt', 'one\n').commit(), 'a.txt', [1, 1]);
    const names = [
      'readFile',
      'writeFile',
      'mkdir',
      'rmdir',
      'unlink',
      'stat',
      'lstat',
      'readdir',
      'readlink',
      'symlink',
    ] as const;
    const callbacks = Object.fromEntries(names.map((name) => [name, fs[name]])) as unknown as Pick<
      typeof fs,
      'readFile'
    >;
    expect((await blame({ fs: callbacks, dir: box.dir, file: 'a.txt' })).summary.ai).toBe(1);
  });

  it.each<[string, (box: Sandbox, ref: string) => void]>([
    ['leads to a file', (box, ref) => box.git('update-ref', ref, 'HEAD:a.txt')],
    ['leads to nothing', (box, ref) => fs.writeFileSync(`${box.dir}/.git/${ref}`, `${'12'.repeat(20)}\n`)],
    ['holds junk', (box, ref) => fs.writeFileSync(`${box.dir}/.git/${ref}`, 'junk\n')],
    ['is empty', (box, ref) => fs.writeFileSync(`${box.dir}/.git/${ref}`, '')],
    ['leads to a commit without its tree', (box, ref) => removeObject(box, `${ref}^{tree}`)],
  ])('names a ref of notes that %s', async (_, damage) => {
    const box = sandbox();
    const ref = 'refs/notes/agent/trace';
    box.note(box.write('a.txt', 'one\n').commit(), 'a.txt', [1, 1]);
    damage(box, ref);
    const place = { fs, dir: box.dir };
    expect(await blame({ ...place, file: 'a.txt', anchor: true })).toMatchObject({
      unread: [ref],
      summary: { unknown: 1 },
    });
    expect((await readTraces(place)).unread).toEqual([ref]);
  });

  it.each([
    ['garbage', ['add', '-f', '-m', 'not json {{{'], { unknown: 1 }],
    ['garbage beside a record', ['append', '-m', 'reviewed'], { ai: 1 }],
  ])('counts a note with %s', async (_, words, summary) => {
    const box = sandbox();
    const commit = box.write('a.txt', 'one\n').commit();
    box.note(commit, 'a.txt', [1, 1]);
    box.git('notes', '--ref=agent/trace', ...words, commit);
    const place = { fs, dir: box.dir };
    expect(await blame({ ...place, file: 'a.txt' })).toMatchObject({ skipped: 1, unread: [], summary });
    expect(await readTraces(place)).toMatchObject({ skipped: 1 });
  });

  it('skips and counts notes that are not here', async () => {
    const box = sandbox();
    const commit = box.write('a.txt', 'one\n').commit();
    box.note(commit, 'a.txt', [1, 1]);
    const blob = box.git('rev-parse', `refs/notes/agent/trace:${commit}`);
    removeObject(box, blob);
    const told = await blame({ fs, dir: box.dir, file: 'a.txt' });
    expect(told).toMatchObject({ skipped: 1, unread: [], summary: { unknown: 1 } });
  });
});
