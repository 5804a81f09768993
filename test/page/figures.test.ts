import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldersOf, sum } from '../../src/page/folders.ts';
import { DARK, LIGHT, type Palette } from '../../src/page/palette.ts';
import { timelineOf } from '../../src/page/periods.ts';
import { calendar, day, figure, many, percent } from '../../src/page/words.ts';
import { mondayOf } from '../../src/report/report.ts';
import type { Counts } from '../../src/report/tally.ts';

const human = (total: number): Counts => ({ total, ai: 0, mixed: 0, human: total, unknown: 0 });
const file = (path: string, lines = 10) => ({ path, counts: human(lines), runs: [] });
const names = (paths: readonly string[], most = 24) =>
  foldersOf(
    paths.map((path) => file(path)),
    most,
  ).map((one) => one.name);

describe('words', () => {
  it('figures are the same everywhere', () => {
    expect([0, 999, 1000, 1234567].map(figure)).toEqual(['0', '999', '1,000', '1,234,567']);
    expect([many(1, 'file'), many(2, 'file')]).toEqual(['1 file', '2 files']);
  });

  it('something is never nothing, nearly everything is not everything', () => {
    expect([0, 0.001, 0.5, 0.994, 0.9999, 1].map(percent)).toEqual(['0%', '<1%', '50%', '>99%', '>99%', '100%']);
  });

  it('dates are in UTC', () => {
    expect(day(1_772_409_600)).toBe('2 Mar 2026');
    expect(day(Number.NaN)).toBe('no date');
    expect(['2026-03-02', '2026-03', '2026'].map(calendar)).toEqual(['2 Mar 2026', 'Mar 2026', '2026']);
  });
});

describe('folders', () => {
  it('opens the largest as long as there is room', () => {
    const paths = ['a/x/1', 'a/x/2', 'a/x/3', 'a/y/1', 'a/own', 'b/1', 'top'];
    expect(names(paths)).toEqual(['a/x/', 'files at the top', 'a/*', 'a/y/', 'b/']);
    expect(names(paths, 3)).toEqual(['a/', 'files at the top', 'b/']);
  });

  it('puts what does not fit together', () => {
    const many = Array.from({ length: 50 }, (_, i) => `p${i}/x`);
    expect(names(many, 10)).toHaveLength(10);
    expect(names(many, 10).at(-1)).toBe('41 smaller folders');
  });

  it('ends on very deep paths and on names of the prototype', () => {
    expect(names(['a/'.repeat(2000)])).toHaveLength(1);
    expect(names(['__proto__/a', 'constructor/b']).sort()).toEqual(['__proto__/', 'constructor/']);
  });

  it('every file is in one folder', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'c', '__proto__'), { minLength: 1, maxLength: 5 });
    const list = fc.uniqueArray(
      path.map((parts) => parts.join('/')),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(list, fc.integer({ min: 2, max: 12 }), (paths, most) => {
        const folders = foldersOf(
          paths.map((one) => file(one)),
          most,
        );
        expect(folders.length).toBeLessThanOrEqual(most);
        expect(folders.flatMap(({ files }) => files.map((one) => one.path)).sort()).toEqual([...paths].sort());
        expect(sum(folders)).toEqual(human(paths.length * 10));
      }),
    );
  });
});

describe('time', () => {
  const week = (key: string, lines = 10) => ({ key, counts: human(lines) });
  const weeksFrom = (start: number, count: number) =>
    Array.from({ length: count }, (_, i) => week(mondayOf(start + i * 7 * 86_400)));

  it('weeks without lines are there too', () => {
    const { unit, periods } = timelineOf([week('2026-03-02'), week('2026-03-23')]);
    expect(unit).toBe('week');
    expect(periods.map(({ key, counts }) => [key, counts.total])).toEqual([
      ['2026-03-02', 10],
      ['2026-03-09', 0],
      ['2026-03-16', 0],
      ['2026-03-23', 10],
    ]);
  });

  it.each([
    [80, 'week'],
    [200, 'month'],
    [1500, 'year'],
  ])('%i weeks are shown by %s', (count, unit) => {
    const timeline = timelineOf(weeksFrom(0, count));
    expect(timeline.unit).toBe(unit);
    expect(timeline.periods.length).toBeLessThanOrEqual(80);
    expect(sum(timeline.periods).total + timeline.earlier).toBe(count * 10);
  });

  it('one old commit does not flatten the rest', () => {
    const { unit, earlier } = timelineOf([week('1970-01-05', 3), ...weeksFrom(1_757_289_600, 30)]);
    expect([unit, earlier]).toEqual(['week', 3]);
  });

  it('counts what has no date, and ends on every key', () => {
    expect(timelineOf([week('not committed', 4), week('no date', 2), week('+275760-09', 1)])).toEqual({
      unit: 'week',
      periods: [],
      earlier: 0,
      undated: 7,
    });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -8.64e12, max: 8.64e12 })), (times) => {
        const weeks = [...new Set(times.map(mondayOf))]
          .map((key) => week(key))
          .sort((a, b) => (a.key < b.key ? -1 : 1));
        const { periods, earlier, undated } = timelineOf(weeks);
        expect(sum(periods).total + earlier + undated).toBe(weeks.length * 10);
      }),
    );
  });
});

describe('colours', () => {
  const light = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string) =>
    (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);

  it.each([
    ['light', LIGHT],
    ['dark', DARK],
  ] as const satisfies readonly (readonly [string, Palette])[])('%s: what is written can be read', (_, palette) => {
    const { paper, panel, ink, soft, link, kinds, steps } = palette;
    const pairs = [
      ...[paper, panel].flatMap((ground) => [ink, soft, link].map((text) => [ground, text] as const)),
      ...Object.values(kinds).map(([fill, on]) => [fill, on] as const),
      ...steps,
    ];
    expect(pairs.filter(([a, b]) => contrast(a, b) < 4.5)).toEqual([]);
  });

  it.each([LIGHT, DARK])('kinds next to each other differ in lightness too', ({ kinds }) => {
    const { ai, mixed, human: person, unknown } = kinds;
    expect(contrast(ai[0], person[0])).toBeGreaterThan(1.5);
    expect(contrast(ai[0], mixed[0])).toBeGreaterThan(1.5);
    expect(contrast(person[0], unknown[0])).toBeGreaterThan(1.5);
  });
});
