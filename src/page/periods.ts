import type { Group } from '../report/report.ts';
import type { Counts } from '../report/tally.ts';
import { sum } from './folders.ts';

export type Unit = 'week' | 'month' | 'year';

export interface Timeline {
  readonly unit: Unit;
  /** Without gaps, oldest first: nothing in a week is told too. */
  readonly periods: readonly Group[];
  /** Lines before the first period. */
  readonly earlier: number;
  /** Lines that no date is known of. */
  readonly undated: number;
}

/** More columns than this are too thin to see. */
const MOST = 80;
/** A finer unit is taken when it still shows nearly everything: one commit dated 1970 shall not flatten a year's work. */
const ENOUGH = 0.95;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Weeks, or months or years where there are too many of them. */
export function timelineOf(weeks: readonly Group[]): Timeline {
  const dated = weeks.filter(({ key }) => DATE.test(key));
  const all = sum(dated).total;
  const undated = sum(weeks).total - all;
  const units = (['week', 'month', 'year'] as const).map((unit) => ({ unit, periods: periodsOf(dated, unit) }));
  const lines = (periods: readonly Group[]) => sum(periods).total;
  const { unit, periods } = units.find((one) => lines(one.periods) >= all * ENOUGH) ??
    units.at(-1) ?? { unit: 'week', periods: [] };
  return { unit, periods, earlier: all - lines(periods), undated };
}

/** The period a week belongs to: that of its Monday. */
export function periodOf(monday: string, unit: Unit): string {
  return monday.slice(0, unit === 'week' ? 10 : unit === 'month' ? 7 : 4);
}

/** The last periods up to the newest line. */
function periodsOf(weeks: readonly Group[], unit: Unit): Group[] {
  const groups = new Map<string, Group[]>();
  for (const week of weeks) {
    const key = periodOf(week.key, unit);
    groups.set(key, [...(groups.get(key) ?? []), week]);
  }
  const keys = [...groups.keys()].sort();
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return [];
  const periods: Group[] = [];
  for (let key = last; key >= first && periods.length < MOST; key = before(key, unit)) {
    periods.push({ key, counts: countsOf(groups.get(key)) });
  }
  return periods.reverse();
}

function countsOf(groups: readonly Group[] = []): Counts {
  return sum(groups);
}

function before(key: string, unit: Unit): string {
  const date = new Date(`${key}${unit === 'week' ? '' : unit === 'month' ? '-01' : '-01-01'}T00:00:00Z`);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() - 7);
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() - 1);
  if (unit === 'year') date.setUTCFullYear(date.getUTCFullYear() - 1);
  // before the year 0 there is a minus, which sorts before every digit and so ends the loop
  return Number.isNaN(date.getTime()) ? '' : periodOf(date.toISOString(), unit);
}
