import type { Colour, Paint } from '../terminal/colour.ts';
import { widthOf } from '../terminal/width.ts';
import { crop } from './cells.ts';

/** A piece of a line of the screen; `tone` is a colour, where there are colours. */
export interface Span {
  readonly text: string;
  readonly tone?: Colour;
}

export type Row = readonly Span[];

export function span(text: string, tone?: Colour): Span {
  return tone ? { text, tone } : { text };
}

/** Exactly `width` cells. */
export function fitRow(row: Row, width: number): Row {
  const fitted: Span[] = [];
  let left = width;
  for (const one of row) {
    if (left <= 0) break;
    const cells = widthOf(one.text);
    fitted.push(cells <= left ? one : { ...one, text: crop(one.text, left) });
    left -= Math.min(cells, left);
  }
  return left > 0 ? [...fitted, span(' '.repeat(left))] : fitted;
}

export function printRow(row: Row, paint: Paint): string {
  return row.map(({ text, tone }) => (tone && text !== '' ? paint(tone, text) : text)).join('');
}
