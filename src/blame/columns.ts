import { cut, widthOf } from '../terminal/width.ts';

/** Cells of the columns before the text. */
export type Widths = Readonly<Record<'revision' | 'who' | 'date' | 'file' | 'number' | 'original', number>>;

/** A name of any length is allowed; a screen is not. */
export const MOST = { who: 48, file: 60 } as const;
/** Narrower than this a column says nothing. */
const LEAST = 16;
/** On a screen of less than this there is no place for dates, and a few letters of a name must do. */
const TINY = { screen: 60, least: 4 } as const;
/** So much of a screen may stand before the text: nearly two thirds. */
const BEFORE = 0.65;

/** On a narrow screen names and paths give way, on a tiny one dates go first, so that the text is still on it. */
export function fitColumns(asked: Widths, screen: number | undefined, keepDate = false): Widths {
  if (screen === undefined) return asked;
  const tiny = screen < TINY.screen;
  const least = tiny ? TINY.least : LEAST;
  const wished = tiny && !keepDate ? { ...asked, date: 0 } : asked;
  const who = Math.min(wished.who, MOST.who);
  const file = Math.min(wished.file, MOST.file);
  const fixed = wished.revision + wished.date + wished.number + wished.original + GAPS;
  const room = Math.max(0, Math.floor(screen * BEFORE) - fixed);
  const forFile = Math.min(file, Math.max(least, room - Math.min(who, Math.floor(room / 2))));
  return { ...wished, file: forFile, who: Math.min(who, Math.max(least, room - forFile)) };
}

/** The marker, brackets and blanks between the columns. */
const GAPS = 8;

/** At most `width` cells of a path: its end says more than its beginning. */
export function cutPath(path: string, width: number): string {
  if (widthOf(path) <= width) return path;
  // whole folders where that leaves something, else letters
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const end = `…${path.slice(at)}`;
    if (widthOf(end) <= width) return end;
  }
  return cut(path.slice(path.lastIndexOf('/') + 1), width);
}
