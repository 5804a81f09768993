import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendMissing, replaceFile, whileSame, writeNamed } from '../../src/sessions/disk.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

let dir: string;
beforeEach(() => {
  dir = makeFolder('disk');
});
afterEach(() => removeFolder(dir));

describe('a file that a person names', () => {
  test('is replaced whole, for its owner alone', () => {
    const file = path.join(dir, 'out.json');
    fs.writeFileSync(file, 'old and longer\n', { mode: 0o644 });
    writeNamed(file, 'new\n');
    expect([fs.readFileSync(file, 'utf8'), fs.statSync(file).mode & 0o777]).toEqual(['new\n', 0o600]);
  });

  test('that is a pipe or a device stays one: nobody’s /dev/null becomes a file', () => {
    const pipe = path.join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = fs.openSync(pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    writeNamed(pipe, 'through\n');
    expect(fs.readFileSync(reader, 'utf8')).toBe('through\n');
    fs.closeSync(reader);
    expect(fs.lstatSync(pipe).isFIFO()).toBe(true);
  });

  test('that is a link leads to what is written', () => {
    const [link, file] = [path.join(dir, 'link'), path.join(dir, 'file')];
    fs.writeFileSync(file, 'old\n');
    fs.symlinkSync('file', link);
    writeNamed(link, 'new\n');
    expect([fs.lstatSync(link).isSymbolicLink(), fs.readFileSync(file, 'utf8')]).toEqual([true, 'new\n']);
  });
});

describe('lines that are told again and again', () => {
  test.each<[string, string, string[], number, string]>([
    ['into no file yet', '', ['a', 'b', 'a'], Infinity, 'a\nb\na\n'],
    ['all of them there', 'a\nb\n', ['b', 'a'], Infinity, 'a\nb\n'],
    ['one of them new', 'a\nb\n', ['b', 'c'], Infinity, 'a\nb\nc\n'],
    ['one of them twice', 'a\nb\n', ['a', 'a'], Infinity, 'a\nb\na\n'],
    ['a part of a line is none', 'ab\n', ['a', 'b'], Infinity, 'ab\na\nb\n'],
    ['after a torn line', 'a\nb', ['b', 'a', 'c'], Infinity, 'a\nb\nc\n'],
    ['after half of one', 'a\nlon', ['long', 'a'], Infinity, 'a\nlon\nlong\n'],
    ['other bytes', 'ä€\n', ['ä€', '€'], Infinity, 'ä€\n€\n'],
    ['far back it is not looked', 'a\nb\nc\n', ['a', 'c'], 3, 'a\nb\nc\na\n'],
  ])('are appended as often as they are told: %s', (_, there, lines, within, expected) => {
    const file = path.join(dir, 'lines');
    if (there !== '') fs.writeFileSync(file, there);
    expect(appendMissing(file, lines, within)).toBe(expected !== there);
    expect(fs.readFileSync(file, 'utf8')).toBe(expected);
  });
});

describe('what is made of a file', () => {
  test('is made again where the file has grown, is another one of the same size, or is gone, and only then', () => {
    const file = path.join(dir, 'log');
    const asked: string[] = [];
    const read = whileSame((name) => {
      const text = fs.existsSync(name) ? fs.readFileSync(name, 'utf8') : 'none';
      asked.push(text);
      return text;
    });
    const twice = () => [read(file), read(file)];
    expect(twice()).toEqual(['none', 'none']);
    fs.writeFileSync(file, 'one\n');
    expect(twice()).toEqual(['one\n', 'one\n']);
    fs.appendFileSync(file, 'two\n');
    expect(twice()).toEqual(['one\ntwo\n', 'one\ntwo\n']);
    replaceFile(file, 'one\nTWO\n');
    expect(twice()).toEqual(['one\nTWO\n', 'one\nTWO\n']);
    fs.rmSync(file);
    expect(twice()).toEqual(['none', 'none']);
    expect(asked).toEqual(['none', 'one\n', 'one\ntwo\n', 'one\nTWO\n', 'none']);
  });
});
