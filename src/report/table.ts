import type { Paint } from '../terminal/colour.ts';
import { cut, pad, widthOf } from '../terminal/width.ts';
import { printBar } from './bars.ts';
import { grouped, kindPercentages, percentages, sumOf } from './figures.ts';
import { cutPath, nameOf, pathOf } from './names.ts';
import type { Dimension, Group } from './report.ts';
import type { Counts } from './tally.ts';

export interface Screen {
  readonly paint: Paint;
  /** Cells of a line. */
  readonly width: number;
}

export interface Row {
  readonly name: string;
  readonly counts: Counts;
  readonly percent: string;
}

/** Their groups are written by one kind of hand each: what matters is their part of the whole, not the agents' part of them. */
const OF_ALL: ReadonlySet<Dimension> = new Set(['model', 'tool', 'session']);

/** What the column of percentages says. */
export function percentTitle(dimension: Dimension): string {
  return OF_ALL.has(dimension) ? 'share' : 'ai';
}

/** At most `limit` groups, and one row for all others, so that a table adds up. Of weeks the last are shown. */
export function rowsOf(groups: readonly Group[], dimension: Dimension, limit: number): Row[] {
  const newest = dimension === 'week';
  const from = newest ? Math.max(0, groups.length - limit) : 0;
  const shown = groups.slice(from, from + limit);
  const others = newest ? groups.slice(0, from) : groups.slice(limit);
  const named = shown.map(({ key, counts }) => ({ name: dimension === 'path' ? pathOf(key) : nameOf(key), counts }));
  const rest = { name: `${grouped(others.length)} ${newest ? 'before' : 'more'}`, counts: countsOf(others) };
  const rows = others.length === 0 ? named : newest ? [rest, ...named] : [...named, rest];
  const shares = percentages(rows.map(({ counts }) => counts.total));
  return rows.map(({ name, counts }, i) => ({
    name,
    counts,
    percent: OF_ALL.has(dimension) ? (shares[i] ?? '') : kindPercentages(counts).ai,
  }));
}

const countsOf = (groups: readonly Group[]) => sumOf(groups.map(({ counts }) => counts));

const GAP = '  ';
const PERCENT = 5;
const BAR = { least: 12, most: 40 } as const;
/** Narrower screens have no bars. */
const BARS_FROM = 60;

/** Name, lines, percentage, bar; the widest bar is that of the group with most lines. */
export function* printTable(rows: readonly Row[], dimension: Dimension, { paint, width }: Screen): Generator<string> {
  const widest = (pick: (row: Row) => string, least: number) =>
    rows.reduce((most, row) => Math.max(most, widthOf(pick(row))), least);
  const lines = widest(({ counts }) => grouped(counts.total), 'lines'.length);
  const fixed = lines + PERCENT + 2 * GAP.length;
  const forBar = width < BARS_FROM ? 0 : BAR.least + GAP.length;
  const names = Math.min(
    widest(({ name }) => name, dimension.length),
    Math.max(1, width - fixed - forBar),
  );
  const bar = forBar === 0 ? 0 : Math.min(BAR.most, width - fixed - names - GAP.length);
  const cells = (name: string, count: string, percent: string) =>
    [pad(name, names), pad(count, lines, 'start'), pad(percent, PERCENT, 'start')].join(GAP);
  yield `${paint('bold', cells(dimension, 'lines', percentTitle(dimension)))}\n`;
  const most = rows.reduce((largest, { counts }) => Math.max(largest, counts.total), 1);
  for (const { name, counts, percent } of rows) {
    const shown = dimension === 'path' ? cutPath(name, names) : cut(name, names);
    const length = bar === 0 || counts.total === 0 ? 0 : Math.max(1, Math.round((bar * counts.total) / most));
    const drawn = length === 0 ? '' : `${GAP}${printBar(counts, length, paint)}`;
    yield `${cells(shown, grouped(counts.total), percent)}${drawn}\n`;
  }
}
