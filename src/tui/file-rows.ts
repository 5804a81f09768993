import type { AnnotatedLine } from '../blame/annotate.ts';
import { summarise } from '../blame/annotate.ts';
import type { PrintDate } from '../blame/date.ts';
import { MARKERS, printSummary, who } from '../blame/text.ts';
import { readable } from '../lines/text.ts';
import { COLOURS } from '../report/bars.ts';
import { plain, visible } from '../terminal/plain.ts';
import { cut, pad } from '../terminal/width.ts';
import { crop, spread } from './cells.ts';
import { layoutOf, type Model, type Visit } from './model.ts';
import { handOf } from './move.ts';
import { fitRow, type Row, span } from './spans.ts';

/** Only what is on the screen is made, however long the file is. */
export function fileRows(model: Model, date: PrintDate): Row[] {
  const { visit, left } = model;
  const { body, file: width } = layoutOf(model);
  const columns = columnsFor(width, visit);
  return Array.from({ length: body }, (_, i) => {
    const row = visit.top + i;
    const line = visit.file.lines[visit.rows[row] ?? -1];
    if (!line) return fitRow([span(visit.rows.length === 0 && i === 0 ? NOTHING : '')], width);
    const before = i === 0 ? undefined : visit.file.lines[visit.rows[row - 1] ?? -1];
    return lineRow(line, { columns, width, left, date, cursor: row === visit.at, goesOn: isSame(before, line) });
  });
}

const NOTHING = '  The file is empty.';

/** Who and when are said where a run of one hand in one commit begins. */
function isSame(before: AnnotatedLine | undefined, line: AnnotatedLine): boolean {
  return before !== undefined && before.blamed.commit === line.blamed.commit && handOf(before) === handOf(line);
}

/** Cells; what has none is left out. */
interface Columns {
  readonly revision: number;
  readonly who: number;
  readonly date: number;
  readonly number: number;
}

/** The narrower the screen, the less is said beside the letter and the number. */
function columnsFor(width: number, { file }: Visit): Columns {
  const number = String(file.lines.at(-1)?.blamed.line ?? 0).length;
  if (width < 40) return { revision: 0, who: 0, date: 0, number: width < 20 ? 0 : number };
  if (width < 90) return { revision: 0, who: width < 60 ? 12 : 18, date: 0, number };
  return { revision: Math.min(file.abbrev, 12), who: Math.min(36, Math.floor(width * 0.28)), date: 10, number };
}

interface LineOptions {
  readonly columns: Columns;
  readonly width: number;
  readonly left: number;
  readonly date: PrintDate;
  readonly cursor: boolean;
  readonly goesOn: boolean;
}

function lineRow(line: AnnotatedLine, { columns, width, left, date, cursor, goesOn }: LineOptions): Row {
  const { blamed, origin } = line;
  const tone = COLOURS[origin.type];
  const row = [span(cursor ? '>' : ' ', 'bold'), span(MARKERS[origin.type], tone)];
  const column = (cells: number, text: () => string) =>
    cells === 0 ? [] : [span(` ${pad(goesOn ? '' : cut(text(), cells), cells)}`, tone)];
  row.push(
    ...column(columns.revision, () => (blamed.uncommitted ? 'not yet' : blamed.commit.slice(0, columns.revision))),
  );
  row.push(...column(columns.who, () => who(line, false)));
  row.push(...column(columns.date, () => plain(date({ seconds: blamed.authorTime, zone: blamed.authorZone }))));
  if (columns.number > 0)
    row.push(span(` ${pad(String(blamed.line), columns.number, 'start')}`, cursor ? 'bold' : 'dim'));
  row.push(span(width < 20 ? ' ' : '│', 'dim'));
  const used = row.reduce((sum, { text }) => sum + text.length, 0);
  const text = crop(spread(visible(readable(blamed.text.slice(0, MOST_BYTES)))), Math.max(0, width - used), left);
  return fitRow([...row, span(text, cursor ? 'bold' : undefined)], width);
}

const MOST_BYTES = 80_000;

const TITLES: Readonly<Partial<Record<Model['mode'], string>>> = {
  files: 'Files, and whose lines stand in them',
  filter: 'Show only',
  help: 'Keys',
};

/** The file, where it stands, its shares, and what is left out of it. */
export function headerRow({ visit, visits, size, mode, counting }: Model): Row {
  const title = TITLES[mode];
  const far = mode === 'files' && counting ? `  ${counting}` : '';
  if (title) return fitRow([span(title, 'bold'), span(far, 'dim')], size.columns);
  const { file, filter } = visit;
  const where = file.revision === null ? '' : ` @ ${file.revision.slice(0, Math.max(7, file.abbrev))}`;
  const lines = visit.rows.flatMap((row) => file.lines[row] ?? []);
  return fitRow(
    [
      span(plain(file.path), 'bold'),
      span(where, 'yellow'),
      span(visits.length > 0 ? ` (${visits.length} back)` : '', 'dim'),
      span(filter ? `  [only ${plain(filter.label)}]` : '', 'cyan'),
      span(file.skipped > 0 ? `  ${file.skipped} notes unread` : '', 'yellow'),
      span(`  ${printSummary(summarise(lines))}`, 'dim'),
    ],
    size.columns,
  );
}
