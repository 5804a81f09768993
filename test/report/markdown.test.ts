import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printReportMarkdown } from '../../src/report/markdown.ts';
import { reportOf } from '../../src/report/report.ts';
import { anyReport, EVIL, HUMAN, hostile, run, small, survey } from './surveys.ts';

const SMALL = `**81 % of 1,234 added lines were written by agents**, 3 % by agents and people together; <1 % unknown (\`main..HEAD\`, 2 commits)

| written by | lines | share |
| --- | ---: | ---: |
| ai | 1,000 | 81 % |
| mixed | 40 | 3 % |
| human | 190 | 15 % |
| unknown | 4 | <1 % |

| model | lines | share |
| --- | ---: | ---: |
| \`anthropic/claude-opus-4-5-20251101\` | 1,000 | 81 % |
| \`not known\` | 40 | 3 % |

| tool | lines | share |
| --- | ---: | ---: |
| \`claude-code\` | 1,000 | 81 % |
| \`codex\` | 40 | 3 % |

- How sure: observed 1,000, replayed 40, absent 190, none 4.
- Found by: note 1,190, change-id 40, none 4.
- Unknown because: \`no record\` 4.

**1 of 2 commits without a record**: \`2222222222\`. Whoever made them can send the records with \`git agent push\`, make them from conversations that are still on their machine with \`git agent backfill\`, or state who wrote the lines with \`git agent declare\`.

<details>
<summary>Files with most lines by agents</summary>

| file | ai | lines | share |
| --- | ---: | ---: | ---: |
| \`src/a.ts\` | 1,000 | 1,040 | 96 % |

</details>

<details>
<summary>Not counted: 2 files, 1,200 lines</summary>

- \`package-lock.json\` (lock file, 1,200 lines)
- \`logo.png\` (binary, 0 lines)

</details>

1 note or commit could not be read: too large, damaged or not here.
`;

/** The names in a hostile report, as they are shown. */
const SPANS = [
  '`@ada #123 !4 [a](https://example.com) ![b](c)`',
  '`**bold** _it_ ~~no~~ {0} $x$ &lt; \\`',
  '`redgnp.exe`',
  '`\\174 x \\174 \\140y\\140 \\140\\140\\140 \\174`',
  '`</details><script>alert(1)</script>\\074!-- marker -->`',
  '`dir/a b # c /close`',
];

/** What a renderer makes no code of. A span begins and ends with one backtick, and holds none. */
const outsideSpans = (markdown: string) => markdown.replace(/`[^`\n]+`/g, 'x');
/** Our own words: letters, figures, and the few marks that tables, lists and bold text are made of. */
const OWN = /^[A-Za-z0-9 ,.;:()|*%<>-]*$/;
const withoutFolds = (markdown: string) => markdown.replace(/<\/?details>|<summary>[^<\n]*<\/summary>/g, '');

describe('a report as Markdown', () => {
  it('has the answer first, the rest below', () => expect(printReportMarkdown(small())).toBe(SMALL));

  it('without HTML has titles in place of folds', () => {
    const printed = printReportMarkdown(small(), { plain: true });
    const unfolded = SMALL.replaceAll(/<details>\n<summary>(.*)<\/summary>/g, '**$1**').replaceAll(
      '\n\n</details>',
      '',
    );
    expect(printed).toBe(unfolded);
    expect(printed).not.toMatch(/<[^1]/);
  });

  it('shows hostile names as code, and only there', () => {
    const printed = printReportMarkdown(hostile());
    for (const span of SPANS) expect(printed).toContain(span);
    expect(
      withoutFolds(outsideSpans(printed))
        .split('\n')
        .filter((line) => !OWN.test(line)),
    ).toEqual([]);
    expect(printed).not.toContain('<!--');
  });

  it('of nothing says so', () => {
    expect(printReportMarkdown(reportOf(survey([])))).toBe('**No added lines to count** (`main..HEAD`, 0 commits)\n');
  });

  it('has no table of models where agents wrote nothing', () => {
    const printed = printReportMarkdown(reportOf(survey([run('a', [1, 2], { origin: HUMAN })])));
    expect(printed).not.toContain('model');
    expect(printed).toContain('| human | 2 | 100 % |');
  });

  it('counts what is not among the first', () => {
    const runs = Array.from({ length: 12 }, (_, i) => {
      const agent = { session: 's', event: 'e', tool: { name: 't' }, model: `m${i}` };
      return run(`f${i}`, [1, 20 - i], { origin: { type: 'ai', evidence: 'observed', agent } });
    });
    const printed = printReportMarkdown(reportOf(survey(runs)));
    expect(printed).toContain('| 2 more | 19 | 11 % |');
    expect(printed).toContain('2 more files with lines by agents.');
    expect(printed).not.toContain('`f10`');
  });
});

describe('whatever the report', () => {
  it('no name breaks out of its span, its cell or its line', () => {
    fc.assert(
      fc.property(anyReport, fc.boolean(), (report, plain) => {
        const printed = printReportMarkdown(report, { plain });
        expect(printed.length).toBeLessThanOrEqual(60_000);
        const lines = withoutFolds(outsideSpans(printed)).split('\n');
        expect(lines.filter((line) => !OWN.test(line))).toEqual([]);
        const cells = printed.split('\n').filter((line) => line.startsWith('|'));
        for (const row of cells) expect([4, 5]).toContain(row.split('|').length - 1);
        if (plain) expect(outsideSpans(printed)).not.toMatch(/<[^1]/);
      }),
      { numRuns: 60 },
    );
  });

  it('its figures are the report’s', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        fc.pre(report.counts.total > 0);
        const printed = printReportMarkdown(report);
        for (const kind of ['ai', 'mixed', 'human', 'unknown'] as const) {
          const [, lines = ''] = new RegExp(`^\\| ${kind} \\| ([\\d,]+) \\|`, 'm').exec(printed) ?? [];
          expect(Number(lines.replaceAll(',', ''))).toBe(report.counts[kind]);
        }
        const model = /\| model [\s\S]*?\n\n/.exec(`${printed}\n\n`)?.[0] ?? '';
        const rows = [...model.matchAll(/ \| ([\d,]+) \| [^|]* \|$/gm)].map(([, lines = '']) =>
          Number(lines.replaceAll(',', '')),
        );
        expect(rows.reduce((a, b) => a + b, 0)).toBe(report.counts.ai + report.counts.mixed);
      }),
      { numRuns: 60 },
    );
  });

  it('it stays within the limit, and names what it left out', () => {
    fc.assert(
      fc.property(anyReport, fc.integer({ min: 900, max: 4000 }), (report, limit) => {
        const whole = printReportMarkdown(report);
        const printed = printReportMarkdown(report, { limit });
        expect(printed.length).toBeLessThanOrEqual(limit);
        expect(printed.includes('Left out for length: ')).toBe(printed !== whole);
        expect(printed.startsWith(whole.split('\n')[0] ?? '')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('60,000 characters are enough for nobody’s thousand files', () => {
    const long = EVIL.map((name) => name.padEnd(300, '`'));
    const runs = Array.from({ length: 1000 }, (_, i) => run(`${i}${long[i % long.length]}`, [1, 2]));
    const printed = printReportMarkdown(reportOf(survey(runs)), { top: 1000 });
    expect(printed.length).toBeLessThan(60_000);
    expect(printed).toMatch(/\nLeft out for length: files\.\n$/);
  });
});
