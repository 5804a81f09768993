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
