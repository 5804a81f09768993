import { diffLines } from '../lines/diff.ts';
import type { Lines } from '../lines/text.ts';
import type { SourceFile, SourceLine } from './source.ts';

/** One link: the file as a source left it, and what the source's record says of it. */
export interface Link {
  readonly text: Lines;
  readonly file: SourceFile;
}

/**
 * Where the old texts are still there: each source's text with the lines that its record speaks of, carried from one to the next and at
 * last onto the new text. The last writer of a line wins. Gives the source's line for each line of the text (from 1) that has one.
 *
 *     source 1   a  b          a: 1, b: 1
 *     source 2   a  x  b       x: 2, the rest as carried
 *     text       k  a  x       k: none, a: 1, x: 2
 */
export function carry(links: readonly Link[], text: Lines): Map<number, SourceLine> {
  let [lines, trails]: [Lines, (SourceLine | undefined)[]] = [[], []];
  for (const link of links) {
    trails = carryOver(lines, link.text, trails);
    lines = link.text;
    for (const one of link.file.lines) if (one.line <= lines.length) trails[one.line - 1] = one;
  }
  const found = new Map<number, SourceLine>();
  carryOver(lines, text, trails).forEach((trail, i) => {
    if (trail) found.set(i + 1, trail);
  });
  return found;
}

function carryOver<T>(from: Lines, to: Lines, trails: readonly (T | undefined)[]): (T | undefined)[] {
  return diffLines(from, to).map((old) => (old < 0 ? undefined : trails[old]));
}
