import type { Paint } from '../terminal/colour.ts';
import { cut, pad, widthOf, wrap } from '../terminal/width.ts';
import { COLOURS, LETTERS, printBar } from './bars.ts';
import {
  excludedSize,
  first,
  grouped,
  headline,
  kindPercentages,
  nonZero,
  scopeOf,
  skippedSize,
  unrecordedOf,
} from './figures.ts';
import { cutPath, nameOf, pathOf } from './names.ts';
import type { Dimension, Report } from './report.ts';
import type { Excluded } from './run.ts';
import { printTable, rowsOf, type Screen } from './table.ts';
import { KINDS } from './tally.ts';

export interface ReportTextOptions {
  readonly paint: Paint;
  /** Cells of a line of the screen. */
  readonly columns: number;
  /** The tables that were asked for; else the three that most people want. */
  readonly by?: readonly Dimension[];
}

const USUAL: readonly Dimension[] = ['model', 'author', 'path'];
/** Rows of a table that nobody asked for, and of one that somebody did. */
const ROWS = { usual: 10, asked: 100 } as const;
/** Between what still holds a table and what an eye still follows. */
const WIDTH = { least: 40, most: 120 } as const;
const SHOWN = { reasons: 5, commits: 5, excluded: 10 } as const;
const NAME_WIDTH = 60;

/** The answer in a sentence, a bar of the four kinds, the tables, then how it is known and what is missing. */
export function* printReportText(report: Report, { paint, columns, by }: ReportTextOptions): Generator<string> {
  const width = Math.min(Math.max(Math.trunc(columns) || 0, WIDTH.least), WIDTH.most);
  const screen: Screen = { paint, width };
  yield* printHead(report, screen);
  if (report.counts.total > 0) {
    yield '\n';
    yield `${printBar(report.counts, width, paint)}\n`;
    yield* printLegend(report, screen);
    for (const dimension of by ?? USUAL) {
      yield '\n';
      yield* printTable(rowsOf(report.by[dimension], dimension, by ? ROWS.asked : ROWS.usual), dimension, screen);
    }
  }
  const notes = notesOf(report, width);
  if (notes.length > 0) yield '\n';
  for (const [label, items] of notes) yield* printNote(label, items, screen);
}

function* printHead(report: Report, { paint, width }: Screen): Generator<string> {
  const { says, and } = headline(report);
  for (const line of wrap(`${says}${and}`, width)) yield `${paint('bold', line)}\n`;
  const { name, size } = scopeOf(report.scope);
  yield `${paint('dim', `${cut(nameOf(name), width - size.length - 2)}, ${size}`)}\n`;
}

function* printLegend({ counts }: Report, { paint, width }: Screen): Generator<string> {
  const percent = kindPercentages(counts);
  const parts = KINDS.map((kind) => {
    const share = counts[kind] === 0 ? '' : ` (${percent[kind]})`;
    return `${LETTERS[kind]} ${kind} ${grouped(counts[kind])}${share}`;
  });
  const coloured = (part: string) =>
    paint(COLOURS[KINDS.find((kind) => part.startsWith(LETTERS[kind])) ?? 'unknown'], part);
  for (const line of flow(listed(parts), width)) yield `${line.map(coloured).join(' ')}\n`;
}

type Note = readonly [label: string, items: readonly string[]];
const LABEL = 'no record'.length + 2;
/** What a reader has to know of the figures; what there is nothing to say of is left out. */
function notesOf(report: Report, width: number): Note[] {
  const { evidence, via, reasons, unrecorded, excluded, skipped, unread } = report;
  const room = width - LABEL;
  const why = first(reasons, SHOWN.reasons);
  const told = why.shown.map(({ reason, lines }) => fitted(nameOf(reason), ` ${grouped(lines)}`, { room, by: cut }));
  const commits = first(unrecorded, SHOWN.commits);
  const ids = commits.shown.map((id) => nameOf(id).slice(0, 10));
  const notes: Note[] = [
    ['evidence', listed(nonZero(evidence))],
    ['via', listed(nonZero(via))],
    ['unknown', listed(told, why.more)],
    ['no record', headed(unrecordedOf(report), listed(ids, commits.more))],
    ['left out', excludedItems(excluded, room)],
    ['not read', headed('notes in', listed(unread.map((ref) => cut(nameOf(ref), room - 1))))],
    ['skipped', skipped === 0 ? [] : [`${skippedSize(skipped)},`, 'too large, damaged', 'or not here']],
  ];
  return notes.filter(([, items]) => items.length > 0);
}

/** A name as long as what stands behind it, a comma included, leaves room for. */
function fitted(name: string, behind: string, { room, by }: { room: number; by: typeof cut }): string {
  return by(name, Math.min(NAME_WIDTH, room - behind.length - 1)) + behind;
}

/** With a comma behind each but the last. */
function listed(items: readonly string[], more = 0): string[] {
  const all = more === 0 ? items : [...items, `${grouped(more)} more`];
  return all.map((item, i) => (i === all.length - 1 ? item : `${item},`));
}

/** `3 of 12 commits: a, b, c` */
function headed(head: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${head}:`, ...items];
}

function excludedItems(excluded: readonly Excluded[], room: number): string[] {
  const bySize = [...excluded].sort((a, b) => b.lines - a.lines);
  const { shown, more } = first(bySize, SHOWN.excluded);
  const names = shown.map(({ path, why, lines }) => {
    const size = lines === 0 ? '' : ` ${grouped(lines)}`;
    return fitted(pathOf(path), ` (${why}${size})`, { room, by: cutPath });
  });
  return headed(excludedSize(excluded), listed(names, more));
}

function* printNote(label: string, items: readonly string[], { paint, width }: Screen): Generator<string> {
  for (const [i, line] of flow(items, width - LABEL).entries()) {
    yield `${i === 0 ? paint('bold', pad(label, LABEL)) : ' '.repeat(LABEL)}${line.join(' ')}\n`;
  }
}

/** Items in lines of at most `width` cells, one space between them. */
function flow(items: readonly string[], width: number): string[][] {
  const lines: string[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const wide = widthOf(item);
    if (used + 1 + wide > width) {
      lines.push([]);
      used = wide;
    } else used += 1 + wide;
    lines.at(-1)?.push(item);
  }
  return lines;
}
