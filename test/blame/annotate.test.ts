import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annotate, type Found, NO_RECORD, NOT_COVERED, type RecordBook, summarise } from '../../src/blame/annotate.ts';
import { unknown } from '../../src/lines/origin.ts';
import { AI, blamed, HUMAN } from './lines.ts';

const silent: RecordBook = { find: () => 'no record' };
const found: Found = { origin: AI, via: 'note', trace: 't1' };

describe('annotate', () => {
  it('asks by the place the line had in its commit', () => {
    const asked: unknown[] = [];
    const book: RecordBook = {
      find(...at) {
        asked.push(at);
        return found;
      },
    };
    annotate([blamed(7, { commit: 'c', originalFile: 'old.ts', originalLine: 3 })], { book, worktree: new Map() });
    expect(asked).toEqual([['c', 'old.ts', 3]]);
  });

  it('says why nothing is known', () => {
    const book: RecordBook = { find: (_, __, line) => (line === 1 ? 'no record' : 'not covered') };
    const lines = annotate([blamed(1), blamed(2)], { book, worktree: new Map() });
    expect(lines.map(({ origin }) => origin)).toEqual([unknown(NO_RECORD), unknown(NOT_COVERED)]);
    expect(lines.map(({ via }) => via)).toEqual([undefined, undefined]);
  });

  it('takes lines that are not committed from the work tree, never from a note', () => {
    const zero = { commit: '0'.repeat(40), uncommitted: true };
    const worktree = new Map<number, Found>([[2, { origin: HUMAN, via: 'worktree' }]]);
    const lines = annotate([blamed(1, zero), blamed(2, zero)], { book: { find: () => found }, worktree });
    expect(lines.map(({ origin, via }) => [origin.type, via])).toEqual([
      ['unknown', undefined],
      ['human', 'worktree'],
    ]);
  });

  it('gives each line once, in order, and counts it once', () => {
    const answers = fc.constantFrom<ReturnType<RecordBook['find']>>('no record', 'not covered', found, {
      origin: HUMAN,
      via: 'note',
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 99 }), answers, fc.boolean())), (cases) => {
        const lines = cases.map(([line, , uncommitted], i) => blamed(line, { commit: String(i), uncommitted }));
        const result = annotate(lines, {
          book: { find: (commit) => cases[Number(commit)]?.[1] ?? 'no record' },
          worktree: new Map(),
        });
        expect(result.map((line) => line.blamed)).toEqual(lines);
        const { total, ai, human, mixed, unknown } = summarise(result);
        expect(total).toBe(lines.length);
        expect(ai + human + mixed + unknown).toBe(total);
      }),
    );
  });

  it('is unknown all over without records', () => {
    expect(summarise(annotate([blamed(1), blamed(2)], { book: silent, worktree: new Map() }))).toEqual({
      total: 2,
      ai: 0,
      human: 0,
      mixed: 0,
      unknown: 2,
    });
  });
});
