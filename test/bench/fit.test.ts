import path from 'node:path';
import { describe, expect, test } from 'vitest';

const BENCH = path.join(import.meta.dirname, '..', '..', 'bench');
const { fitExponent, extrapolate } = await import(path.join(BENCH, 'fit.mjs'));
const { completeRow, slopesOf } = await import(path.join(BENCH, 'rows.mjs'));
const { difference, statistics } = await import(path.join(BENCH, 'measure.mjs'));

const SIZES = [1000, 10_000, 100_000];
const powers = (factor: number, exponent: number) => SIZES.map((size) => [size, factor * size ** exponent]);

describe('how cost grows', () => {
  test.each([0, 0.1, 0.5, 1, 2])('size^%d is found again', (exponent) => {
    expect(fitExponent(powers(3, exponent))).toBeCloseTo(exponent, 10);
  });

  test('a point off the line moves it a little', () => {
    expect(
      fitExponent([
        [1000, 10],
        [10_000, 20],
        [100_000, 10],
      ]),
    ).toBeCloseTo(0, 10);
  });

  test('one size, or none, has no slope', () => {
    expect(fitExponent([])).toBeUndefined();
    expect(fitExponent([[1000, 5]])).toBeUndefined();
    expect(
      fitExponent([
        [1000, 5],
        [1000, 7],
      ]),
    ).toBeUndefined();
  });

  test('what was not measured goes on as it grew so far, at most linearly', () => {
    expect(extrapolate(powers(3, 1), 10_000_000)).toBeCloseTo(3e7, 0);
    expect(extrapolate(powers(2, 0), 10_000_000)).toBeCloseTo(2, 10);
    expect(extrapolate(powers(2, 0.5), 10_000_000)).toBeCloseTo(2 * 10_000_000 ** 0.5, 5);
    expect(extrapolate(powers(1, 0.8), 200_000)).toBeCloseTo(2 * 100_000 ** 0.8, 5);
    expect(extrapolate([[1000, 5]], 2000)).toBeUndefined();
  });
});

describe('statistics', () => {
  test('the spread is the distance between the quartiles', () => {
    expect(statistics([5, 1, 3, 2, 4])).toEqual({ min: 1, median: 3, max: 5, spread: 2, rounds: 5 });
    expect(statistics([7])).toEqual({ min: 7, median: 7, max: 7, spread: 0, rounds: 1 });
  });

  test('a difference is never below nothing, and wavers as both do', () => {
    const [longer, shorter] = [statistics([10, 12, 14]), statistics([9, 13, 17])];
    expect(difference(longer, shorter)).toEqual({ min: 1, median: 0, spread: 6, rounds: 3 });
  });
});

describe('rows', () => {
  const row = {
    what: 'x',
    ours: statistics([30, 40]),
    budget: 20,
    beside: { node: statistics([10]), git: statistics([7]) },
  };

  test('the least is held against the budget, the median against git', () => {
    expect(completeRow('a', row)).toMatchObject({ ratio: 1.5, ok: false, against: { name: 'git', times: 5 } });
  });

  test('a small run says no only to what is far over', () => {
    expect(completeRow('a', row, 4).ok).toBe(true);
    expect(completeRow('a', { ...row, budget: 7 }, 4).ok).toBe(false);
    expect(completeRow('a', { ...row, right: false }, 4).ok).toBe(false);
  });

  test('a row without a budget states a figure', () => {
    const { ratio, ok, against } = completeRow('a', { what: 'x', ours: { min: 3 } });
    expect({ ratio, ok, against }).toEqual({ ratio: undefined, ok: true, against: undefined });
  });

  test('a series has one slope, beside that of git', () => {
    const rows = SIZES.map((size) =>
      completeRow('g', { series: 's', size, ours: statistics([size]), beside: { git: statistics([8]) } }),
    );
    const [slope, ...others] = slopesOf([...rows, completeRow('g', row)]);
    expect(others).toEqual([]);
    expect(slope).toMatchObject({ case: 'g', series: 's', sizes: SIZES });
    expect(slope.exponent).toBeCloseTo(1, 10);
    expect(slope.against).toBeCloseTo(0, 10);
  });
});
