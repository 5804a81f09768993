import { sameVoice } from '../lines/origin.ts';
import { isDistinct, type Lines } from '../lines/text.ts';
import { likeness } from './similar.ts';
import type { Trail, Writer } from './state.ts';

interface Before {
  readonly lines: Lines;
  readonly trails: readonly Trail[];
}

interface After {
  readonly lines: Lines;
  readonly trails: readonly (Trail | undefined)[];
  /** For each line of it, the one before that it is, or -1. */
  readonly map: readonly number[];
}

/**
 * What is left of a block that somebody wrote, where nothing that says much is left of it and another hand's words stand in its place: the
 * block may have been thrown away (`git checkout -- file`), and `return null;` and `}` typed anew. An edit of one of its lines is none.
 *
 *     function a() {    ->    function b() {     the other hand's
 *       return null;            return null;     whose?
 *     }                       }                  whose?
 */
export function remains(before: Before, after: After, { origin, gap }: Writer): number[] {
  const found: number[] = [];
  // made once, and only where a block asks for them: a file may have thousands
  let stands: Stands | undefined;
  for (let start = 0; gap && start < before.lines.length; ) {
    const end = endOfBlock(before, start);
    const trail = before.trails[start];
    if (trail && 'origin' in trail && trail.origin.type !== 'unknown' && !sameVoice(trail.origin, origin)) {
      stands ??= { at: invert(after.map), lines: new Set(after.lines) };
      found.push(...remainsOf(before.lines.slice(start, end), start, after, stands));
    }
    start = end;
  }
  return found;
}

/** Where old lines stand now, and all that stands. */
interface Stands {
  readonly at: ReadonlyMap<number, number>;
  readonly lines: ReadonlySet<string>;
}

function invert(map: readonly number[]): Map<number, number> {
  return new Map(map.flatMap((old, i) => (old < 0 ? [] : [[old, i] as const])));
}

function remainsOf(block: Lines, start: number, after: After, stands: Stands): number[] {
  const left = block.flatMap((_, k) => stands.at.get(start + k) ?? []);
  const [first, last, said] = [left[0], left.at(-1), block.filter(isDistinct)];
  if (first === undefined || last === undefined || said.length === 0) return [];
  const fresh = freshAround(after, [first, last]);
  const words = fresh.map((i) => after.lines[i] ?? '').filter(isDistinct);
  const isLeft = (line: string) => stands.lines.has(line) || words.some((one) => likeness(one, line) >= EDITED);
  if (words.length === 0 || said.some(isLeft)) return [];
  return [...left, ...fresh.filter((i) => isMixed(after.trails[i]))];
}

/** More than `function` in common. */
const EDITED = 0.6;

/** New lines in the place of the block. */
function freshAround({ lines, map }: After, [first, last]: readonly [number, number]): number[] {
  const isFresh = (i: number) => i in lines && (map[i] ?? -1) < 0;
  let [from, to] = [first, last];
  while (isFresh(from - 1)) from--;
  while (isFresh(to + 1)) to++;
  return Array.from({ length: to - from + 1 }, (_, k) => from + k).filter(isFresh);
}

/** Taken for an edit of a line of the block. */
function isMixed(trail: Trail | undefined): boolean {
  return trail !== undefined && 'origin' in trail && trail.origin.type === 'mixed';
}

/** Of lines that stand together and are of one hand, the first that is no more. */
function endOfBlock({ lines, trails }: Before, start: number): number {
  const first = trails[start];
  let end = start + 1;
  while (end < lines.length && isSameHand(first, trails[end])) end++;
  return end;
}

function isSameHand(a: Trail | undefined, b: Trail | undefined): boolean {
  if (!a || !b) return false;
  return 'origin' in a ? 'origin' in b && sameVoice(a.origin, b.origin) : 'base' in b;
}
