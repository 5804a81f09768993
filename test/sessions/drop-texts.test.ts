import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { hashBlob } from '../../src/git/objects.ts';
import { finishDropping, keepTexts, listTexts } from '../../src/sessions/drop-texts.ts';
import { openTexts, writeTexts } from '../../src/sessions/texts.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) removeFolder(folder);
});

function openStore() {
  const dir = makeFolder('store');
  folders.push(dir);
  return { dir, format: 'sha1' as const };
}

const idOf = (text: string) => hashBlob('sha1', Buffer.from(text));
const write = (store: ReturnType<typeof openStore>, texts: readonly string[]) =>
  writeTexts(store, new Map(texts.map((text) => [idOf(text), Buffer.from(text)])));

test('law: what is kept can be read, what is not is gone, also for a reader who has the old index, and can be written again', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 12 }),
      fc.func(fc.boolean()),
      (texts, isKept) => {
        const store = openStore();
        write(store, texts);
        const old = openTexts(store);
        old(idOf('nobody wrote this, but now the index is read'));
        keepTexts(
          store,
          listTexts(store).filter(({ id }) => isKept(id)),
        );
        const read = (from: typeof old) => texts.map((text) => from(idOf(text))?.toString());
        const expected = texts.map((text) => (isKept(idOf(text)) ? text : undefined));
        expect(read(openTexts(store))).toEqual(expected);
        expect(read(old)).toEqual(expected);
        write(store, texts);
        expect(read(openTexts(store))).toEqual(texts);
        // and again the reader from before sees nothing else in their place
        expect(read(old)).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});

test('killed between index and pack: the next one takes the bytes out', () => {
  const store = openStore();
  // not to be packed into less
  const secret = Array.from({ length: 400 }, (_, i) => String.fromCharCode(33 + ((i * i * 7 + i) % 90))).join('');
  write(store, ['kept', secret]);
  const [kept, dropped] = listTexts(store);
  const [pack, index] = ['pack', 'index'].map((name) => path.join(store.dir, 'texts', name));
  fs.writeFileSync(path.join(store.dir, 'texts', 'pack-due'), '');
  fs.writeFileSync(index ?? '', `${kept?.id} ${kept?.offset} ${kept?.length}\n`);
  const hole = () =>
    fs.readFileSync(pack ?? '').subarray(dropped?.offset, (dropped?.offset ?? 0) + (dropped?.length ?? 0));
  expect(hole().every((byte) => byte === 0)).toBe(false);
  finishDropping(store);
  expect(hole()).toHaveLength(dropped?.length ?? -1);
  expect(hole().every((byte) => byte === 0)).toBe(true);
  expect(openTexts(store)(idOf('kept'))?.toString()).toBe('kept');
  expect(fs.existsSync(path.join(store.dir, 'texts', 'pack-due'))).toBe(false);
  expect(fs.statSync(pack ?? '').mode & 0o777).toBe(0o600);
});
