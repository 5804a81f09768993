import type { Paint } from '../terminal/colour.ts';
import { plain } from '../terminal/plain.ts';
import { cut, pad, widthOf } from '../terminal/width.ts';
import type { Entry } from './entry.ts';

export interface Screen {
  readonly width: number;
  readonly paint: Paint;
}

const GAP = '  ';
const LEAST = 20;
/** Only the beginning of a text is looked at for its first line. */
const MAX_TEXT = 4000;

/** Time, session, event and a line of what it says. */
export function* printEntries(entries: readonly Entry[], { width, paint }: Screen): Generator<string> {
  const rows = entries.map(({ time, session, type, shared }) => [
    plain(time),
    plain(`${session}${shared ? ' (shared)' : ''}`),
    plain(type),
  ]);
  const widths = [0, 1, 2].map((column) => rows.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 0));
  for (const [i, row] of rows.entries()) {
    const [time = '', session = '', type = ''] = row.map((cell, column) => pad(cell, widths[column] ?? 0));
    const room = Math.max(LEAST, width - widthOf([time, session, type, ''].join(GAP)));
    const text = cut(plain(firstLine(entries[i]?.text ?? '')), room);
    yield [time, paint('bold', session), paint('cyan', type), text].join(GAP).trimEnd().concat('\n');
  }
}

function firstLine(text: string): string {
  const shown = text.slice(0, MAX_TEXT).trimStart();
  return shown.split('\n', 1)[0] ?? '';
}

/** The same for programs: one document. */
export function* entriesJson(entries: readonly Entry[]): Generator<string> {
  yield '{"schema":"git-agent-blame/entries@1","entries":[';
  for (const [i, { at: _, ...entry }] of entries.entries()) yield `${i === 0 ? '' : ','}${JSON.stringify(entry)}`;
  yield ']}\n';
}
