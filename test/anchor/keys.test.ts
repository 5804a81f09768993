import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeKey, fingerprint, keysOf } from '../../src/anchor/keys.ts';
import { lineHash, splitHashes } from '../../src/lines/hash.ts';
import { buildRecords, type TraceInput } from '../../src/trace/build.ts';
import { parseNote } from '../../src/trace/parse.ts';
import { printRecord } from '../../src/trace/print.ts';
import { OWN_KEY, type TraceRecord } from '../../src/trace/record.ts';
import { COMMIT, input, inputs, typed, written } from '../trace/samples.ts';

const blob = 'b10b'.padEnd(40, '0');
const line = (number: number, text: string, origin = written) => ({ start: number, lines: [text], origin });
const file = (path: string, ...runs: ReturnType<typeof line>[]) => ({ path, blob, runs });
/** As they come out of a note. */
const records = (one: TraceInput) => parseNote(buildRecords(one).map(printRecord)).records;
const keys = (...notes: (readonly TraceRecord[])[]) => keysOf({ commit: COMMIT, records: notes.flat() });
const hashes = (...lines: string[]) => lines.map(lineHash);
const linesIn = (found: { readonly hashes: string }) => new Set(splitHashes(found.hashes));
const raw = (value: unknown) => parseNote([JSON.stringify(value)]).records.slice();

const example = input([
  file('b.ts', line(1, 'one'), line(2, 'two', typed), line(3, 'three'), line(9, '}')),
  file('a.ts', line(7, '}', typed)),
]);

describe('keysOf', () => {
  it('has the lines of all records, one fingerprint of them together, the change and the time', () => {
    const found = keys(records({ ...example, changeId: 'kxry' }));
    expect({ ...found, hashes: linesIn(found) }).toEqual({
      commit: COMMIT,
      hashes: new Set(hashes('one', 'two', 'three', '}')),
      patches: [
        fingerprint(
          new Map([
            ['b.ts', hashes('one', 'two', 'three', '}').join('')],
            ['a.ts', lineHash('}')],
          ]),
        ),
      ],
      changes: ['kxry'],
      time: Date.UTC(2026, 0, 23, 14, 30),
    });
  });

  it('leaves out what was replaced', () => {
    const old = records(example);
    const fresh = records({ ...input([file('a.ts', line(1, 'new'))]), supersedes: old.map(({ id }) => id) });
    expect(keys(old, fresh)).toEqual(keys(fresh));
    expect(linesIn(keys(fresh))).toEqual(new Set(hashes('new')));
  });

  it('takes nothing from records of others, nor from what only looks like ours', () => {
    const [own] = records(example);
    const other = { ...own, metadata: { 'dev.example': own?.metadata?.[OWN_KEY] } };
    const nothing = { commit: COMMIT, hashes: '', patches: [], changes: [], time: undefined };
    expect(keys(raw(other))).toEqual(nothing);
    expect(keys(raw({ ...other, vcs: { type: 'jj', revision: 'zz' } }))).toEqual(nothing);
    const odd = (files: unknown) => keys(raw({ ...own, metadata: { [OWN_KEY]: { schema: 1, files } } }));
    for (const files of [
      null,
      [],
      'x',
      { a: null },
      { a: { ranges: 1 } },
      { a: { ranges: [{}], lines: 'aaaaaaaa' } },
    ]) {
      expect([odd(files).hashes, odd(files).patches]).toEqual(['', []]);
    }
  });

  it('makes no fingerprint of a part of the lines, and no key of what is no hash', () => {
    const own = (lines: string, end = 2) => ({
      ...raw({ version: '0.1.0', files: [] })[0],
      metadata: {
        [OWN_KEY]: { schema: 1, commit: COMMIT, files: { a: { ranges: [{ start: 1, end, type: 'ai' }], lines } } },
      },
    });
    expect(keys(raw(own('aaaaaaaabbbbbbbb'))).patches).toHaveLength(1);
    expect(keys(raw(own('aaaaaaaa'))).patches).toEqual([]);
    expect(keys(raw(own('aaaaaaaabbbbbbb '))).hashes).toBe('');
    expect(keys(raw(own('aaaaaaaa', 9e15))).hashes).toBe('');
    expect(keys(raw(own('aaaaaaaabbbbbbbb'))).time).toBe(0);
  });

  it('counts a line of two records once', () => {
    const [a] = records(input([file('a', line(1, 'x'), line(2, 'y'), line(3, 'z'))]));
    const [b] = records(input([file('a', line(2, 'y', typed), line(3, 'z', typed), line(4, '!', typed))]));
    const whole = fingerprint(new Map([['a', hashes('x', 'y', 'z', '!').join('')]]));
    expect(a && b && keys([a, b]).patches).toEqual([whole]);
    expect(a && b && keys([b, a]).patches).toEqual([whole]);
  });

  it('keeps the patches of two commits apart, where git copied a note', () => {
    const one = records(example);
    const two = records({ ...example, commit: 'f'.repeat(40), files: [file('c', line(1, 'c'))] });
    expect(new Set(keys(one, two).patches)).toEqual(new Set([...keys(one).patches, ...keys(two).patches]));
  });

  it('law: the fingerprint is that of the lines of the commit, whoever wrote them', () => {
    fc.assert(
      fc.property(inputs, (one) => {
        const files = one.files.map(({ path, runs }): [string, string] => [
          path,
          hashes(...runs.flatMap(({ lines }) => lines)).join(''),
        ]);
        expect(keys(records(one)).patches).toEqual([fingerprint(new Map(files))]);
        expect(linesIn(keys(records(one)))).toEqual(
          new Set(one.files.flatMap(({ runs }) => runs.flatMap(({ lines }) => hashes(...lines)))),
        );
      }),
    );
  });
});

describe('fingerprint', () => {
  const of = (files: Record<string, string>) => fingerprint(new Map(Object.entries(files)));

  it('is of lines and paths, in no order of files, and of nothing where there is no line', () => {
    expect(of({ a: 'x', b: 'y' })).toBe(of({ b: 'y', a: 'x' }));
    expect(of({ a: 'x', b: '' })).toBe(of({ a: 'x' }));
    expect([of({}), of({ a: '' })]).toEqual([undefined, undefined]);
    const different = [of({ a: 'x' }), of({ b: 'x' }), of({ a: 'y' }), of({ a: 'x', b: 'x' })];
    expect(new Set(different).size).toBe(4);
  });

  it('is the recorded one: notes of others are compared with it', () => {
    expect(of({ 'a.ts': lineHash('}') })).toBe('f0531111777427ff');
    expect(changeKey('kxry')).toHaveLength(8);
  });
});
