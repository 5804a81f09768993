import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSegment, encodeSegment } from '../../src/anchor/segment.ts';
import { lineHash } from '../../src/lines/hash.ts';
import { lookUpIn } from '../../src/notes/index/lookup.ts';
import { type Piece, pieceOf, settle, startPieces } from '../../src/notes/index/pieces.ts';
import { key, noteOf, numbers } from './index-notes.ts';

/** A piece of `count` notes, of which the first is note `first`. */
function piece(first: number, count: number): Piece {
  const notes = numbers(first, first + count).map((n) => ({
    commit: key(n),
    hashes: lineHash(`line ${n}`) + lineHash('}'),
    patches: [],
    changes: [],
    time: n,
  }));
  const segment = decodeSegment(encodeSegment(notes, 20));
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

test('notes become pieces as they come, each twice as large as what follows it', () => {
  const started = startPieces(20);
  const lines = (n: number) => numbers(0, 200_000).map((i) => `${n} ${i}`);
  for (const n of numbers(0, 6)) started.add(key(n), Buffer.from(noteOf(n, lines(n)).join('\n')));
  expect(started.end().map(({ notes }) => notes)).toEqual([6]);
});
