// What a case measured, made into rows: ratios, verdicts, and how the cost of a series grows with its size. Pure.
import { fitExponent } from './fit.mjs';

/** Names of what our time is held against, the first that raced along; a row may name another one. */
const OPPONENTS = ['git', 'plain', 'recorded', 'show', 'status', 'node'];

/** On a loaded machine a small run says no only to what is this many times over its budget. */
export const GROSS = 4;

/** A row without a budget states a figure. `limit`: how many times the budget is still taken. */
export function completeRow(name, row, limit = 1) {
  const ratio = row.budget === undefined ? undefined : row.ours.min / row.budget;
  const ok = (ratio ?? 0) <= limit && row.right !== false;
  return { case: name, unit: 'ms', ...row, ratio, ok, beside: row.beside, against: againstOf(row) };
}

/** Ours beside git (or Node, where git has nothing like it) in the same rounds: medians. */
function againstOf({ ours, beside, against }) {
  const name = against ?? OPPONENTS.find((one) => beside?.[one]);
  const other = beside?.[name];
  if (!other || ours.median === undefined) return undefined;
  return { name, median: other.median, times: ours.median / other.median };
}

/** One for each series of a case: rows that differ in their size alone. */
export function slopesOf(rows) {
  const series = new Map();
  for (const row of rows) {
    if (row.size === undefined) continue;
    const key = `${row.case} ${row.series}`;
    series.set(key, [...(series.get(key) ?? []), row]);
  }
  return [...series.values()].flatMap((some) => {
    const exponent = fitExponent(some.map(({ size, ours }) => [size, ours.min]));
    if (exponent === undefined) return [];
    const theirs = some.filter(({ beside, against }) => against && beside[against.name]);
    return {
      case: some[0].case,
      series: some[0].series,
      sizes: some.map(({ size }) => size),
      exponent,
      against: fitExponent(theirs.map(({ size, beside, against }) => [size, beside[against.name].min])),
    };
  });
}
