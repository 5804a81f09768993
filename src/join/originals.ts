import { type Origin, sameVoice, unknown } from '../lines/origin.ts';
import { isInformative, type Lines } from '../lines/text.ts';
import { isSureMove } from './moves.ts';
import { WENT_AWAY } from './pool.ts';
import type { State, Trail } from './state.ts';

interface After {
  readonly lines: Lines;
  readonly trails: readonly (Trail | undefined)[];
}

/**
 * An agent moves lines in two steps: it puts a copy of them elsewhere into the file, and then takes the first away. The copy is whose the first
 * was where that is committed; else nobody knows which of the two was there before.
 *
 *     [ me me me ]  a  ->  [ me me me ]  a  [ s1 s1 s1 ]  ->  a  [ ?  ?  ? ]
 */
export function originals(before: State, left: ReadonlySet<number>, after: After, writer: Origin): Map<number, Trail> {
  const found = new Map<number, Trail>();
  if (!writer.agent || left.size === 0) return found;
  const isOwn = (trail: Trail | undefined) => trail && 'origin' in trail && sameVoice(trail.origin, writer);
  const gone = new Map<string, number>();
  for (const old of left) {
    const line = before.lines[old] ?? '';
    if (isInformative(line) && !isOwn(before.trails[old])) gone.set(line, gone.has(line) ? -1 : old);
  }
  if (gone.size === 0) return found;
  for (let i = 0; i < after.lines.length; i++) {
    const old = gone.get(after.lines[i] ?? '') ?? -1;
    if (old < 0 || !isOwn(after.trails[i])) continue;
    const equal = (k: number) =>
      i + k in after.lines &&
      after.lines[i + k] === before.lines[old + k] &&
      left.has(old + k) &&
      isOwn(after.trails[i + k]);
    let [start, end] = [0, 1];
    while (equal(start - 1)) start--;
    while (equal(end)) end++;
    if (isSureMove(after.lines.slice(i + start, i + end))) {
      for (let k = start; k < end; k++) {
        const trail = before.trails[old + k];
        found.set(i + k, trail && 'base' in trail ? trail : { origin: unknown(WENT_AWAY) });
      }
    }
    i += end - 1;
  }
  return found;
}
