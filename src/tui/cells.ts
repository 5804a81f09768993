import { widthOf } from '../terminal/width.ts';

const ASCII = /^[\x20-\x7e]*$/;
const TAB = 8;
/** Nobody scrolls further to the right than this. */
const MOST = 20_000;

let segmenter: Intl.Segmenter | undefined;

function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Tabs as spaces, since a gutter stands before the text; a line without end is cut. */
export function spread(line: string): string {
  const text = line.length > MOST ? line.slice(0, MOST) : line;
  if (!text.includes('\t')) return text;
  const [first = '', ...rest] = text.split('\t');
  let spread = first;
  let used = widthOf(first);
  for (const part of rest) {
    const room = TAB - (used % TAB);
    spread += ' '.repeat(room) + part;
    used += room + widthOf(part);
  }
  return spread;
}

/** Exactly `width` cells of the text, from cell `from` on; half of a wide character is a space. */
export function crop(text: string, width: number, from = 0): string {
  if (width <= 0) return '';
  if (ASCII.test(text)) return text.slice(from, from + width).padEnd(width);
  let [kept, at] = ['', 0];
  for (const grapheme of graphemes(text)) {
    const [start, end] = [at, at + widthOf(grapheme)];
    at = end;
    if (end <= from && (end > start || start < from)) continue;
    if (start < from || end > from + width) {
      if (start >= from + width) break;
      kept += ' '.repeat(Math.min(end, from + width) - Math.max(start, from));
      if (end >= from + width) break;
    } else kept += grapheme;
  }
  return kept + ' '.repeat(Math.max(0, width - widthOf(kept)));
}

/** A line in pieces of at most `width` cells. */
export function fold(text: string, width: number): string[] {
  const room = Math.max(2, width);
  if (widthOf(text) <= room) return [text];
  const pieces: string[] = [];
  let [piece, used] = ['', 0];
  for (const grapheme of ASCII.test(text) ? text : graphemes(text)) {
    const cells = widthOf(grapheme);
    if (used + cells > room) {
      pieces.push(piece);
      [piece, used] = ['', 0];
    }
    piece += grapheme;
    used += cells;
  }
  return [...pieces, piece];
}
