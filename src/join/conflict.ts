import { type Origin, unknown } from '../lines/origin.ts';
import type { Lines } from '../lines/text.ts';
import { BY_GIT } from './state.ts';

/** How git's marks, and jj's, begin and end a conflict, and what stands between the sides; jj shows some as differences. */
const [BEGIN, END] = ['<<<<<<< ', '>>>>>>> '];
const SIDES = ['=======', '%%%%%%% ', '+++++++ '];

/** Lines between the marks of a conflict come from other commits: nobody typed them here. */
export function conflictGap(text: Lines): Origin | undefined {
  const has = (mark: string) => text.some((line) => line.startsWith(mark));
  return has(BEGIN) && has(END) && SIDES.some(has) ? unknown(BY_GIT) : undefined;
}

const DIFFERENCE = '%%%%%%% ';
const MARKS = [BEGIN, END, '+++++++ ', '------- '];

/**
 * A conflict as whoever settles it takes it up: where jj shows a difference, a sign stands before each line, and what stands in the next text
 * without it is the same line.
 */
export function withoutSigns(text: Lines, next: Lines): Lines {
  if (!conflictGap(text)) return text;
  const kept = new Set(next);
  let signed = false;
  return text.map((line) => {
    if (line.startsWith(DIFFERENCE)) signed = true;
    else if (MARKS.some((mark) => line.startsWith(mark))) signed = false;
    return signed && /^[-+ ]/.test(line) && !kept.has(line) && kept.has(line.slice(1)) ? line.slice(1) : line;
  });
}
