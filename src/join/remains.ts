import { type Origin, sameVoice } from '../lines/origin.ts';
import { isDistinct, isInformative, type Lines } from '../lines/text.ts';
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
      const block = { lines: before.lines.slice(start, end), start, hand: trail.origin };
      found.push(...remainsOf(block, after, stands));
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

/** Lines that stood together, of one hand. */
interface Block {
  readonly lines: Lines;
  readonly start: number;
  readonly hand: Origin;
}

function remainsOf(block: Block, after: After, stands: Stands): number[] {
  const left = block.lines.flatMap((_, k) => stands.at.get(block.start + k) ?? []);
  const [first, last] = [left[0], left.at(-1)];
  if (first === undefined || last === undefined || !block.lines.some(isInformative)) return [];
  const fresh = freshAround(after, [first, last]);
  const said = fresh.filter((i) => isInformative(after.lines[i] ?? ''));
  // a formatter gave it another form
  if (said.length === 0 || said.some((i) => isOf(after.trails[i], block.hand))) return [];
  const words = said.map((i) => after.lines[i] ?? '');
  if (isLeft(block, words, stands)) return [];
  return [...left, ...fresh.filter((i) => isMixed(after.trails[i]))];
}

function isOf(trail: Trail | undefined, hand: Origin): boolean {
  return trail !== undefined && 'origin' in trail && sameVoice(trail.origin, hand);
}

/** One line of the block that says much is left, or edited; where none says much, most of those that say something are, or half of them with the first. */
function isLeft({ lines, start }: Block, words: Lines, stands: Stands): boolean {
  const isEdited = (line: string) => words.some((one) => likeness(one, line) >= EDITED);
  const said = lines.filter(isDistinct);
  if (said.length > 0) return said.some((line) => stands.lines.has(line) || isEdited(line));
  const short = [...lines.keys()].filter((k) => isInformative(lines[k] ?? ''));
  const kept = short.filter((k) => stands.at.has(start + k) || isEdited(lines[k] ?? ''));
  return 2 * kept.length + Number(kept[0] === short[0]) > short.length;
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
