import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { lineHash } from '../../src/lines/hash.ts';
import { parseManifest, printManifest } from '../../src/notes/index/manifest.ts';
import { makeProgram } from '../git/program.ts';
import { removeFolder } from '../support/remove.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { answers, appendMany, cacheOf, initialised, open } from './index-notes.ts';

let repository: TestRepository;
beforeEach(async () => {
  repository = initialised(makeRepository());
  await appendMany(repository, 0, 300);
  await open(repository);
  await appendMany(repository, 300, 303);
  await open(repository);
});
afterEach(() => repository.remove());

const files = () => fs.readdirSync(cacheOf(repository)).map((name) => path.join(cacheOf(repository), name));
const named = () => {
  const { segments = [] } =
    parseManifest(fs.readFileSync(path.join(cacheOf(repository), 'manifest.json'), 'utf8')) ?? {};
  return ['manifest.json', ...segments.map(({ file }) => file)].map((name) => path.join(cacheOf(repository), name));
};
const complete = async () => answers(await open(repository), 303).lines.filter((one) => one).length;

test('any file may be deleted', async () => {
  expect(named().length).toBe(3);
  for (let i = 0; i < 3; i++) {
    fs.rmSync(named()[i] ?? '');
    expect(await complete(), `file ${i}`).toBe(304);
    await appendMany(repository, 303 + i, 304 + i);
    await open(repository);
  }
});

/** Breaks one file in many ways, each time from the same whole state. */
async function breakEach(file: number, ways: readonly ((bytes: Buffer) => Buffer)[]): Promise<void> {
  const whole = named().map((name): [string, Buffer] => [name, fs.readFileSync(name)]);
  const [name, bytes] = whole[file] ?? ['', Buffer.alloc(0)];
  for (const [i, way] of ways.entries()) {
    for (const [one, before] of whole) fs.writeFileSync(one, before);
    const broken = way(Buffer.from(bytes));
    expect(broken.equals(bytes)).toBe(false);
    fs.writeFileSync(name, broken);
    expect(await complete(), `file ${file}, way ${i}`).toBe(304);
  }
}

test.each([0, 1, 2])('file %i may be cut off, at any length', async (file) => {
  const lengths = [0, 1, 7, 8, 35, 36, 100, 250, -33, -32, -2, -1];
  await breakEach(
    file,
    lengths.map((length) => (bytes) => bytes.subarray(0, length)),
  );
});

test('any file may hold anything', async () => {
  for (const garbage of ['', 'x', '{}', '[]', 'null', '{"version":1}', '\0'.repeat(5000)]) {
    for (const i of [0, 1]) {
      fs.writeFileSync(named()[i] ?? '', garbage);
      expect(await complete(), `${garbage.slice(0, 10)} in ${i}`).toBe(304);
    }
  }
});

test.each([1, 2])('bytes altered in file %i are noticed when it is opened', async (file) => {
  await breakEach(
    file,
    [0, 0.01, 0.1, 0.5, 0.9, 0.99].map((share) => (bytes) => {
      const at = Math.floor(share * bytes.length);
      return bytes.fill((bytes[at] ?? 0) ^ 0xa5, at, at + 1);
    }),
  );
});

test('bytes altered under an unchanged time are noticed when they are read, and mended the next time', async () => {
  const file = named()[1] ?? '';
  const { atime, mtime, mtimeMs } = fs.statSync(file);
  fs.utimesSync(file, atime, new Date(Math.floor(mtimeMs / 1000) * 1000));
  const manifest = fs.readFileSync(named()[0] ?? '', 'utf8');
  const whole = fs.statSync(file).mtimeMs;
  fs.writeFileSync(named()[0] ?? '', manifest.replace(`${mtimeMs}`, `${whole}`));
  const bytes = fs.readFileSync(file);
  bytes.fill(0, 200, 300);
  fs.writeFileSync(file, bytes);
  fs.utimesSync(file, atime, new Date(whole));
  expect(mtime.getTime()).toBeGreaterThanOrEqual(whole);
  expect(await complete()).toBeLessThan(304);
  expect(await complete()).toBe(304);
});

test('a file that was only touched is good', async () => {
  const stats = (await open(repository)).stats;
  for (const file of files()) fs.utimesSync(file, new Date(), new Date(1_000_000));
  expect((await open(repository)).stats).toEqual(stats);
});

test('what a crash or an earlier merge left behind is swept away, once nobody can be reading it', async () => {
  const [young, old] = ['young.draft', 'old.draft'].map((name) => path.join(cacheOf(repository), name));
  fs.writeFileSync(young ?? '', 'x');
  fs.writeFileSync(old ?? '', 'x');
  fs.utimesSync(old ?? '', new Date(), new Date(Date.now() - 3_600_000));
  await appendMany(repository, 303, 304);
  await open(repository);
  expect([fs.existsSync(young ?? ''), fs.existsSync(old ?? '')]).toEqual([true, false]);
});

test('a reader that opened before others merged still finds everything', async () => {
  const index = await open(repository);
  for (let n = 303; n < 306; n++) {
    await appendMany(repository, n, n + 1);
    await open(repository);
  }
  expect(answers(index, 303).lines.filter((one) => one)).toHaveLength(304);
});

test('law: a manifest is read as it was printed, and nothing else is taken for one', () => {
  const manifest = {
    idBytes: 20,
    refs: new Map([['refs/notes/agent/trace', 'a'.repeat(40)]]),
    segments: [{ file: '0-f.segment', size: 1, modified: 2.5, notes: 3, since: 4 }],
  };
  expect(parseManifest(printManifest(manifest))).toEqual(manifest);
  expect(parseManifest(printManifest({ ...manifest, lackedAt: 1.5 }))).toEqual({ ...manifest, lackedAt: 1.5 });
  const segment = { ...manifest.segments[0], file: '../../config' } as (typeof manifest.segments)[0];
  expect(parseManifest(printManifest({ ...manifest, segments: [segment] }))).toBeUndefined();
  expect(parseManifest(printManifest({ ...manifest, refs: new Map([['x', '--help']]) }))).toBeUndefined();
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseManifest(text)).toBeUndefined();
    }),
  );
});

const program = makeProgram(`
import { findRepository } from 'src/git/repository.ts';
import { lineHash } from 'src/lines/hash.ts';
import { openIndex } from 'src/notes/index/index.ts';
const [, , dir, times] = process.argv;
const repository = await findRepository(dir);
for (let n = 0; n < Number(times); n++) {
  const index = await openIndex(repository, ['refs/notes/agent/trace']);
  const hashes = Array.from({ length: 303 }, (_, i) => lineHash('line ' + i));
  const found = index.findLines(hashes).size;
  if (found !== 303) throw new Error(found + ' found, round ' + n);
}
`);
afterAll(() => program.remove());

test('several at once, while notes are added and files vanish: each finds everything', async () => {
  removeFolder(cacheOf(repository));
  const readers = [1, 2, 3].map(() => program.run(repository.dir, '25'));
  let over = false;
  const end = Promise.all(readers).finally(() => {
    over = true;
  });
  end.catch(() => {});
  for (let n = 303; !over && n < 340; n++) {
    await appendMany(repository, n, n + 1);
    if (n % 10 === 0) fs.rmSync(path.join(cacheOf(repository), 'manifest.json'), { force: true });
  }
  await end;
  expect((await open(repository)).findLines([lineHash('line 303')]).size).toBe(1);
  expect((await open(repository)).stats.segments).toBeLessThanOrEqual(8);
});
