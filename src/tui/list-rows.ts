import { printBar } from '../report/bars.ts';
import { kindPercentages } from '../report/figures.ts';
import { plain } from '../terminal/plain.ts';
import { cut, pad } from '../terminal/width.ts';
import type { Choice } from './filter.ts';
import { layoutOf, type Model } from './model.ts';
import type { FileShare } from './source.ts';
import { fitRow, type Row, type Span, span } from './spans.ts';

/** The files of the repository, with shares. */
export function filesRows(model: Model): Row[] {
  const { shares, size } = model;
  if (!shares) return [[span('  Nothing was counted.', 'dim')]];
  if (shares.files.length === 0) return [[span(model.counting ? '' : '  There are no files.', 'dim')]];
  return window(model, shares.files).map(([file, cursor]) => fitRow(fileRow(file, cursor, size.columns), size.columns));
}

const BAR = 20;

function fileRow({ path, counts, why }: FileShare, cursor: boolean, columns: number): Row {
  const room = Math.max(8, columns - (columns < 60 ? 8 : BAR + 18));
  const name = span(`${cursor ? '>' : ' '} ${pad(cut(plain(path), room), room)}`, cursor ? 'bold' : undefined);
  if (why) return [name, span(` ${why}`, 'dim')];
  if (!counts) return [name, span(' –', 'dim')];
  const share = span(` ${kindPercentages(counts).ai.padStart(5)}`, 'magenta');
  if (columns < 60) return [name, share];
  const bar: Span[] = [];
  printBar(counts, BAR, (tone, text) => {
    bar.push(span(text, tone));
    return text;
  });
  return [name, ...bar, share, span(` ${String(counts.total).padStart(6)}`, 'dim')];
}

/** What the lines can be filtered by. */
export function filterRows(model: Model): Row[] {
  return window(model, model.choices).map(([{ filter, count }, cursor]) =>
    fitRow(
      [
        span(`${cursor ? '>' : ' '} ${String(count).padStart(6)}  `, cursor ? 'bold' : 'dim'),
        span(labelOf(filter), cursor ? 'bold' : undefined),
      ],
      model.size.columns,
    ),
  );
}

function labelOf(filter: Choice['filter']): string {
  return filter ? `${filter.by}: ${plain(filter.label)}` : 'all lines';
}

function window<T>(model: Model, all: readonly T[]): (readonly [T, boolean])[] {
  const { at, top } = model.list;
  return all.slice(top, top + layoutOf(model).body).map((one, i) => [one, top + i === at] as const);
}

export const HELP: readonly (readonly [string, string])[] = [
  ['j k, arrows', 'a line down, up'],
  ['space b, page keys', 'a screen down, up (ctrl-d, ctrl-u: half of one)'],
  ['g G, home end', 'to the first line, the last'],
  [': number', 'to that line'],
  ['left right', 'scroll long lines'],
  ['] [', 'next, previous hand'],
  ['a A', 'next, previous lines of an agent (A)'],
  ['h H', 'next, previous lines of a person (H)'],
  ['m M', 'next, previous lines of both (M)'],
  ['u U', 'next, previous unknown lines (?)'],
  ['/ n N', 'search, next, previous'],
  ['enter', 'the conversation behind the line, beside the file'],
  ['tab', 'keys to the conversation, and back to the file'],
  ['p', "the file before the line's commit"],
  ['backspace', 'return from there'],
  ['f', 'only lines of one kind, model, session or person'],
  ['o', 'the files of the repository, with shares'],
  ['escape', 'close what is open'],
  ['q', 'quit'],
];

export function helpRows({ size, list }: Model): Row[] {
  const names = size.columns < 50 ? 8 : 20;
  return HELP.slice(list.top).map(([keys, what]) =>
    fitRow([span(` ${pad(cut(keys, names), names)} `, 'bold'), span(what)], size.columns),
  );
}
