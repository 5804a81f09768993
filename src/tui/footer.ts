import { plain } from '../terminal/plain.ts';
import { widthOf } from '../terminal/width.ts';
import type { Model } from './model.ts';
import { fitRow, type Row, span } from './spans.ts';

/** The last line of the screen: what is typed, what happened, or else which keys there are; and where one is. */
export function footerRow(model: Model): Row {
  const { columns } = model.size;
  const where = whereabouts(model);
  const room = columns - widthOf(where) - 1;
  if (room < 10) return fitRow([said(model)], columns);
  return [...fitRow([said(model)], room), span(' '), span(where, 'dim')];
}

function said(model: Model) {
  const { prompt, message, busy, mode } = model;
  if (prompt) return span(`${prompt.for === 'line' ? ':' : '/'}${plainly(prompt.text)}_`, 'bold');
  if (message) return span(plain(message), 'yellow');
  if (busy) return span(`${busy} …`, 'yellow');
  return span(HINTS[mode], 'dim');
}

/** A space at the end counts while one types. */
function plainly(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '');
}

const HINTS: Readonly<Record<Model['mode'], string>> = {
  file: '? help  q quit  enter conversation  ] [ hands  / search  p before  f filter  o files',
  story: 'j k scroll  tab to the file  escape close  q quit',
  files: 'enter open  / search  escape back  q quit',
  filter: 'enter choose  escape back  q quit',
  help: 'j k scroll  any other key: back',
};

function whereabouts({ mode, visit, list, shares, choices }: Model): string {
  if (mode === 'help') return '';
  const [at, count] =
    mode === 'files'
      ? [list.at, shares?.files.length ?? 0]
      : mode === 'filter'
        ? [list.at, choices.length]
        : [visit.at, visit.rows.length];
  return count === 0 ? '' : `${at + 1}/${count}`;
}
