import type { ContributorType } from '../lines/origin.ts';
import type { Colour, Paint } from '../terminal/colour.ts';
import { apportion } from './figures.ts';
import { type Counts, KINDS } from './tally.ts';

/** Blame's letters and colours: a bar is read without seeing colours, and whoever knows the one knows the other. */
export const LETTERS: Readonly<Record<ContributorType, string>> = { ai: 'A', mixed: 'M', human: 'H', unknown: '?' };
export const COLOURS: Readonly<Record<ContributorType, Colour>> = {
  ai: 'magenta',
  mixed: 'yellow',
  human: 'green',
  unknown: 'dim',
};

/** `AAAAAMHHH??`: exactly `length` letters. A kind that is there at all has one, if there is room for every kind. */
export function printBar(counts: Counts, length: number, paint: Paint): string {
  const cells = cellsOf(counts, length);
  return KINDS.map((kind, i) => {
    const letters = LETTERS[kind].repeat(cells[i] ?? 0);
    return letters === '' ? '' : paint(COLOURS[kind], letters);
  }).join('');
}

function cellsOf(counts: Counts, length: number): number[] {
  const parts = KINDS.map((kind) => counts[kind]);
  const cells = apportion(parts, length);
  if (parts.filter((part) => part > 0).length > length) return cells;
  for (const [i, part] of parts.entries()) {
    if (part === 0 || (cells[i] ?? 0) > 0) continue;
    const most = cells.indexOf(Math.max(...cells));
    cells[most] = (cells[most] ?? 0) - 1;
    cells[i] = 1;
  }
  return cells;
}
