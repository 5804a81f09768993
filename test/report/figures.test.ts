import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printBar } from '../../src/report/bars.ts';
import { apportion, headline, percentages } from '../../src/report/figures.ts';
import { type Counts, KINDS } from '../../src/report/tally.ts';
import { paintWith } from '../../src/terminal/colour.ts';

const counted = (ai: number, mixed: number, human: number, unknown: number): Counts => ({
  total: ai + mixed + human + unknown,
  ai,
  mixed,
  human,
  unknown,
});
const anyParts = fc.array(fc.oneof(fc.nat(3), fc.nat(1_000_000)), { minLength: 1, maxLength: 12 });
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

it('what is shared out adds up to the whole, and nobody is one off', () => {
  fc.assert(
    fc.property(anyParts, fc.nat(200), (parts, whole) => {
      const [total, shares] = [sum(parts), apportion(parts, whole)];
      expect(sum(shares)).toBe(total === 0 ? 0 : whole);
      for (const [i, share] of shares.entries())
        expect(Math.abs(share - (total === 0 ? 0 : (whole * (parts[i] ?? 0)) / total))).toBeLessThan(1);
    }),
  );
});

describe('percentages', () => {
  it.each<[number[], string[]]>([
    [
      [0, 0],
      ['0 %', '0 %'],
    ],
    [
      [5, 0],
      ['100 %', '0 %'],
    ],
    [
      [1, 1, 1],
      ['33 %', '33 %', '33 %'],
    ],
    [
      [999, 1],
      ['>99 %', '<1 %'],
    ],
    [
      [1, 999_999, 0],
      ['<1 %', '>99 %', '0 %'],
    ],
    [
      [985, 9, 6],
      ['99 %', '1 %', '1 %'],
    ],
  ])('%j are %j', (parts, printed) => expect(percentages(parts)).toEqual(printed));

  it('are equal for equal counts of one whole, never half a point off, none of nothing only and all of everything only', () => {
    fc.assert(
      fc.property(anyParts, (parts) => {
        const total = sum(parts);
        for (const [i, printed] of percentages(parts).entries()) {
          const part = parts[i] ?? 0;
          const exact = total === 0 ? 0 : (100 * part) / total;
          expect(printed).toBe(percentages([part, total - part])[0]);
          if (/^\d/.test(printed)) expect(Math.abs(Number.parseInt(printed, 10) - exact)).toBeLessThanOrEqual(0.5);
          expect(printed === '0 %').toBe(part === 0);
          expect(printed === '100 %').toBe(part > 0 && part === total);
          if (printed === '<1 %') expect(exact).toBeLessThan(1);
          if (printed === '>99 %') expect(exact).toBeGreaterThan(99);
        }
      }),
    );
  });
});

describe('a bar', () => {
  const bar = (counts: Counts, length: number) => printBar(counts, length, paintWith(false));

  it.each([
    [counted(6, 1, 2, 1), 10, 'AAAAAAMHH?'],
    [counted(1_000_000, 1, 0, 1), 10, 'AAAAAAAAM?'],
    [counted(0, 0, 3, 0), 4, 'HHHH'],
    [counted(9, 5, 1, 1), 2, 'AM'],
  ])('%j of %i letters', (counts, length, drawn) => expect(bar(counts, length)).toBe(drawn));

  it('has its length, and every kind that is there', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.nat(), fc.nat(9), fc.nat(9), fc.nat()),
        fc.integer({ min: 4, max: 99 }),
        (parts, length) => {
          const counts = counted(...parts);
          const drawn = bar(counts, length);
          expect(drawn).toHaveLength(counts.total === 0 ? 0 : length);
          const letters = ['A', 'M', 'H', '?'];
          for (const [i, kind] of KINDS.entries()) expect(drawn.includes(letters[i] ?? '')).toBe(counts[kind] > 0);
        },
      ),
    );
  });
});

describe('the headline', () => {
  const scope = { kind: 'added', range: 'a..b', commits: 1 } as const;
  it.each([
    [counted(0, 0, 0, 0), 'No added lines to count'],
    [counted(1, 0, 0, 0), '100 % of 1 added line was written by agents'],
    [counted(620, 0, 380, 0), '62 % of 1,000 added lines were written by agents'],
    [
      counted(0, 1, 1, 2),
      '0 % of 4 added lines were written by agents, 25 % by agents and people together; 50 % unknown',
    ],
  ])('of %j', (counts, told) => {
    const { says, and } = headline({ scope, counts });
    expect(says + and).toBe(told);
  });

  it('of standing lines', () => {
    const standing = { kind: 'standing', revision: 'HEAD', files: 1 } as const;
    expect(headline({ scope: standing, counts: counted(1, 0, 1, 0) }).says).toBe(
      '50 % of 2 standing lines were written by agents',
    );
  });
});
