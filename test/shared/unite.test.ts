import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentLogDocument } from '../../src/agentlog/document.ts';
import { parseDocument } from '../../src/agentlog/parse.ts';
import type { TreeEntry } from '../../src/git/trees.ts';
import { decodeName, encodeName } from '../../src/sessions/file-names.ts';
import { remoteRef } from '../../src/shared/names.ts';
import { findSession, sessionPath } from '../../src/shared/shelf.ts';
import { findClashes, mergeShared, printShared, uniteShelves } from '../../src/shared/unite.ts';
import { anyCharacter } from '../support/laws.ts';

const file = (id: string): TreeEntry => ({ mode: '100644', id });
const shelves = fc
  .dictionary(
    fc.constantFrom('a/s.agentlog.json', 'a/s.forgotten', 'b/s.agentlog.json', 'b/t.agentlog.json', 'odd', 'a/odd'),
    fc.constantFrom('1', '2', '3'),
  )
  .map((entries) => new Map(Object.entries(entries).map(([path, id]) => [path, file(id)])));

type Shelf = Parameters<typeof uniteShelves>[0];
/** A merge for which the laws hold: the sorted set of letters. */
const join = (a: string, b: string) => [...new Set(`${a}${b}`)].sort().join('');
function unite(a: Shelf, b: Shelf): Map<string, TreeEntry> {
  return uniteShelves(a, b, new Map(findClashes(a, b).map(({ path, ours, theirs }) => [path, join(ours, theirs)])));
}
const sorted = (shelf: Shelf) => [...shelf].sort(([a], [b]) => (a < b ? -1 : 1));

describe('the union of shelves', () => {
  it('does not depend on order, grouping or repetition', () => {
    fc.assert(
      fc.property(shelves, shelves, shelves, (a, b, c) => {
        expect(sorted(unite(a, b))).toEqual(sorted(unite(b, a)));
        expect(sorted(unite(unite(a, b), c))).toEqual(sorted(unite(a, unite(b, c))));
        expect(sorted(unite(unite(a, b), b))).toEqual(sorted(unite(a, b)));
      }),
    );
  });

  it('loses nothing but what was forgotten', () => {
    fc.assert(
      fc.property(shelves, shelves, (a, b) => {
        const united = unite(a, b);
        const gone = united.has('a/s.forgotten');
        for (const path of [...a.keys(), ...b.keys()]) {
          expect(united.has(path)).toBe(!(gone && path === 'a/s.agentlog.json'));
        }
      }),
    );
  });
});

function document(...words: string[]): AgentLogDocument {
  return {
    specVersion: '0.2.0',
    id: 's',
    startTime: '2026-01-01T00:00:00.000Z',
    status: 'active',
    agent: { name: 'claude-code' },
    events: words.map((content) => ({
      type: 'message',
      id: content,
      timestamp: '2026-01-01T00:00:00.000Z',
      role: 'user',
      content,
    })),
  };
}

describe('two versions of one session', () => {
  const bytes = (...words: string[]) => Buffer.from(printShared(document(...words)));

  it('become one with the events of both, whoever comes first', () => {
    const merged = mergeShared(bytes('one', 'two'), bytes('two', 'three'));
    const parsed = parseDocument(merged.toString());
    expect(parsed.kind === 'document' && parsed.document.events.map(({ id }) => id).sort()).toEqual([
      'one',
      'three',
      'two',
    ]);
    expect(mergeShared(bytes('two', 'three'), bytes('one', 'two'))).toEqual(merged);
  });

  it.each(['', 'no JSON', '{"id":"other","status":"active","agent":{"name":"x"}}', '[]'])(
    '%j is no reason to fail',
    (text) => {
      const odd = Buffer.from(text);
      expect(mergeShared(odd, bytes('one'))).toEqual(mergeShared(bytes('one'), odd));
    },
  );
});

describe('names', () => {
  it('are safe and another for every id', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (id) => {
        const name = encodeName(id);
        expect(name).toMatch(/^[A-Za-z0-9_%-][A-Za-z0-9_.%-]{0,250}$/);
        if (!name.includes('%%')) expect(decodeName(name)).toBe(Buffer.from(id).toString());
      }),
    );
    expect(encodeName('../x')).toBe('%2e.%2fx');
    expect(encodeName('x'.repeat(500))).not.toBe(encodeName('x'.repeat(501)));
  });

  it('a session is found by its own id alone', () => {
    const shelf = new Map([[sessionPath('codex', 'x/y'), file('1')]]);
    expect(findSession(shelf, 'x/y')).toEqual(['codex/x%2fy.agentlog.json']);
    expect(findSession(shelf, 'y')).toEqual([]);
  });

  it.each([
    ['origin', 'refs/agent/origin/sessions'],
    ['sessions', 'refs/agent/-/sessions/sessions'],
    ['sessions/x', 'refs/agent/-/sessions/x/sessions'],
  ])('of the remote %s does not lie where ours is', (name, ref) => expect(remoteRef(name)).toBe(ref));
});
