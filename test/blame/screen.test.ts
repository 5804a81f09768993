import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnnotatedLine } from '../../src/blame/annotate.ts';
import { cutPath, fitColumns } from '../../src/blame/columns.ts';
import { alone, printGroups, runsOf } from '../../src/blame/group.ts';
import { printText, type TextOptions } from '../../src/blame/text.ts';
import { unknown } from '../../src/lines/origin.ts';
import { paintWith } from '../../src/terminal/colour.ts';
import { linkWith } from '../../src/terminal/hyperlink.ts';
import { widthOf } from '../../src/terminal/width.ts';
import { AI, annotated, HUMAN } from './lines.ts';

const OPTIONS: TextOptions = {
  abbrev: 8,
  date: () => '2026-01-02',
  paint: paintWith(false),
  mail: false,
  short: false,
  blankBoundary: false,
  file: false,
  originalNumber: false,
  path: 'a.ts',
  headed: false,
};
const OTHER = { ...AI, agent: { session: 's2', event: 'e9', tool: { name: 'codex' } } };

describe('--group', () => {
  const lines = [
    annotated(9, AI),
    annotated(10, AI.agent ? { ...AI, agent: { ...AI.agent, event: 'e2' } } : AI),
    annotated(11, OTHER),
    annotated(12, HUMAN),
    annotated(13, unknown('no record')),
    annotated(15, unknown('no record')),
  ];
  const printed = (over: Partial<TextOptions> = {}) => [...printGroups(lines, { ...OPTIONS, ...over })].join('');

  it('folds lines in a row of one hand, whatever step of the session wrote them', () => {
    expect(printed()).toBe(
      [
        'A claude-code claude-opus-4-5  aaaaaaaa  2026-01-02  session s1  lines 9-10',
        '   9  line 9',
        '  10  line 10',
        '',
        'A codex  aaaaaaaa  2026-01-02  session s2  line 11',
        '  11  line 11',
        '',
        'H Ada  aaaaaaaa  2026-01-02  line 12',
        '  12  line 12',
        '',
        '? Ada  aaaaaaaa  2026-01-02  no record  line 13',
        '  13  line 13',
        '',
        '? Ada  aaaaaaaa  2026-01-02  no record  line 15',
        '  15  line 15',
        '',
        '6 lines: A ai 3 (50%), H human 1 (17%), M mixed 0, ? unknown 2 (33%)',
        '',
      ].join('\n'),
    );
    expect(printed({ short: true })).toContain('A aaaaaaaa  session s1  lines 9-10\n');
    expect(printed({ path: 'b.ts', headed: true })).toMatch(/^b\.ts\nA .* {2}2026-01-02 {2}a\.ts {2}session/);
    expect(printed({ paint: paintWith(true) }).replace(/\x1b\[\d+m/g, '')).toBe(printed());
    expect([...printGroups([], OPTIONS)].join('')).toBe('0 lines: A ai 0, H human 0, M mixed 0, ? unknown 0\n');
  });

  it('breaks no session in two on a narrow screen: what has no room stands below', () => {
    const session = '0b5d3c1e-93a6-4a0e-8f6e-2f1c9d7a4b58';
    const agent = { session, event: 'e1', tool: { name: 'claude-code' }, model: 'anthropic/claude-opus-4-5' };
    const heading = (columns: number | undefined, over: Partial<TextOptions> = {}) =>
      [...printGroups([annotated(9, { ...AI, agent })], { ...OPTIONS, ...over, columns })][0];
    const [first, second] = ['A claude-code claude-opus-4-5  aaaaaaaa  2026-01-02', `session ${session}  line 9`];
    expect(heading(undefined)).toBe(`${first}  ${second}\n`);
    expect(heading(105)).toBe(`${first}  ${second}\n`);
    expect(heading(80)).toBe(`${first}\n  ${second}\n`);
    expect(heading(20)?.split('\n').slice(0, 3)).toEqual([
      'A claude-code claude-opus-4-5',
      '  aaaaaaaa',
      '  2026-01-02',
    ]);
    const coloured = heading(80, { paint: paintWith(true), link: linkWith(true) }) ?? '';
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(heading(80));
  });

  it('keeps every line once, in order, and neighbours that are alike together', () => {
    const kinds = [AI, OTHER, HUMAN, unknown('no record')];
    fc.assert(
      fc.property(fc.array(fc.nat(kinds.length - 1), { maxLength: 40 }), (picks) => {
        const some = picks.map((pick, i) => annotated(i + 1, kinds[pick] ?? HUMAN));
        const runs = runsOf(some.map(alone));
        expect(runs.flatMap(({ start, end }) => some.slice(start - 1, end))).toEqual(some);
        for (const { start, first } of runs) expect(first).toBe(some[start - 1]);
        expect(runs).toHaveLength(picks.filter((pick, i) => pick !== picks[i - 1]).length);
      }),
    );
  });
});

describe('a screen', () => {
  const long: AnnotatedLine[] = [
    annotated(1, AI, { originalFile: `${'folder/'.repeat(20)}name.ts` }),
    annotated(2, HUMAN, { author: '山田太郎'.repeat(10), originalFile: 'short.ts' }),
  ];
  const columns = (screen: number | undefined) =>
    [...printText(long, { ...OPTIONS, columns: screen })]
      .slice(0, 2)
      .map((line) => line.slice(0, line.indexOf(' line ')));

  it('cuts names and paths so that two fifths of it are left for the text', () => {
    const [first = '', second = ''] = columns(100);
    expect(widthOf(first)).toBe(widthOf(second));
    expect(widthOf(first)).toBeLessThanOrEqual(65);
    expect(first).toContain('…/');
    expect(second).toContain('…');
    // nobody looks: nothing is cut but names without end
    expect(columns(undefined)[0]).toContain('folder/'.repeat(20));
  });

  it('leaves alone what fits', () => {
    const fits = { revision: 8, who: 20, date: 10, file: 0, number: 3, original: 0 };
    expect(fitColumns(fits, 120)).toEqual(fits);
    expect(fitColumns(fits, 60)).toEqual({ ...fits, who: 16 });
  });

  it.each([
    [59, 0, 19],
    [40, 0, 7],
    [20, 0, 4],
  ])('of %i columns has no date, and a name of a few letters', (screen, date, name) => {
    const wished = { revision: 8, who: 20, date: 10, file: 0, number: 3, original: 0 };
    expect(fitColumns(wished, screen)).toEqual({ ...wished, date, who: name });
    expect(fitColumns(wished, screen, true).date).toBe(10);
  });

  it('of 40 columns shows the text of every line', () => {
    const [first = '', second = ''] = [
      ...printText([annotated(1, AI), annotated(2, HUMAN)], { ...OPTIONS, columns: 40 }),
    ];
    for (const line of [first, second]) {
      expect(line).toMatch(/^[0-9a-f]{8} [AH] \(\S+ *\S* +[12]\) line [12]\n$/);
      expect(widthOf(line.slice(0, line.indexOf(')')))).toBeLessThanOrEqual(26);
    }
  });

  it.each([
    ['a/b/c.ts', 20, 'a/b/c.ts'],
    ['first/second/third.ts', 17, '…/second/third.ts'],
    ['first/second/third.ts', 12, '…/third.ts'],
    ['first/a-very-long-name.ts', 10, 'a-very-lo…'],
  ])('%s in %i cells is %s', (path, width, shown) => expect(cutPath(path, width)).toBe(shown));
});

describe('links', () => {
  it('lead from the name of an agent to its conversation on the web, and take no room', () => {
    const web = { ...annotated(1, AI), conversation: 'https://example.com/s1' };
    const lines = [web, annotated(2, AI)];
    const [linked = '', own = ''] = [...printText(lines, { ...OPTIONS, link: linkWith(true) })];
    expect(linked).toContain('(\x1b]8;;https://example.com/s1\x1b\\claude-code claude-opus-4-5\x1b]8;;\x1b\\ 2026');
    expect(own).not.toContain('\x1b');
    expect(linked.replace(/\x1b\]8;;[^\x1b]*\x1b\\/g, '')).toBe([...printText(lines, OPTIONS)][0]);
    expect([...printGroups(lines, { ...OPTIONS, link: linkWith(true) })][0]).toContain(
      '\x1b]8;;https://example.com/s1',
    );
  });
});
