import fs from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { openRepository } from '../../src/web/repository.ts';
import { encodePath } from '../../src/web/tree.ts';
import { walkLines } from '../../src/web/walk.ts';
import { makeRepository, openRepository as openFolder, type TestRepository } from '../support/repository.ts';

const made: TestRepository[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.remove();
});

function repository(): TestRepository {
  const one = makeRepository();
  made.push(one);
  return one;
}

/** Commit, name of the file there and line, for each line: by git, and by us. */
function gitsWord({ gitBytes }: TestRepository, file: string): string[] {
  const out = gitBytes(['blame', '--line-porcelain', 'HEAD', '--', file]).toString('latin1');
  const words: string[] = [];
  let [head, name] = ['', ''];
  for (const line of out.split('\n')) {
    if (/^[0-9a-f]{40} /.test(line)) head = line.split(' ').slice(0, 2).join(' ');
    else if (line.startsWith('filename ')) name = line.slice('filename '.length);
    else if (line.startsWith('\t')) words.push(`${head} ${name}`);
  }
  return words;
}

async function ourWord({ dir }: TestRepository, file: string): Promise<string[]> {
  const objects = openRepository({ fs, dir });
  const births = await walkLines(objects, await objects.resolve('HEAD'), encodePath(file));
  return births.map(({ commit, line, path }) => `${commit.id} ${line} ${path}`);
}

async function expectSame(repo: TestRepository, file: string): Promise<void> {
  const said = await ourWord(repo, file);
  expect(said.length).toBeGreaterThan(0);
  expect(said).toEqual(gitsWord(repo, file));
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line number ${from + i}\n`).join('');

describe('each line goes to the commit that git blames', () => {
  it('in a straight history', async () => {
    const repo = repository();
    repo.write('a.txt', numbered(1, 10));
    repo.commit();
    repo.write('a.txt', numbered(1, 4) + numbered(20, 24) + numbered(5, 10));
    repo.commit();
    repo.write('b/c.txt', 'other\n');
    repo.commit();
    repo.write('a.txt', numbered(3, 4) + numbered(20, 24) + numbered(6, 12));
    repo.commit();
    await expectSame(repo, 'a.txt');
  });

  it('through a merge with a conflict, and by way of both parents', async () => {
    const repo = repository();
    repo.write('a.txt', numbered(1, 20));
    repo.commit();
    repo.git('checkout', '-q', '-b', 'side');
    repo.write('a.txt', `side top\n${numbered(1, 9)}side middle\n${numbered(11, 20)}`);
    repo.commit();
    repo.git('checkout', '-q', 'main');
    repo.write('a.txt', `${numbered(1, 9)}main middle\n${numbered(11, 20)}main end\n`);
    repo.commit();
    expect(() => repo.git('merge', '-q', 'side')).toThrow();
    repo.write('a.txt', `side top\n${numbered(1, 9)}main middle\nmerged\nside middle\n${numbered(11, 20)}main end\n`);
    repo.commit('merge');
    await expectSame(repo, 'a.txt');
    expect(new Set((await ourWord(repo, 'a.txt')).map((word) => word.slice(0, 40))).size).toBe(4);
  });

  it('through a merge of three', async () => {
    const repo = repository();
    repo.write('a.txt', numbered(1, 30));
    repo.commit();
    for (const [i, name] of ['x', 'y'].entries()) {
      repo.git('checkout', '-q', '-b', name, 'main');
      repo.write('a.txt', numbered(1, 30).replace(`line number ${10 * (i + 1)}\n`, `by ${name}\n`));
      repo.commit();
    }
    repo.git('checkout', '-q', 'main');
    repo.git('merge', '-q', '-m', 'octopus', 'x', 'y');
    await expectSame(repo, 'a.txt');
  });

  it('under its old name, exactly and with changes, in another folder, in a packed repository', async () => {
    const repo = repository();
    repo.write('old/a.txt', numbered(1, 20));
    repo.write('old/z.txt', numbered(40, 60));
    repo.commit();
    repo.git('mv', 'old/a.txt', 'b.txt');
    repo.commit();
    fs.mkdirSync(`${repo.dir}/new`);
    repo.git('mv', 'b.txt', 'new/c.txt');
    repo.git('mv', 'old/z.txt', 'new/z.txt');
    repo.write('new/c.txt', `${numbered(1, 15)}changed\n${numbered(17, 25)}`);
    repo.commit();
    repo.git('gc', '-q');
    await expectSame(repo, 'new/c.txt');
    await expectSame(repo, 'new/z.txt');
  });

  it('not under the name of a file too little like it', async () => {
    const repo = repository();
    repo.write('a.txt', numbered(1, 10));
    repo.commit();
    repo.git('rm', '-q', 'a.txt');
    repo.write('b.txt', numbered(7, 40));
    repo.commit();
    await expectSame(repo, 'b.txt');
  });

  it('where line endings change, the last line has none, bytes are not UTF-8, and names are not ASCII', async () => {
    const repo = repository();
    repo.write('é \\x.txt', Buffer.from('one\r\ntwo\nthr\xffee\nfour', 'latin1'));
    repo.commit();
    repo.write('é \\x.txt', Buffer.from('one\ntwo\nthr\xffee\nfour\nfive', 'latin1'));
    repo.commit();
    const words = await ourWord(repo, 'é \\x.txt');
    expect(words.map((word) => word.slice(0, 42))).toEqual(
      gitsWord(repo, 'é \\x.txt').map((word) => word.slice(0, 42)),
    );
  });

  it('as far as a shallow clone goes', async () => {
    const repo = repository();
    for (let i = 1; i <= 4; i++) {
      repo.write('a.txt', numbered(1, 5 * i));
      repo.commit();
    }
    const shallow = openFolder(`${repo.dir}/shallow`);
    repo.git('clone', '-q', '--depth=2', `file://${repo.dir}`, shallow.dir);
    await expectSame(shallow, 'a.txt');
  });

  it('a folder, a link and a missing file have no lines', async () => {
    const repo = repository();
    repo.write('d/a.txt', 'a\n');
    fs.symlinkSync('d', `${repo.dir}/link`);
    repo.commit();
    for (const file of ['d', 'link', 'nothing', '']) await expect(ourWord(repo, file)).rejects.toThrow('no such path');
  });
});

/** A step of a random history: which lines change, whether the file gets another name, and whether a branch is merged. */
const step = fc.record({
  at: fc.nat({ max: 30 }),
  remove: fc.nat({ max: 3 }),
  add: fc.nat({ max: 3 }),
  rename: fc.boolean(),
  branch: fc.constantFrom('main', 'main', 'side', 'merge'),
});

describe('random histories', () => {
  it('with merges and renames give what git gives, where no line is written twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const repo = makeRepository();
        try {
          await expectSame(repo, tell(repo, steps));
        } finally {
          repo.remove();
        }
      }),
      { numRuns: 8 },
    );
  });
});

/** Plays the steps, gives the name that the file has at last. Every line that is added is one of its own. */
function tell(repo: TestRepository, steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): string {
  let count = 0;
  const fresh = (many: number) => Array.from({ length: many }, () => `line ${++count} of them all`);
  repo.write('f0', `${fresh(30).join('\n')}\n`);
  repo.commit();
  repo.git('branch', 'side');
  for (const [i, { at, remove, add, rename, branch }] of steps.entries()) {
    if (branch === 'merge') {
      repo.git('checkout', '-q', '-f', 'main');
      try {
        repo.git('merge', '-q', '-m', 'merge', 'side');
      } catch {
        // conflicts: whatever git left is committed, its marks too
        repo.git('add', '-A');
        repo.git('commit', '-q', '--allow-empty', '-m', 'merge');
      }
      repo.git('branch', '-f', 'side');
      continue;
    }
    repo.git('checkout', '-q', '-f', branch);
    const name = repo.git('ls-files').split('\n')[0] ?? '';
    const lines = repo.read(name).trimEnd().split('\n');
    lines.splice(at, remove, ...fresh(add));
    repo.write(name, `${lines.join('\n')}\n`);
    if (rename) repo.git('mv', name, `g${i}`);
    repo.commit();
  }
  repo.git('checkout', '-q', '-f', 'main');
  return repo.git('ls-files').split('\n')[0] ?? '';
}
