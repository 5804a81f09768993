import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { finishReplacing, readWholeLines, replaceLines, rewriteLines } from '../../src/sessions/thin.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) removeFolder(folder);
});

function fileWith(text: string): string {
  const folder = makeFolder('thin');
  folders.push(folder);
  fs.writeFileSync(path.join(folder, 'journal'), text);
  return path.join(folder, 'journal');
}

test('a hook that has opened the file before, and one that opens it after, both are heard', async () => {
  const file = fileWith('old\nkept\nhalf a li');
  const hook = fs.openSync(file, 'a');
  const read = readWholeLines(file);
  expect(read).toEqual({
    size: 9,
    lines: [
      { text: 'old', at: 0 },
      { text: 'kept', at: 4 },
    ],
  });
  const done = replaceLines(file, read, ['kept']);
  fs.writeSync(hook, 'ne\nlate\n');
  fs.closeSync(hook);
  fs.appendFileSync(file, 'new\n');
  expect(await done).toBe(true);
  expect(fs.readFileSync(file, 'utf8')).toBe('kept\nnew\nhalf a line\nlate\n');
  expect(fs.readdirSync(path.dirname(file))).toEqual(['journal']);
});

test('bytes that are no text come out as they were', async () => {
  const file = fileWith('');
  const odd = Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0xc3, 0x0a, 0x61, 0x0a]);
  fs.writeFileSync(file, odd);
  const read = readWholeLines(file);
  await replaceLines(
    file,
    read,
    read.lines.slice(0, 2).map(({ text }) => text),
  );
  expect(fs.readFileSync(file)).toEqual(odd.subarray(0, 6));
});

test('killed before the new file was in place, nothing has happened; after it, what came late is brought over', () => {
  const file = fileWith('a\nb\n');
  const old = path.join(path.dirname(file), '.journal.old-4');
  fs.linkSync(file, old);
  finishReplacing(file);
  expect(fs.readFileSync(file, 'utf8')).toBe('a\nb\n');
  fs.writeFileSync(old, 'a\nb\nc');
  finishReplacing(file);
  expect(fs.readFileSync(file, 'utf8')).toBe('a\nb\nc\n');
  expect(fs.readdirSync(path.dirname(file))).toEqual(['journal']);
});

test('lines are rewritten, or taken out; a file that would stay the same is not touched', () => {
  const file = fileWith('a\nb\nc');
  expect(rewriteLines(file, (line) => (line === 'a' ? undefined : line.toUpperCase()))).toBe(true);
  expect(fs.readFileSync(file, 'utf8')).toBe('B\nC\n');
  expect(rewriteLines(file, (line) => line)).toBe(false);
  expect(rewriteLines(`${file}.none`, () => undefined)).toBe(false);
});
