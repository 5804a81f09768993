import { cut } from '../terminal/width.ts';
import {
  excludedSize,
  first,
  grouped,
  headline,
  howMany,
  kindPercentages,
  nonZero,
  percentages,
  scopeOf,
  skippedSize,
  unrecordedOf,
} from './figures.ts';
import { code, cutPath, nameOf, pathOf } from './names.ts';
import type { Group, Report } from './report.ts';
import { KINDS } from './tally.ts';

export interface ReportMarkdownOptions {
  /** No HTML at all: Bitbucket shows it as text. */
  readonly plain?: boolean;
  /** Rows of the tables of models, tools and files. */
  readonly top?: number;
  /** Characters of the whole; GitHub takes 65,536, and the caller adds a marker. */
  readonly limit?: number;
}

const LIMIT = 60_000;
const TOP = 10;
/** Cells of a name in a table. */
const NAME_WIDTH = 100;
const SHOWN = { reasons: 5, commits: 10, excluded: 20 } as const;

interface Section {
  /** What is missing when it is left out. */
  readonly name: string;
  readonly text: string;
  /** Title under which it is folded away. */
  readonly folded?: string;
}

/** For a comment under a pull request: the answer on the first screen, the rest below it, folded where that can be done. */
export function printReportMarkdown(report: Report, options: ReportMarkdownOptions = {}): string {
  const { limit = LIMIT, top = TOP } = options;
  const empty = report.counts.total === 0;
  const sections = [
    unread(report),
    ...(empty ? [] : [kinds(report), agents(report, 'model', top), agents(report, 'tool', top)]),
    ...(empty ? [] : [certainty(report)]),
    unrecorded(report),
    ...(empty ? [] : [files(report, top)]),
    excluded(report),
    skipped(report),
  ].filter((section) => section.text !== '');
  return fitted(head(report), sections, { limit, plain: options.plain ?? false });
}

/** Whole sections, in order, as long as they fit; what does not fit is named. */
function fitted(
  start: string,
  sections: readonly Section[],
  { limit, plain }: { limit: number; plain: boolean },
): string {
  const missing = (names: readonly string[]) =>
    names.length === 0 ? '' : `\nLeft out for length: ${names.join(', ')}.\n`;
  const reserve = missing(sections.map(({ name }) => name)).length;
  const left: string[] = [];
  let text = start;
  for (const section of sections) {
    const more = `\n${plain ? unfold(section) : fold(section)}\n`;
    if (text.length + more.length + reserve > limit) left.push(section.name);
    else text += more;
  }
  return text + missing(left);
}

/** The blank lines make Markdown of what is inside. */
function fold({ text, folded }: Section): string {
  return folded ? `<details>\n<summary>${folded}</summary>\n\n${text}\n\n</details>` : text;
}

function unfold({ text, folded }: Section): string {
  return folded ? `**${folded}**\n\n${text}` : text;
}

function head(report: Report): string {
  const { says, and } = headline(report);
  const { name, size } = scopeOf(report.scope);
  return `**${says}**${and} (${codeName(name)}, ${size})\n`;
}

const codeName = (name: string) => code(cut(nameOf(name), NAME_WIDTH));
const codePath = (path: string) => code(cutPath(pathOf(path), NAME_WIDTH));

type Cell = string | number;

/** The first column holds names, the others figures. */
function table(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) =>
    `| ${cells.map((cell) => (typeof cell === 'number' ? grouped(cell) : cell)).join(' | ')} |`;
  const ruler = titles.map((_, i) => (i === 0 ? '---' : '---:'));
  return [line(titles), `| ${ruler.join(' | ')} |`, ...rows.map(line)].join('\n');
}

function kinds({ counts }: Report): Section {
  const percent = kindPercentages(counts);
  const rows = KINDS.map((kind) => [kind, counts[kind], percent[kind]]);
  return { name: 'the four kinds', text: table(['written by', 'lines', 'share'], rows) };
}

/** Only what agents had a hand in; people and the unknown are in the table of kinds. */
function agents({ by, counts }: Report, dimension: 'model' | 'tool', top: number): Section {
  const hand = ({ counts: { ai, mixed } }: Group) => ai + mixed;
  const groups = by[dimension].filter((group) => hand(group) > 0);
  const { shown, more } = first(groups, top);
  const named: [string, number][] = shown.map((group) => [codeName(group.key), hand(group)]);
  if (more > 0) {
    const others = groups.slice(top).reduce((sum, group) => sum + hand(group), 0);
    named.push([`${grouped(more)} more`, others]);
  }
  const others = counts.human + counts.unknown;
  const shares = percentages([...named.map(([, lines]) => lines), others]);
  const rows = named.map(([name, lines], i) => [name, lines, shares[i] ?? '']);
  return { name: `by ${dimension}`, text: rows.length === 0 ? '' : table([dimension, 'lines', 'share'], rows) };
}

function certainty({ evidence, via, reasons }: Report): Section {
  const { shown, more } = first(reasons, SHOWN.reasons);
  const told = shown.map(({ reason, lines }) => `${codeName(reason)} ${grouped(lines)}`);
  const why = told.length === 0 ? [] : [`Unknown because: ${andMore(told, more)}.`];
  const text = [`How sure: ${nonZero(evidence).join(', ')}.`, `Found by: ${nonZero(via).join(', ')}.`, ...why];
  return { name: 'how sure', text: text.map((line) => `- ${line}`).join('\n') };
}

const andMore = (items: readonly string[], more: number) =>
  (more === 0 ? items : [...items, `${grouped(more)} more`]).join(', ');

const NEXT =
  'Whoever made them can send the records with `git agent push`, make them from conversations that are still on their machine with ' +
  '`git agent backfill`, or state who wrote the lines with `git agent declare`.';

function unrecorded(report: Report): Section {
  const { shown, more } = first(report.unrecorded, SHOWN.commits);
  const ids = andMore(
    shown.map((id) => codeName(id.slice(0, 10))),
    more,
  );
  const without = `**${unrecordedOf(report)} without a record**: ${ids}. ${NEXT}`;
  return { name: 'commits without a record', text: shown.length === 0 ? '' : without };
}

/** By code unit, not by language: the same order everywhere. */
const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);

function files(report: Report, top: number): Section {
  const byAgents = report.files.filter(({ counts }) => counts.ai > 0);
  byAgents.sort((a, b) => b.counts.ai - a.counts.ai || byPath(a, b));
  const { shown, more } = first(byAgents, top);
  const rows = shown.map(({ path, counts }) => [codePath(path), counts.ai, counts.total, kindPercentages(counts).ai]);
  const others = more === 0 ? '' : `\n\n${howMany(more, 'more file')} with lines by agents.`;
  return {
    name: 'files',
    folded: 'Files with most lines by agents',
    text: rows.length === 0 ? '' : `${table(['file', 'ai', 'lines', 'share'], rows)}${others}`,
  };
}

function excluded(report: Report): Section {
  const bySize = [...report.excluded].sort((a, b) => b.lines - a.lines || byPath(a, b));
  const { shown, more } = first(bySize, SHOWN.excluded);
  const rows = shown.map(({ path, why, lines }) => `- ${codePath(path)} (${why}, ${howMany(lines, 'line')})`);
  const others = more === 0 ? [] : [`- ${howMany(more, 'more file')}`];
  return {
    name: 'files that are not counted',
    folded: `Not counted: ${excludedSize(report.excluded)}`,
    text: [...rows, ...others].join('\n'),
  };
}

/** Above the figures: they would be others. */
function unread({ unread: refs }: Report): Section {
  const text =
    refs.length === 0 ? '' : `The notes in ${refs.map(codeName).join(', ')} cannot be read, or not all of them.`;
  return { name: 'which notes could not be read', text };
}

function skipped({ skipped: count }: Report): Section {
  const text = count === 0 ? '' : `${skippedSize(count)} could not be read: too large, damaged or not here.`;
  return { name: 'what could not be read', text };
}
