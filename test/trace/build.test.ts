import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineHash } from '../../src/lines/hash.ts';
import { type Origin, sameOrigin } from '../../src/lines/origin.ts';
import { attributionsOf } from '../../src/trace/attribution.ts';
import { buildLines, buildRecords, type OriginFile, type TraceInput } from '../../src/trace/build.ts';
import { originsOf } from '../../src/trace/covers.ts';
import { changeIdOf } from '../../src/trace/own.ts';
import { parseNote } from '../../src/trace/parse.ts';
import { printRecord } from '../../src/trace/print.ts';
import { OWN_KEY, type OwnMetadata } from '../../src/trace/record.ts';
import { originsByLine } from '../../src/trace/runs.ts';
import { validateRecord } from '../../src/trace/validate.ts';
import { COMMIT, input, inputs, lost, typed, written } from './samples.ts';

const line = (number: number, text: string, origin: Origin) => ({ start: number, lines: [text], origin });
const linesOf = ({ runs }: OriginFile) =>
  runs.flatMap(({ start, lines, origin }) => lines.map((text, i) => ({ line: start + i, text, origin })));
const blob = 'b10b'.padEnd(40, '0');
const printAll = (one: TraceInput) => buildRecords(one).map(printRecord);

const example = input([
  {
    path: 'src/b.ts',
    blob,
    runs: [line(1, 'one', written), line(2, 'two', written), line(3, 'three', typed), line(7, 'seven', written)],
    postProcessing: ['prettier@3.0.0'],
  },
  { path: 'a.ts', blob, runs: [line(4, 'x', lost), line(5, '\xc3\xa9', { ...written, type: 'mixed' })] },
]);

describe('buildRecords', () => {
  it('gives the recorded bytes', () => {
    const recorded = readFileSync(new URL('../../fixtures/traces/own.jsonl', import.meta.url), 'utf8');
    expect(`${printAll(example).join('\n')}\n`).toBe(recorded);
  });

  it('puts agents and the rest into records of their own, files by path, ranges cut where the origin or the adjacency ends', () => {
    const [agent, own, ...more] = buildRecords(example);
    expect(more).toEqual([]);
    expect(agent?.tool).toEqual({ name: 'claude-code', version: '2.1.197' });
    expect(own?.tool).toEqual({ name: 'git-agent-blame', version: '0.1.0' });
    expect(
      agent?.files.map((file) => [file.path, ...file.conversations.flatMap((one) => one.ranges.map(span))]),
    ).toEqual([
      ['a.ts', '5-5'],
      ['src/b.ts', '1-2', '7-7'],
    ]);
    expect(agent?.files[1]?.conversations[0]).toMatchObject({
      url: 'agentlog:s1#toolu_1',
      contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5-20251101' },
    });
    expect(
      own?.files.map((file) => file.conversations.map((one) => [one.contributor?.type, ...one.ranges.map(span)])),
    ).toEqual([[['unknown', '4-4']], [['human', '3-3']]]);
    expect(agent?.timestamp).toBe('2026-01-23T14:30:00Z');
    expect(agent?.metadata?.post_processing_tools).toEqual(['prettier@3.0.0']);
    expect(own?.metadata?.post_processing_tools).toEqual(['prettier@3.0.0']);
    const metadata = agent?.metadata?.[OWN_KEY] as OwnMetadata;
    expect(metadata.commit).toBe(COMMIT);
    expect(metadata.files['src/b.ts']?.lines).toBe(['one', 'two', 'seven'].map(lineHash).join(''));
  });

  it('makes version 8 UUIDs that change with the content', () => {
    const ids = [example, { ...example, commit: 'f'.repeat(40) }, { ...example, supersedes: ['x'] }].flatMap((one) =>
      buildRecords(one).map((record) => record.id),
    );
    expect(new Set(ids).size).toBe(6);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('names the change after the commit; what is read back is our own word before that of jj', () => {
    const [record] = buildRecords({ ...example, changeId: 'kxry' });
    expect(Object.keys(record?.metadata?.[OWN_KEY] as OwnMetadata).slice(0, 3)).toEqual([
      'schema',
      'commit',
      'change_id',
    ]);
    const changes = (more: Partial<TraceInput>) =>
      parseNote(printAll({ ...example, ...more })).records.map((one) => changeIdOf(one));
    const vcs = { type: 'jj', revision: 'zzzz' } as const;
    expect(changes({ changeId: 'kxry' })).toEqual(['kxry', 'kxry']);
    expect(changes({ changeId: 'kxry', vcs })).toEqual(['kxry', 'kxry']);
    expect(changes({ vcs })).toEqual(['zzzz', 'zzzz']);
    expect(changes({})).toEqual([undefined, undefined]);
    expect(printAll({ ...example, changeId: '' })).toEqual(printAll(example));
  });

  it('makes urls of the template, and passes over one that makes no URI', () => {
    const first = (conversationUrl: string) =>
      buildRecords({ ...example, conversationUrl })[0]?.files[0]?.conversations[0]?.url;
    expect(first('https://x.example/{session}?e={event}')).toBe('https://x.example/s1?e=toolu_1');
    expect(first('no uri {session}')).toBe('agentlog:s1#toolu_1');
  });

  it('names no conversation where there is none, and no model that is too long', () => {
    const origin: Origin = {
      type: 'ai',
      evidence: 'declared',
      agent: { session: '', event: '', tool: { name: 'x' }, model: 'm'.repeat(251) },
    };
    const [record] = buildRecords(input([{ path: 'a', blob, runs: [line(1, '', origin)] }]));
    expect(record?.files[0]?.conversations[0]).toEqual({ contributor: { type: 'ai' }, ranges: [expect.anything()] });
    expect(record?.tool).toEqual({ name: 'x' });
  });

  it('cuts what would be too large for a reader into several records', () => {
    const runs = Array.from({ length: 40_001 }, (_, i) => line(i * 2 + 1, '', typed));
    const records = buildRecords(input([{ path: 'a', blob, runs }]));
    expect(records).toHaveLength(2);
    expect(parseNote(records.map(printRecord)).records.flatMap((record) => attributionsOf(record))).toHaveLength(
      40_001,
    );
  });

  it('keeps to the years of RFC 3339', () => {
    const timestamp = (time: number) => buildRecords({ ...example, time })[0]?.timestamp;
    expect([timestamp(-1), timestamp(Number.NaN), timestamp(1e17)]).toEqual([
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
    ]);
  });

  it('refuses a line with two origins', () => {
    const runs = [line(1, 'a', typed), line(1, 'a', written)];
    expect(() => buildRecords(input([{ path: 'a', blob, runs }]))).toThrow(/line 1 of a has two origins/);
  });

  it('law: the order of the input does not matter', () => {
    const shuffled = inputs.chain((one) =>
      fc
        .tuple(
          fc.shuffledSubarray([...one.files], { minLength: one.files.length }),
          fc.tuple(...one.files.map(({ runs }) => fc.shuffledSubarray([...runs], { minLength: runs.length }))),
        )
        .map(([files, runs]) => {
          const runsOf = new Map(one.files.map((file, i) => [file.path, runs[i] ?? []]));
          return [
            one,
            { ...one, files: files.map((file) => ({ ...file, runs: runsOf.get(file.path) ?? [] })) },
          ] as const;
        }),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(printAll(other)).toEqual(printAll(one));
      }),
    );
  });

  it('law: how the lines are cut into runs does not matter', () => {
    fc.assert(
      fc.property(inputs, (one) => {
        const single = ({ line: start, text, origin }: ReturnType<typeof linesOf>[number]) => [
          { start, lines: [text], origin },
        ];
        const files = one.files.map((file) => ({ ...file, runs: linesOf(file).flatMap(single) }));
        expect(printAll({ ...one, files })).toEqual(printAll(one));
      }),
    );
  });

  it('law: every line comes back with its origin and its hash, after printing and parsing', () => {
    fc.assert(
      fc.property(inputs, (one) => {
        const { records, foreign, skipped } = parseNote(printAll(one));
        expect([foreign, skipped]).toEqual([[], { files: 0, ranges: 0 }]);
        for (const file of one.files) {
          const cover = originsOf(records, file.path);
          const covered = cover.parts.flatMap(({ start, end }) =>
            Array.from({ length: end - start + 1 }, (_, i) => start + i),
          );
          expect(covered).toEqual([...originsByLine(file).keys()]);
          for (const { line: number, text, origin } of linesOf(file)) {
            const by = cover.at(number);
            expect(by && sameOrigin(origin, by.origin)).toBe(true);
            const at = (number - (by?.start ?? 0)) * 8;
            expect(by?.lineHashes?.slice(at, at + 8)).toBe(lineHash(text));
            expect(by?.blob).toBe(file.blob);
          }
        }
      }),
    );
  });

  it('law: every record is valid, and parse after print gives the same', () => {
    fc.assert(
      fc.property(inputs, (one) => {
        for (const record of buildRecords(one)) {
          expect(validateRecord(record)).toEqual([]);
          const text = printRecord(record);
          const [again] = parseNote([text]).records;
          expect(again).toEqual(record);
          expect(again && printRecord(again)).toBe(text);
        }
      }),
    );
  });
});

function span({ start_line, end_line }: { readonly start_line: number; readonly end_line: number }): string {
  return `${start_line}-${end_line}`;
}

describe('buildLines', () => {
  it('prints every record as printRecord does', () => {
    fc.assert(
      fc.property(inputs, (one) => {
        expect(buildLines(one).map((built) => built.line())).toEqual(printAll(one));
      }),
    );
    for (const more of [{ supersedes: ['b', 'a'] }, { declaredBy: 'Ada', committed: 5 }, { changeId: 'zz' }]) {
      const one = { ...example, ...more };
      expect(buildLines(one).map((built) => built.line())).toEqual(printAll(one));
    }
  });
});
