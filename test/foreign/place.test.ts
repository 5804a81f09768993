import { describe, expect, it } from 'vitest';
import { type Candidate, placeRecord } from '../../src/foreign/place.ts';
import { contentHash } from '../../src/lines/hash.ts';
import type { LineRange } from '../../src/lines/range.ts';
import { splitString } from '../../src/lines/text.ts';
import { parseRecord } from '../../src/trace/parse.ts';

const [P, C, D] = ['a'.repeat(40), 'c'.repeat(40), 'd'.repeat(40)];

function candidate(commit: string, parents: readonly string[], text: string, added: readonly LineRange[]): Candidate {
  const file = { blob: '0'.repeat(40), lines: splitString(text), added };
  return { commit, parents, findFile: (path) => (path === 'a.ts' ? file : undefined) };
}

function record(revision: string, range: object, path = 'a.ts') {
  const files = [{ path, conversations: [{ contributor: { type: 'ai' }, ranges: [range] }] }];
  const parsed = parseRecord(
    JSON.stringify({ version: '0.1.0', id: 'x', timestamp: '', vcs: { type: 'git', revision }, files }),
  );
  if (parsed.kind === 'foreign') throw new Error(parsed.problem);
  return parsed.record;
}

const parent = candidate(P, [], 'one\ntwo\n', [{ start: 1, end: 2 }]);
const child = candidate(C, [P], 'one\ntwo\nthree\nfour\n', [{ start: 3, end: 4 }]);
const other = candidate(D, [P], 'one\ntwo\nTHREE\nFOUR\n', [{ start: 3, end: 4 }]);
const lines = (start: number, end: number) => ({ start_line: start, end_line: end });

describe('placeRecord', () => {
  it('believes a record that names the commit that adds its lines', () => {
    expect(placeRecord(record(C, lines(3, 4)), [parent, child])).toEqual({ commit: C, by: 'name' });
    expect(placeRecord(record(P, lines(1, 2)), [parent, child])).toEqual({ commit: P, by: 'name' });
  });

  it('finds the child that adds the lines where a tool names the parent', () => {
    expect(placeRecord(record(P, lines(3, 4)), [parent, child])).toEqual({ commit: C, by: 'content' });
  });

  it('lets a hash decide between children', () => {
    expect(placeRecord(record(P, lines(3, 4)), [parent, child, other])).toEqual({
      reason: 'several commits add the lines that it speaks of',
    });
    const hashed = { ...lines(3, 4), content_hash: contentHash(['THREE', 'FOUR']) };
    expect(placeRecord(record(P, hashed), [other, parent, child])).toEqual({ commit: D, by: 'content' });
  });

  it('a hash that fits the child outweighs line numbers that fit the parent', () => {
    const rewritten = candidate(C, [P], 'ONE\ntwo\n', [{ start: 1, end: 1 }]);
    const hashed = { ...lines(1, 1), content_hash: contentHash(['ONE']) };
    expect(placeRecord(record(P, hashed), [parent, rewritten])).toEqual({ commit: C, by: 'content' });
    expect(placeRecord(record(P, lines(1, 1)), [parent, rewritten])).toEqual({ commit: P, by: 'name' });
  });

  it.each([
    [record('e'.repeat(40), lines(1, 1)), 'the revision that it names is not here'],
    [record(P, lines(7, 9)), 'no commit adds the lines that it speaks of'],
    [record(P, lines(1, 1), 'b.ts'), 'no commit adds the lines that it speaks of'],
    [record(P, { start_line: 0, end_line: 0 }), 'the record speaks of no lines'],
  ])('%#: %s', (one, reason) => {
    expect(placeRecord(one, [parent, child])).toEqual({ reason });
  });
});
