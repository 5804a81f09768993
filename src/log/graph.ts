import type { Graph } from '../git/log.ts';
import { widthOf } from '../terminal/width.ts';

/** Cells that the drawing takes of each line. */
export function graphWidth({ rows }: Graph): number {
  return Math.max(...rows.map(widthOf));
}

/** Lines of a commit beside git's drawing; where they are few, the curves still end. */
export function* besideGraph({ before, rows }: Graph, lines: Iterable<string>): Generator<string> {
  for (const row of before) yield `${row.trimEnd()}\n`;
  let at = 0;
  for (const line of lines) {
    const row = rows[Math.min(at++, rows.length - 1)] ?? '';
    yield `${line === '\n' ? row.trimEnd() : row}${line}`;
  }
  for (const row of rows.slice(at)) if (/[\\/_]/.test(row)) yield `${row.trimEnd()}\n`;
}
