import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributionsOf } from '../../src/trace/attribution.ts';
import { revisionOf, speaksOf } from '../../src/trace/own.ts';
import { MAX_PARTS, type ParsedRecord, parseNote, parseRecord, soundnessOf } from '../../src/trace/parse.ts';
import { repoPath } from '../../src/trace/path.ts';
import type { TraceRecord } from '../../src/trace/record.ts';
import { CASES } from '../support/cases.ts';

const odd = readFileSync(new URL('../../fixtures/traces/odd.jsonl', import.meta.url), 'utf8').split('\n');

function known(line: string): TraceRecord {
  const parsed = parseRecord(line);
  if (parsed.kind !== 'record') throw new Error(parsed.problem);
  return parsed.record;
}

function problemOf(parsed: ParsedRecord): string | undefined {
  return parsed.kind === 'foreign' ? parsed.problem : undefined;
}

const record = (files: unknown, more: object = {}) =>
  JSON.stringify({ version: '0.1.0', id: 'x', timestamp: '', files, ...more });
const one = (path: string, range: object = { start_line: 1, end_line: 1 }) => ({
  path,
  conversations: [{ contributor: 'ai', ranges: [range] }],
});

describe('parseNote', () => {
  const note = parseNote(odd);

  it('reads what it can and keeps the rest beside it, line by line', () => {
    expect(note.records).toHaveLength(4);
    expect(note.foreign.map((line) => [line.raw, line.problem])).toEqual([
      [odd[3], 'no files'],
      [odd[4], 'of a version other than 0.x and 1.x'],
      [odd[5], 'not JSON'],
    ]);
    expect(note.skipped).toEqual({ files: 9, ranges: 6 });
  });

  it('normalises what other tools write', () => {
    expect(
      note.records.flatMap((each) => attributionsOf(each)).map(({ record: _, time: __, ...said }) => said),
    ).toEqual([
      {
        path: 'src/win/a.ts',
        start: 1,
        end: 3,
        origin: { type: 'ai', evidence: 'declared', agent: { session: '', event: '', tool: { name: 'A Person' } } },
      },
      { path: 'a.ts', start: 1, end: 2, origin: { type: 'human', evidence: 'declared' }, url: 'agentlog:s%201#e%2F2' },
      {
        path: 'a.ts',
        start: 5,
        end: 9,
        origin: {
          type: 'ai',
          evidence: 'declared',
          agent: { session: 's 1', event: 'e/2', tool: { name: 'unknown' } },
        },
        url: 'agentlog:s%201#e%2F2',
        contentHash: 'sha256:0123456789abcdef',
      },
      { path: 'b.ts', start: 4, end: 4, origin: { type: 'unknown', reason: 'the record names no contributor' } },
      { path: '__proto__', start: 1, end: 1, origin: { type: 'unknown', reason: 'the record says unknown' } },
    ]);
    expect(note.records.flatMap((each) => attributionsOf(each)).map((said) => said.time)).toEqual([
      Date.UTC(2026, 1, 1, 8),
      Date.UTC(2026, 1, 1, 10, 0, 1),
      Date.UTC(2026, 1, 1, 10, 0, 1),
      0,
      0,
    ]);
  });

  it('keeps unknown fields, and gives a record without an id a stable one', () => {
    expect(note.records[0]).toHaveProperty('sig', 'kept');
    expect(note.records[1]?.files[0]?.conversations[0]?.contributor).toEqual({ type: 'ai', extra: 1 });
    expect(note.records[3]?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(known(odd[7] ?? '').id).toBe(note.records[3]?.id);
  });
});

describe('soundnessOf', () => {
  const own = '{"version":"0.1.0","metadata":{"dev.git-agent-blame":{}}}';
  it.each<[string, string[], boolean, string]>([
    ['nothing', [], false, 'whole'],
    ['blank lines', ['', ' \r'], false, 'whole'],
    ['our own records', [own, own], true, 'whole'],
    ['objects of anybody', ['{}', '{"version":"7"}'], false, 'whole'],
    ['another object beside our own', [own, ' {"of":"another tool"} '], true, 'whole'],
    ['a note of git-ai beside our own', [own, 'a.ts', '  0a 1-2', '---', '{', '  "x": 1', '}'], true, 'whole'],
    ['garbage beside our own', [own, 'x'], true, 'partly'],
    ['garbage in braces beside our own', [own, '{x}'], true, 'partly'],
    ['our own, cut off, beside another', [own, own.slice(0, -20)], true, 'partly'],
    ['a list beside an object', ['{}', '[]'], false, 'partly'],
    ['a divider of nothing', ['x', '---'], false, 'garbled'],
    ['garbage alone', ['x', '12', '"y"'], false, 'garbled'],
    ['nested too deeply', [`{"x":${'['.repeat(300)}${']'.repeat(300)}}`], false, 'garbled'],
  ])('%s', (_, lines, ownWords, soundness) => {
    expect(soundnessOf(lines, ownWords)).toBe(soundness);
  });
});

describe('parseRecord', () => {
  it.each(['0.1.0', '0.1', '1.0', '0.9', 'v1.2.3', 'draft', 1, 0.1, null, undefined])('reads version %s', (version) => {
    expect(problemOf(parseRecord(record([], { version })))).toBeUndefined();
  });

  it.each(['2.0.0', '10.1', 2])('does not read version %s', (version) => {
    expect(problemOf(parseRecord(record([], { version })))).toMatch(/version/);
  });

  it('takes no record that is too large or too deep', () => {
    expect(problemOf(parseRecord(' '.repeat(16 * 1024 * 1024 + 1)))).toMatch(/longer than/);
    expect(problemOf(parseRecord(`{"files":[],"x":${'['.repeat(300)}${']'.repeat(300)}}`))).toMatch(/deeper than/);
    expect(problemOf(parseRecord(`{"files":[],"x":"${'['.repeat(300)}\\"${'{'.repeat(300)}"}`))).toBeUndefined();
    const files = [{ path: 'a', conversations: [{ ranges: Array.from({ length: MAX_PARTS + 1 }, () => 0) }] }];
    expect(problemOf(parseRecord(record(files)))).toMatch(/more than/);
    expect(problemOf(parseRecord(record(Array.from({ length: MAX_PARTS + 1 }, () => 0))))).toMatch(/more than/);
  });

  it('is not fooled by objects that cannot be made strings', () => {
    const trap = { toString: 1, valueOf: 1 };
    const line = record([], { version: trap, vcs: { type: trap, revision: 'x' }, tool: trap });
    expect(known(line)).toMatchObject({ version: '' });
  });

  it('lets no control character of a stranger through', () => {
    const line = record([one('a')], { id: 'x\n1', tool: { name: 'evil\r\nagent-type human\x1b[2J' } });
    expect(attributionsOf(known(line))).toMatchObject([
      { record: 'x?1', origin: { agent: { tool: { name: 'evil??agent-type human?[2J' } } } },
    ]);
  });

  it('reads our own paths exactly, backslash and all', () => {
    const metadata = { 'dev.git-agent-blame': { schema: 1, files: {} } };
    expect(known(record([one('a\\b'), one('.sessions')], { metadata })).files.map((file) => file.path)).toEqual([
      'a\\b',
      '.sessions',
    ]);
    expect(known(record([one('a\\b'), one('.sessions')])).files.map((file) => file.path)).toEqual(['a/b']);
  });

  it('takes evidence, session and hashes from our metadata only where a range is the same', () => {
    const ranges = [{ start: 1, end: 2, type: 'ai', evidence: 'observed', session: 's', event: 'e' }];
    const own = (file: object) => ({ metadata: { 'dev.git-agent-blame': { schema: 1, files: { a: file } } } });
    const origin = (range: object, file: object) => attributionsOf(known(record([one('a', range)], own(file))))[0];
    const same = { start_line: 1, end_line: 2 };
    const observed = origin(same, { ranges, lines: 'aaaaaaaabbbbbbbb', blob: 'x' });
    expect(observed).toMatchObject({
      origin: { evidence: 'observed', agent: { session: 's', event: 'e' } },
      lineHashes: 'aaaaaaaabbbbbbbb',
    });
    expect(origin({ start_line: 1, end_line: 3 }, { ranges })?.origin.evidence).toBe('declared');
    expect(origin(same, { ranges: [{ ...ranges[0], evidence: 'certain' }] })?.origin.evidence).toBe('declared');
    expect(origin(same, { ranges: [null, ...ranges] })?.origin.evidence).toBe('declared');
    expect(origin(same, { ranges, lines: 'short' })).not.toHaveProperty('lineHashes');
  });

  it('law: never throws, and keeps every line', () => {
    const part = fc.oneof(
      fc.jsonValue(),
      fc.constant({ path: 'a', conversations: [{ ranges: [{ start_line: 1, end_line: 1 }] }] }),
    );
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({
          version: part,
          id: part,
          timestamp: part,
          vcs: part,
          tool: part,
          files: fc.array(part),
          metadata: part,
        })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(line, (raw) => {
        const parsed = parseRecord(raw);
        expect(parsed.raw).toBe(raw);
        if (parsed.kind === 'record') expect(() => attributionsOf(parsed.record)).not.toThrow();
      }),
      { numRuns: CASES },
    );
  });
});

describe('repoPath', () => {
  it.each([
    ['a/b.ts', 'a/b.ts'],
    ['./a//b.ts', 'a/b.ts'],
    ['a\\b.ts', 'a/b.ts'],
    ['.unknown', undefined],
    ['..', undefined],
    ['a/../b', undefined],
    ['a\\..\\b', undefined],
    ['/a', undefined],
    ['\\\\server\\a', undefined],
    ['c:/a', undefined],
    ['./', undefined],
    ['.', undefined],
    ['a\0b', undefined],
  ])('%j is %j', (path, expected) => {
    expect(repoPath(path, false)).toBe(expected);
  });

  it.each(['../a', '/a', 'a/..', ''])('refuses %j also in a record of ours', (path) => {
    expect(repoPath(path, true)).toBeUndefined();
  });
});

describe('speaksOf', () => {
  const [commit, parent] = ['c'.repeat(40), 'd'.repeat(40)];
  const own = (id: string) => ({ 'dev.git-agent-blame': { schema: 1, commit: id } });
  it.each([
    [{ vcs: { type: 'git', revision: commit } }, 'commit'],
    [{ vcs: { type: 'git', revision: 'CCCCCCC' } }, 'commit'],
    [{ vcs: { type: 'git', revision: parent } }, 'parent'],
    [{ vcs: { type: 'git', revision: 'ccc' } }, 'other'],
    [{ vcs: { type: 'git', revision: 'e'.repeat(40) } }, 'other'],
    [{ vcs: { type: 'p4', revision: commit } }, 'other'],
    [{ vcs: { type: 'jj', revision: 'kkmpptxz' }, metadata: own(commit) }, 'commit'],
    // a record of ours that was copied into the note of a child
    [{ vcs: { type: 'git', revision: parent }, metadata: own(parent) }, 'other'],
    [{ vcs: { type: 'git', revision: commit }, metadata: own(parent) }, 'other'],
    [{ vcs: { type: 'git', revision: commit }, metadata: own(commit.slice(0, 12)) }, 'other'],
    [{ vcs: { type: 'hg', revision: 'a1b2c3d4e5f6' } }, 'commit'],
    [{ vcs: { type: 'svn', revision: '42' } }, 'commit'],
    [{ vcs: { type: 'jj', revision: 'kkmpptxz' } }, 'commit'],
    [{ vcs: { type: 'jj', revision: 'e'.repeat(40) } }, 'other'],
    [{}, 'other'],
  ])('%j speaks of the %s', (more, expected) => {
    expect(speaksOf(known(record([], more)), commit, [parent])).toBe(expected);
  });

  it('names our own commit before the change', () => {
    const metadata = own(commit);
    expect(revisionOf(known(record([], { vcs: { type: 'jj', revision: 'kk' }, metadata })))).toEqual({
      type: 'git',
      revision: commit,
    });
    expect(revisionOf(known(record([])))).toBeUndefined();
  });
});

const peers = process.env.PEER_SAMPLES ?? '';

describe('records of other tools', () => {
  it.skipIf(!existsSync(`${peers}/agentdiff-meta-traces.jsonl`))(
    'reads 49 records with 859 ranges (set PEER_SAMPLES to their folder)',
    () => {
      const note = parseNote(readFileSync(`${peers}/agentdiff-meta-traces.jsonl`, 'utf8').split('\n'));
      expect([note.records.length, note.foreign.length, note.skipped]).toEqual([49, 0, { files: 0, ranges: 0 }]);
      expect(note.records.flatMap((each) => attributionsOf(each))).toHaveLength(859);
    },
  );

  it.skipIf(!existsSync(`${peers}/lazyusage-traces.jsonl`))(
    'keeps lines that only claim to be records (set PEER_SAMPLES to their folder)',
    () => {
      const lines = readFileSync(`${peers}/lazyusage-traces.jsonl`, 'utf8').trimEnd().split('\n');
      expect(parseNote(lines).foreign.map((line) => line.raw)).toEqual(lines);
    },
  );
});
