import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unknown } from '../../src/lines/origin.ts';
import { DIMENSIONS, type Report, reportOf } from '../../src/report/report.ts';
import { printReportText, type ReportTextOptions } from '../../src/report/text.ts';
import { paintWith } from '../../src/terminal/colour.ts';
import { widthOf } from '../../src/terminal/width.ts';
import { anyReport, commit, HUMAN, hostile, run, small, survey } from './surveys.ts';

const text = (report: Report, over: Partial<ReportTextOptions> = {}) =>
  [...printReportText(report, { paint: paintWith(false), columns: 80, ...over })].join('');

const SMALL = `81 % of 1,234 added lines were written by agents, 3 % by agents and people
together; <1 % unknown
main..HEAD, 2 commits

AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMMMHHHHHHHHHHHH?
A ai 1,000 (81 %), M mixed 40 (3 %), H human 190 (15 %), ? unknown 4 (<1 %)

model                               lines  share
anthropic/claude-opus-4-5-20251101  1,000   81 %  AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
human                                 190   15 %  HHHHHH
not known                              40    3 %  M
unknown                                 4   <1 %  ?

author                 lines     ai
Ada <ada@example.com>  1,234   81 %  AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMHHHHHH?

path      lines     ai
src/a.ts  1,040   96 %  AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMM
src/b.ts    194    0 %  HHHHHH?

evidence   observed 1,000, replayed 40, absent 190, none 4
via        note 1,190, change-id 40, none 4
unknown    no record 4
no record  1 of 2 commits: 2222222222
left out   2 files, 1,200 lines: package-lock.json (lock file 1,200),
           logo.png (binary)
skipped    1 note or commit, too large, damaged or not here
`;

const HOSTILE = String.raw`60 % of 5 added lines were written by
agents, 20 % by agents and people
together; 20 % unknown
@ada #123 !4 [a](https://exa…, 2 commits

AAAAAAAAAAAAAAAAAAAAAAAAMMMMMMMM????????
A ai 3 (60 %), M mixed 1 (20 %),
H human 0, ? unknown 1 (20 %)

model                       lines  share
**bold** _it_ ~~no~~ {0}…       3   60 %
redgnp.exe                      1   20 %
unknown                         1   20 %

author                      lines     ai
redgnp.exe <@ada #123 !4…       4   75 %
山田太郎 <>                     1    0 %

path                lines     ai
dir/a b # c /close      2  100 %
"a\377b"                1    0 %
__proto__               1    0 %
| x | ${'`y` ```'} |         1  100 %

evidence   observed 2, matched 1,
           declared 1, none 1
via        note 4, none 1
unknown    @ada #123 !4 [a](https://… 1
no record  1 of 2 commits: 2222222222
left out   1 file, 7 lines:
           </details><sc… (generated 7)
`;

describe('a report as text', () => {
  it('says it in a sentence, a bar and tables, then how it is known', () => expect(text(small())).toBe(SMALL));

  it('lets a hostile name do nothing, on a narrow screen too', () => {
    expect(text(hostile(), { columns: 40 })).toBe(HOSTILE);
  });

  it('has nothing but letters for those who see no colours', () => {
    const coloured = text(small(), { paint: paintWith(true) });
    expect(coloured).toContain(`\x1b[35m${'A'.repeat(30)}\x1b[0m`);
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(SMALL);
  });

  it('of nothing says so, and what was left out', () => {
    const nothing = survey([], { excluded: [{ path: 'x.lock', why: 'lock file', lines: 3 }] });
    expect(text(reportOf(nothing))).toBe(
      'No added lines to count\nmain..HEAD, 0 commits\n\nleft out   1 file, 3 lines: x.lock (lock file 3)\n',
    );
  });

  it('has the tables that were asked for, with one row for what is too much', () => {
    const runs = Array.from({ length: 120 }, (_, i) => run(`f${i}`, [1, 2], { commit: `${i}`, origin: HUMAN }));
    const week = 7 * 86_400;
    const commits = new Map(runs.map(({ commit: id }, i) => [id, commit(id, { time: i * week })]));
    const report = reportOf(survey(runs, { commits }));
    expect(text(report)).toContain('110 more    220    0 %');
    expect(text(report)).not.toContain('week');
    const printed = text(report, { by: ['week', 'path'] });
    expect(printed).not.toContain('author');
    expect(printed).toMatch(/week +lines +ai\n20 before +40 .*\n1970-05-18 +2 /);
    expect(printed).toContain('20 more     40    0 %');
  });

  it('names a few of many commits, reasons and files', () => {
    const ids = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(40));
    const runs = ids.map((id, i) => run('a', [1, 10 - i], { commit: id, origin: unknown(`reason ${i}`) }));
    const commits = new Map(ids.map((id) => [id, commit(id, { recorded: false })]));
    const excluded = ids.map((id, i) => ({ path: `${id}.png`, why: 'binary' as const, lines: i }));
    const printed = text(reportOf(survey(runs, { commits, excluded: [...excluded, ...excluded] })), { columns: 120 });
    expect(printed).toContain('reason 4 6, 3 more\n');
    expect(printed).toContain(
      'no record  8 of 8 commits: 0000000000, 1111111111, 2222222222, 3333333333, 4444444444, 3 more\n',
    );
    expect(printed).toMatch(/left out {3}16 files, 56 lines: 7777[\s\S]* 6 more\n$/);
  });
});

describe('whatever the report', () => {
  const numberOf = (printed: string | undefined) => Number((printed ?? '').replaceAll(',', ''));
  // name, lines, percentage, and a bar where there is room
  const ROW = / +([\d,]+) +(?:<1|>99|\d+) %(?: {2}[AMH?]+)?$/;

  it('it fits the screen and sends nothing to it but text', () => {
    fc.assert(
      fc.property(
        anyReport,
        fc.oneof(fc.integer({ min: -1, max: 200 }), fc.constant(Number.NaN)),
        (report, columns) => {
          const width = Math.min(Math.max(columns || 0, 40), 120);
          for (const line of text(report, { columns, by: DIMENSIONS }).split('\n')) {
            expect(widthOf(line)).toBeLessThanOrEqual(width);
            expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('every table adds up to the whole, and the legend has the counts', () => {
    fc.assert(
      fc.property(anyReport, fc.constantFrom(...DIMENSIONS), (report, dimension) => {
        const { counts } = report;
        fc.pre(counts.total > 0);
        const parts = text(report, { by: [dimension] }).split('\n\n');
        const rows = (parts[2] ?? '')
          .split('\n')
          .slice(1)
          .filter((line) => line !== '');
        const lines = rows.map((row) => numberOf(ROW.exec(row)?.[1]));
        expect(lines.reduce((a, b) => a + b, 0)).toBe(counts.total);
        const legend = (parts[1] ?? '').replaceAll('\n', ' ');
        for (const kind of ['ai', 'mixed', 'human', 'unknown'] as const) {
          expect(numberOf(new RegExp(` ${kind} ([\\d,]+)`).exec(legend)?.[1]?.replace(/,$/, ''))).toBe(counts[kind]);
        }
      }),
      { numRuns: 50 },
    );
  });
});
