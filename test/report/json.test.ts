import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/json.ts';
import { reportJson } from '../../src/report/json.ts';
import { type Report, reportOf } from '../../src/report/report.ts';
import { REPORT_SCHEMA } from '../../src/report/schema.ts';
import { anyReport, hostile, MIXED, ONE, run, small, survey } from './surveys.ts';

const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(REPORT_SCHEMA);
const printed = (report: Report) => [...reportJson(report)].join('');
const parsed = (report: Report) => JSON.parse(printed(report));

describe('a report as JSON', () => {
  it('is one line that says it all', () => {
    const runs = [run('a', [1, 3]), run('a', [4, 4], { origin: MIXED, commit: '0'.repeat(40), via: 'worktree' })];
    const report = reportOf(survey(runs, { scope: { kind: 'standing', revision: 'HEAD', files: 1 } }));
    const figures = {
      counts: { total: 4, ai: 3, mixed: 1, human: 0, unknown: 0 },
      shares: { ai: 0.75, mixed: 0.25, human: 0, unknown: 0 },
    };
    expect(printed(report)).toMatch(/^\{"schema":"git-agent-blame\/report@1","scope":\{"kind":"standing".*\}\n$/);
    const document = parsed(report);
    expect(document).toMatchObject({ scope: { kind: 'standing', revision: 'HEAD', files: 1 }, ...figures });
    expect(document.by.path).toEqual([{ key: 'a', ...figures }]);
    expect(document.evidence[0]).toEqual({ evidence: 'observed', lines: 3, share: 0.75 });
    expect(document.via.at(-1)).toEqual({ via: null, lines: 0, share: 0 });
    expect(document.files).toEqual([
      {
        path: 'a',
        ...figures,
        runs: [
          {
            ...{ start: 1, end: 3, commit: ONE, type: 'ai', evidence: 'observed', via: 'note', reason: null },
            model: 'anthropic/claude-opus-4-5-20251101',
            tool: { name: 'claude-code', version: '2.1.197' },
            ...{ session: 's1', event: 'e1', conversation: 'agentlog:s1#e1', trace: 't1' },
          },
          {
            ...{ start: 4, end: 4, commit: null, type: 'mixed', evidence: 'replayed', via: 'worktree', reason: null },
            model: null,
            tool: { name: 'codex', version: null },
            ...{ session: null, event: null, conversation: 'agentlog:s1#e1', trace: 't1' },
          },
        ],
      },
    ]);
  });

  it('comes in pieces, none of which grows with the tree', () => {
    const runs = Array.from({ length: 2000 }, (_, i) => run(`f${i % 10}`, [i + 1, i + 1]));
    const pieces = [...reportJson(reportOf(survey(runs)))];
    expect(pieces.length).toBeGreaterThan(2000);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(2000);
  });

  it('keeps hostile names as they are', () => {
    const document = parsed(hostile());
    const report = hostile();
    expect(document.files.map(({ path }: { path: string }) => path)).toEqual(report.files.map(({ path }) => path));
    expect(document.excluded).toEqual(report.excluded);
    expect(printed(report)).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  });

  it('has the figures of the report, whatever it is, and is valid', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const document = parsed(report);
        expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
        const { scope, counts, reasons, unrecorded, excluded, skipped } = report;
        expect(document).toMatchObject({ scope, counts, reasons, unrecorded, excluded, skipped });
        for (const [dimension, groups] of Object.entries(report.by)) {
          const told = document.by[dimension].map(({ key, counts }: { key: string; counts: object }) => ({
            key,
            counts,
          }));
          expect(told).toEqual(groups);
        }
        const lines = (list: readonly { lines: number }[]) => list.reduce((sum, one) => sum + one.lines, 0);
        expect([lines(document.evidence), lines(document.via)]).toEqual([counts.total, counts.total]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the schema', () => {
  /** The document with one object in it changed, for every object in it. */
  function* changed(
    document: unknown,
    change: (inside: Record<string, unknown>) => Iterable<object>,
  ): Generator<unknown> {
    if (Array.isArray(document)) {
      for (const [i, item] of document.entries())
        for (const other of changed(item, change)) yield document.with(i, other);
    } else if (isObject(document)) {
      yield* change({ ...document });
      for (const [key, value] of Object.entries(document)) {
        for (const other of changed(value, change)) yield { ...document, [key]: other };
      }
    }
  }
  const accepted = (documents: Iterable<unknown>) => {
    const all = [...documents];
    expect(all.length).toBeGreaterThan(50);
    return all.filter((document) => validate(document));
  };

  it('takes a report', () => expect(validate(parsed(small()))).toBe(true));

  it('refuses a field that is not known, anywhere', () => {
    expect(accepted(changed(parsed(small()), (object) => [{ ...object, extra: 1 }]))).toEqual([]);
  });

  it('refuses a field that is missing, anywhere', () => {
    const without = (object: Record<string, unknown>) =>
      Object.keys(object).map((key) => Object.fromEntries(Object.entries(object).filter(([other]) => other !== key)));
    expect(accepted(changed(parsed(small()), without))).toEqual([]);
  });

  it('refuses a value of another kind, anywhere', () => {
    const wrong = (object: Record<string, unknown>) => Object.keys(object).map((key) => ({ ...object, [key]: true }));
    expect(accepted(changed(parsed(small()), wrong))).toEqual([]);
  });

  it.each([
    [{ schema: 'git-agent-blame/report@2' }],
    [{ skipped: -1 }],
    [{ unrecorded: ['main'] }],
    [{ shares: { ai: 2, mixed: 0, human: 0, unknown: 0 } }],
    [{ scope: { kind: 'added', range: 'a', commits: 1, files: 1 } }],
  ])('refuses %j', (over) => expect(validate({ ...parsed(small()), ...over })).toBe(false));
});
