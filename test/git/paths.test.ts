import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePath, encodePath, unquote } from '../../src/git/paths.ts';

test('every path survives the way there and back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 30 }), (bytes) => {
      expect([...encodePath(decodePath(bytes))]).toEqual([...bytes]);
    }),
  );
  for (const name of ['"', '"a"', '\\', '"\\377"', 'a"b', '\ufeffa']) {
    expect(encodePath(decodePath(Buffer.from(name))).toString()).toBe(name);
  }
});

test('two paths are never one', () => {
  const pair = fc.tuple(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ maxLength: 3 }));
  fc.assert(
    fc.property(pair, ([a, b]) => {
      expect(decodePath(a) === decodePath(b)).toBe(Buffer.compare(a, b) === 0);
    }),
  );
});

test('as people read them', () => {
  expect(decodePath(Buffer.from('dir/é\n'))).toBe('dir/é\n');
  expect(decodePath(Buffer.from('a\xff"b', 'latin1'))).toBe('"a\\377\\"b"');
  expect(encodePath('"a\\377b"')).toEqual(Buffer.from('a\xffb', 'latin1'));
});

test('names as git prints them', () => {
  const table: [string, string][] = [
    ['plain', 'plain'],
    ['"tab\\there"', 'tab\there'],
    ['"\\303\\251"', 'é'],
    ['"\xc3\xa9\\n"', 'é\n'],
    ['"q\\"\\\\"', 'q"\\'],
    ['"\\377"', '"\\377"'],
    ['"torn', 'torn'],
    ['"odd\\z\\9"', 'odd\\z\\9'],
  ];
  for (const [printed, path] of table) expect(unquote(printed), printed).toBe(path);
});
