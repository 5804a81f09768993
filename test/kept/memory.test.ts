import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeptCommit } from '../../src/kept/entry.ts';
import { openMemory } from '../../src/kept/memory.ts';
import fc from '../support/laws.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

const HEAD = 'ours 1';
const idOf = (n: number) => n.toString(16).padStart(40, '0');
const IDS = [1, 2, 3].map(idOf);

let folder: string;
let file: string;
beforeEach(() => {
  folder = makeFolder('kept');
  file = path.join(folder, 'cache', 'told');
});
afterEach(() => removeFolder(folder));

/** A commit that changes a file of this name. */
const entry = (id: string, name: string): KeptCommit => ({
  id,
  files: [{ path: name, newMode: '100644', binary: false, added: [{ start: 1, end: 2 }] }],
});
const open = (head = HEAD, ids: readonly string[] = IDS) => openMemory(file, head, new Set(ids));
/** The names of the files, of those that are remembered. */
const names = (head = HEAD, ids = IDS) => {
  const memory = open(head, ids);
  return ids.map((id) => memory.find(id)?.files[0]?.path);
};

test('what is kept is found by the next, and the last word counts', () => {
  expect(names()).toEqual([undefined, undefined, undefined]);
  const first = open();
  first.keep([entry(idOf(1), 'a'), entry(idOf(2), 'ü\n\u2028')]);
  first.keep([entry(idOf(3), 'c')]);
  expect(names()).toEqual(['a', 'ü\n\u2028', 'c']);
  open().keep([entry(idOf(2), 'b')]);
  expect(names()).toEqual(['a', 'b', 'c']);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
});

test('only what is asked for is looked at, also where ids are longer', () => {
  const long = ['b'.repeat(64)];
  open(HEAD, long).keep(long.map((id) => entry(id, 'x')));
  expect(names(HEAD, long)).toEqual(['x']);
  expect(open(HEAD, long).find(idOf(1))).toBeUndefined();
});

test('nothing is believed under another head, and whoever comes with one begins anew', () => {
  open().keep([entry(idOf(1), 'a')]);
  expect(names('ours 2')).toEqual([undefined, undefined, undefined]);
  expect(names('ours')).toEqual([undefined, undefined, undefined]);
  open('ours 2').keep([entry(idOf(2), 'b')]);
  expect(names('ours 2')).toEqual([undefined, 'b', undefined]);
  expect(names()).toEqual([undefined, undefined, undefined]);
});

test('who has looked at a file that is another one by now adds nothing to that', () => {
  open().keep([entry(idOf(1), 'a')]);
  const slow = open();
  open('ours 2').keep([entry(idOf(2), 'b')]);
  slow.keep([entry(idOf(3), 'c')]);
  expect(names('ours 2')).toEqual([undefined, undefined, undefined]);
  expect(names()).toEqual([undefined, undefined, 'c']);
});

test('whatever happens to the bytes, nothing but what was kept comes back', () => {
  open().keep([entry(idOf(1), 'a'), entry(idOf(2), 'b'), entry(idOf(3), 'c')]);
  const whole = fs.readFileSync(file);
  const damage = fc.oneof(
    fc.record({ at: fc.nat(whole.length - 1), bits: fc.integer({ min: 1, max: 255 }) }).map(({ at, bits }) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ bits;
      return bytes;
    }),
    fc.nat(whole.length).map((size) => whole.subarray(0, size)),
    fc.nat(whole.length).map((size) => Buffer.concat([whole.subarray(0, size), whole])),
    fc
      .tuple(fc.nat(whole.length), fc.uint8Array())
      .map(([at, more]) => Buffer.concat([whole.subarray(0, at), more, whole.subarray(at)])),
  );
  fc.assert(
    fc.property(damage, (bytes) => {
      fs.writeFileSync(file, bytes);
      for (const [i, name] of names().entries()) expect([undefined, 'abc'[i]]).toContain(name);
      open().keep([entry(idOf(1), 'd')]);
      expect(names()[0]).toBe('d');
    }),
    { numRuns: 300 },
  );
});

test('a line that was torn takes none with it', () => {
  open().keep([entry(idOf(1), 'a'), entry(idOf(2), 'b')]);
  fs.truncateSync(file, fs.statSync(file).size - 5);
  open().keep([entry(idOf(3), 'c')]);
  expect(names()).toEqual(['a', undefined, 'c']);
});

test('an entry is of one commit: under the id of another it counts for nothing', () => {
  open().keep([entry(idOf(1), 'a')]);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(idOf(1), idOf(2)));
  expect(names()).toEqual([undefined, undefined, undefined]);
});

test('what cannot be read or written is as good as not there', () => {
  fs.mkdirSync(file, { recursive: true });
  expect(names()).toEqual([undefined, undefined, undefined]);
  open().keep([entry(idOf(1), 'a')]);
  expect(fs.readdirSync(path.dirname(file))).toEqual(['told']);
});

test('a link leads nowhere: it gives way', () => {
  const elsewhere = path.join(folder, 'elsewhere');
  fs.writeFileSync(elsewhere, `${HEAD}\n`);
  fs.mkdirSync(path.dirname(file));
  fs.symlinkSync(elsewhere, file);
  open().keep([entry(idOf(1), 'a')]);
  expect(names()).toEqual(['a', undefined, undefined]);
  expect(fs.readFileSync(elsewhere, 'utf8')).toBe(`${HEAD}\n`);
});

test('it does not grow for ever: where more is new than known it begins anew, and else stays', () => {
  open().keep([entry(idOf(1), 'a'), entry(idOf(2), 'b')]);
  const fill = () => fs.appendFileSync(file, `${'x'.repeat((32 << 20) - fs.statSync(file).size - 1)}\n`);
  fill();
  open().keep([entry(idOf(3), 'c')]);
  expect(names()).toEqual(['a', 'b', undefined]);
  expect(fs.statSync(file).size).toBe(32 << 20);
  open(HEAD, [idOf(3)]).keep([entry(idOf(3), 'c')]);
  expect(names()).toEqual([undefined, undefined, 'c']);
  expect(fs.statSync(file).size).toBeLessThan(1000);
});

test('what nobody waits for is not kept', () => {
  open().keep([entry(idOf(1), 'a'.repeat(2 << 20)), entry(idOf(2), 'b')]);
  expect(names()).toEqual([undefined, 'b', undefined]);
  expect(fs.statSync(file).size).toBeLessThan(1000);
});
