import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeRecord, type Home } from '../../src/foreign/amend.ts';
import { lineHash } from '../../src/lines/hash.ts';
import { splitString } from '../../src/lines/text.ts';
import { attributionsOf } from '../../src/trace/attribution.ts';
import { findOwnFile, isJoined, ownPart } from '../../src/trace/own.ts';
import { parseRecord } from '../../src/trace/parse.ts';
import { validateRecord } from '../../src/trace/validate.ts';
import { anyCharacter } from '../support/laws.ts';
import { COMMIT, TEXT } from './notes.ts';

const lines = splitString(TEXT);
const home: Home = {
  commit: COMMIT,
  time: Date.UTC(2026, 0, 23),
  findFile: (path) =>
    path === 'a.ts' || path === '__proto__' ? { blob: 'b10b', lines, added: [{ start: 3, end: 8 }] } : undefined,
};

function complete(value: unknown) {
  const raw = JSON.stringify(value);
  const parsed = parseRecord(raw);
  if (parsed.kind !== 'record') throw new Error(parsed.problem);
  return completeRecord(parsed.record, raw, home);
}

const spoken = (more: object = {}) => ({
  version: '1.0',
  id: 'not a uuid',
  timestamp: 'yesterday',
  vcs: { type: 'git', revision: '0'.repeat(40), branch: 'main' },
  tool: { name: 'cursor' },
  sig: 'kept',
  files: [
    {
      path: 'a.ts',
      conversations: [
        {
          url: 'file://c:\\my file',
          contributor: 'ai',
          ranges: [
            { start_line: 3, end_line: 4, note: 'kept' },
            { start_line: 1, end_line: 5 },
            { start_line: 11, end_line: 99 },
          ],
        },
      ],
    },
  ],
  metadata: { 'com.example': { n: 1 } },
  ...more,
});

describe('a stranger\u2019s record made complete', () => {
  it('conforms, names the commit, and keeps what it said', () => {
    const record = complete(spoken());
    expect(validateRecord(record)).toEqual([]);
    expect(record).toMatchObject({
      version: '0.1.0',
      timestamp: '2026-01-23T00:00:00.000Z',
      vcs: { type: 'git', revision: COMMIT, branch: 'main' },
      sig: 'kept',
      metadata: { 'com.example': { n: 1 } },
    });
    expect(record.files[0]?.conversations[0]).toMatchObject({
      url: 'file://c:%5Cmy%20file',
      ranges: [{ note: 'kept' }, {}, {}],
    });
  });

  it('keeps beside it what it said in words that are read as others', () => {
    const odd = [
      {
        path: 'a.ts',
        conversations: [
          { contributor: { type: 'robot', model_id: 'unknown' }, ranges: [{ start_line: 3, end_line: 3 }] },
        ],
      },
      { path: '.shell-history', conversations: [{ url: 'x:y', ranges: [] }] },
    ];
    const plain = { path: 'a.ts', conversations: [{ ranges: [{ start_line: 4, end_line: 4 }] }] };
    const record = complete(spoken({ files: [plain, ...odd], tool: 'cursor', metadata: 7 }));
    expect(validateRecord(record)).toEqual([]);
    expect(ownPart(record.metadata)?.imported).toEqual({
      ...{ version: '1.0', id: 'not a uuid', timestamp: 'yesterday', tool: 'cursor', metadata: 7, files: odd },
      vcs: { type: 'git', revision: '0'.repeat(40), branch: 'main' },
    });
  });

  it('hashes only the lines that the commit adds, as its word and nobody\u2019s observation', () => {
    const record = complete(spoken());
    const own = findOwnFile(record, 'a.ts');
    expect(own?.ranges).toHaveLength(1);
    expect(own?.ranges[0]).toMatchObject({
      start: 3,
      end: 4,
      evidence: 'declared',
    });
    expect(own?.hashes).toEqual([lines.slice(2, 4).map(lineHash).join('')]);
    expect(attributionsOf(record).map(({ origin }) => origin.evidence)).toEqual(['declared', 'declared', 'declared']);
    expect(isJoined(record, COMMIT)).toBe(false);
  });

  it('a file may be called __proto__, and ranges that go over a file again and again get no hashes', () => {
    const conversations = [{ ranges: Array.from({ length: 30 }, () => ({ start_line: 3, end_line: 8 })) }];
    const record = complete(
      spoken({ files: [{ path: '__proto__', conversations: [{ ranges: [{ start_line: 3, end_line: 3 }] }] }] }),
    );
    expect(findOwnFile(record, '__proto__')?.ranges).toHaveLength(1);
    expect(findOwnFile(complete(spoken({ files: [{ path: 'a.ts', conversations }] })), 'a.ts')).toBeUndefined();
  });

  it('the same record gives the same bytes, and an address of whatever letters a record that conforms', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.integer(), (url, time) => {
        const value = spoken({
          files: [{ path: 'a.ts', conversations: [{ url, ranges: [{ start_line: 3, end_line: 3 }] }] }],
        });
        const raw = JSON.stringify(value);
        const parsed = parseRecord(raw);
        if (parsed.kind !== 'record') throw new Error(parsed.problem);
        const one = completeRecord(parsed.record, raw, { ...home, time: time * 1000 });
        expect(validateRecord(one)).toEqual([]);
        expect(JSON.stringify(completeRecord(parsed.record, raw, { ...home, time: time * 1000 }))).toBe(
          JSON.stringify(one),
        );
      }),
    );
  });
});
