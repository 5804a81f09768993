import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startGathering } from '../../src/anchor/gather.ts';
import { decodeSegment } from '../../src/anchor/segment.ts';
import { lineHash } from '../../src/lines/hash.ts';
import { lookUpIn } from '../../src/notes/index/lookup.ts';
import { FULL, type Keep, type Piece, pieceOf, settle, startPieces } from '../../src/notes/index/pieces.ts';
import { buildRecords } from '../../src/trace/build.ts';
import { printRecord } from '../../src/trace/print.ts';
import { input, typed } from '../trace/samples.ts';
import { key, numbers } from './index-notes.ts';

/** A piece of `count` notes, of which the first is note `first`. */
function piece(first: number, count: number): Piece {
  const gathering = startGathering(20);
  for (const n of numbers(first, first + count)) {
    const hashes = lineHash(`line ${n}`) + lineHash('}');
    gathering.add({ commit: key(n), hashes, patches: [], changes: [], time: n });
  }
  const segment = decodeSegment(gathering.encode());
  if (!segment) throw new Error('broken');
  return pieceOf(segment);
}

test('law: however the pieces come, few are left, and they say the same', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(1, 2, 30, 400), { minLength: 1, maxLength: 25 }), (counts) => {
      let first = 0;
      let settled: Piece[] = [];
      const all: Piece[] = [];
      for (const count of counts) {
        all.push(piece(first, count));
        settled = settle([...settled, piece(first, count)], 20) ?? [];
        first += count;
        expect(settled.length).toBeLessThanOrEqual(4);
      }
      const hashes = ['}', ...numbers(0, first).map((n) => `line ${n}`)].map(lineHash);
      const [a, b, c] = [settled, all, settle(all, 20) ?? []].map((pieces) => lookUpIn(pieces, 0));
      expect(a?.findLines(hashes)).toEqual(b?.findLines(hashes));
      expect(c?.findLines(hashes)).toEqual(b?.findLines(hashes));
      // one by one, or all of them one behind the other
      expect(b?.findLines([hashes.join('')])).toEqual(b?.findLines(hashes));
      expect([a?.since, c?.stats.notes]).toEqual([0, first]);
    }),
    { numRuns: 20 },
  );
});

test('many large ones before a small one are merged too', () => {
  const pieces = [...numbers(0, 12).map((n) => piece(n * 400, 400)), piece(10_000, 1)];
  expect(settle(pieces, 20)).toHaveLength(1);
});

test('one that cannot be read is not left out silently', () => {
  const broken: Piece = { ...piece(0, 1), load: () => undefined };
  expect(settle([broken, piece(1, 1)], 20)).toBeUndefined();
  expect(settle([broken], 20)).toEqual([broken]);
});

test('those that are full are left as they are, whatever comes after them', () => {
  const full = (n: number): Piece => ({ ...piece(n, 1), size: FULL, load: () => undefined });
  const pieces = [full(0), piece(1, 1), full(2), full(3), piece(4, 1)];
  expect(settle(pieces, 20)?.map(({ size, notes }) => [size >= FULL, notes])).toEqual([
    ...[true, true, true].map((is) => [is, 1]),
    [false, 2],
  ]);
});

test('notes become pieces as they come, and what is full is put away at once', () => {
  const lines = (n: number) => numbers(0, n < 3 ? 300_000 : 2).map((i) => `${n} ${i}`);
  const run = (n: number) => ({ start: 1, lines: lines(n), origin: typed });
  const notes = numbers(0, 5).map((n) =>
    Buffer.from(
      buildRecords(input([{ path: 'a', blob: key('blob'), runs: [run(n)] }]))
        .map(printRecord)
        .join('\n'),
    ),
  );
  const piecesOf = (keep: Keep) => {
    const started = startPieces(20, keep);
    for (const [n, note] of notes.entries()) started.add(key(n), note);
    return started.end();
  };
  const away: Piece[] = [];
  const pieces = piecesOf((segment) => {
    const copy = decodeSegment(Buffer.from(segment.bytes));
    if (copy) away.push(pieceOf(copy));
    return away.at(-1);
  });
  expect(pieces.map((one) => [one.notes, away.includes(one)])).toEqual([
    [3, true],
    [2, false],
  ]);
  // where there is no place for them, they are kept in memory, and say the same
  const hashes = numbers(0, 5).flatMap((n) => [0, 1, 299_999].map((i) => lineHash(`${n} ${i}`)));
  const [a, b] = [pieces, piecesOf(() => undefined)].map((some) => lookUpIn(some, 0));
  expect(a?.findLines(hashes).size).toBe(13);
  expect(b?.findLines(hashes)).toEqual(a?.findLines(hashes));
});
