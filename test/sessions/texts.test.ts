import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashBlob } from '../../src/git/objects.ts';
import { listTexts } from '../../src/sessions/drop-texts.ts';
import { openTexts, writeTexts } from '../../src/sessions/texts.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

let dir = '';
const store = () => ({ dir, format: 'sha1' as const });
const at = (name: string) => path.join(dir, 'texts', name);
beforeEach(() => {
  dir = makeFolder('store');
});
afterEach(() => removeFolder(dir));

const idOf = (text: string) => hashBlob('sha1', Buffer.from(text));
const write = (...texts: string[]) =>
  writeTexts(store(), new Map(texts.map((text) => [idOf(text), Buffer.from(text)])));
const read = (text: string) => openTexts(store())(idOf(text))?.toString();

test('a pack that lost its end: what is written next is never taken for what stood in its place', () => {
  write('kept\n');
  const size = fs.statSync(at('pack')).size;
  write('a person wrote this, and it is the longer one\n');
  fs.truncateSync(at('pack'), size);
  write('an agent wrote this\n');
  expect(read('a person wrote this, and it is the longer one\n')).toBeUndefined();
  expect(read('an agent wrote this\n')).toBe('an agent wrote this\n');
  expect(read('kept\n')).toBe('kept\n');
});

test('a text that can no longer be read is written again when it comes again', () => {
  write('one\n', 'two\n');
  fs.rmSync(at('pack'));
  expect(read('one\n')).toBeUndefined();
  write('one\n');
  expect(read('one\n')).toBe('one\n');
});

test('a line of the index that a full disk cut does not hide the one that comes after it', () => {
  write('one\n', 'two\n');
  const index = fs.readFileSync(at('index'), 'latin1');
  fs.writeFileSync(at('index'), index.slice(0, index.lastIndexOf(' ')));
  expect(read('two\n')).toBeUndefined();
  write('two\n');
  expect(read('two\n')).toBe('two\n');
  const before = fs.readFileSync(at('index'));
  write('two\n');
  expect(fs.readFileSync(at('index'))).toEqual(before);
  expect(listTexts(store())).toHaveLength(2);
});
