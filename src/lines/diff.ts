import { diffArrays } from 'diff';
import { isDistinct, isInformative, type Lines } from './text.ts';

/** For each line of the new text (from 0), the line of the old text that it is, or -1. Ascending where it is not -1. */
export type LineMap = readonly number[];

/** Old lines [oldStart, oldEnd) became new lines [newStart, newEnd); one side may be empty. Counted from 0. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Beyond this many edits between two anchors we call the stretch rewritten: an exact script would cost too much and tell nobody anything. */
const MAX_EDITS = 1500;

export function identity(length: number): LineMap {
  return Array.from({ length }, (_, i) => i);
}

/** Where the lines went by `first` and then by `second`. */
export function compose(first: LineMap, second: LineMap): LineMap {
  return second.map((middle) => (middle < 0 ? -1 : (first[middle] ?? -1)));
}

/**
 * Lines that occur once in both texts hold the rest in place (patience diff); what lies between them is compared exactly. A brace holds
 * nothing where a line that says something does.
 */
export function diffLines(older: Lines, newer: Lines, says: (line: string) => boolean = isInformative): LineMap {
  const map = new Array<number>(newer.length).fill(-1);
  const pending: Hunk[] = [{ oldStart: 0, oldEnd: older.length, newStart: 0, newEnd: newer.length }];
  for (let stretch = pending.pop(); stretch; stretch = pending.pop()) {
    let rest = trim(older, newer, stretch, map);
    if (rest.oldStart === rest.oldEnd || rest.newStart === rest.newEnd) continue;
    let unique = findUnique(older, newer, rest);
    const isSaying = ({ old }: Anchor) => says(older[old] ?? '');
    if (unique.some(isSaying)) {
      rest = giveBack(newer, { stretch, rest }, map);
      unique = findUnique(older, newer, rest);
    }
    const saying = unique.filter(isSaying);
    const anchors = longestAscending(saying.length > 0 ? saying : unique);
    if (anchors.length === 0) compareExactly(older, newer, rest, map);
    else pending.push(...between(rest, anchors, map));
  }
  return map;
}

/** The changed stretches that a map leaves, in order. */
export function hunksOf(map: LineMap, oldLength: number): Hunk[] {
  const hunks: Hunk[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (let i = 0; i <= map.length; i++) {
    const old = i < map.length ? (map[i] ?? -1) : oldLength;
    if (old < 0) continue;
    if (old > oldAt || i > newAt) hunks.push({ oldStart: oldAt, oldEnd: old, newStart: newAt, newEnd: i });
    oldAt = old + 1;
    newAt = i + 1;
  }
  return hunks;
}

/** Takes equal lines off both ends. */
function trim(older: Lines, newer: Lines, stretch: Hunk, map: number[]): Hunk {
  let { oldStart, oldEnd, newStart, newEnd } = stretch;
  while (oldStart < oldEnd && newStart < newEnd && older[oldStart] === newer[newStart]) map[newStart++] = oldStart++;
  while (oldStart < oldEnd && newStart < newEnd && older[oldEnd - 1] === newer[newEnd - 1]) map[--newEnd] = --oldEnd;
  return { oldStart, oldEnd, newStart, newEnd };
}

/** So many lines at each end. */
const MAX_BACK = 20;

/**
 * Where something was moved, equal lines at both ends may be those of others: the brace that now stands last is that of what was moved to
 * the end. So lines that say little are given back, and go with what stands beside them.
 */
function giveBack(newer: Lines, { stretch, rest }: Record<'stretch' | 'rest', Hunk>, map: number[]): Hunk {
  let { oldStart, oldEnd, newStart, newEnd } = rest;
  const [first, last] = [Math.max(stretch.newStart, newStart - MAX_BACK), Math.min(stretch.newEnd, newEnd + MAX_BACK)];
  for (; newStart > first && !isDistinct(newer[newStart - 1] ?? ''); oldStart--) map[--newStart] = -1;
  for (; newEnd < last && !isDistinct(newer[newEnd] ?? ''); oldEnd++) map[newEnd++] = -1;
  return { oldStart, oldEnd, newStart, newEnd };
}

interface Anchor {
  readonly old: number;
  readonly new: number;
}

function findUnique(older: Lines, newer: Lines, stretch: Hunk): Anchor[] {
  const once = new Map<string, { old: number; new: number }>();
  const count = (key: string, side: 'old' | 'new', at: number) => {
    const seen = once.get(key);
    if (!seen) once.set(key, { old: -1, new: -1, [side]: at });
    else seen[side] = seen[side] === -1 ? at : -2; // -2: more than once
  };
  for (let i = stretch.oldStart; i < stretch.oldEnd; i++) count(older[i] ?? '', 'old', i);
  for (let i = stretch.newStart; i < stretch.newEnd; i++) count(newer[i] ?? '', 'new', i);
  return [...once.values()].filter((place) => place.old >= 0 && place.new >= 0).sort((a, b) => a.new - b.new);
}

/** The longest subsequence that ascends on the old side too: patience sorting. */
function longestAscending(places: readonly Anchor[]): Anchor[] {
  const tops: number[] = []; // tops[k]: index of the place with the smallest old line that ends a run of k + 1
  const before = new Array<number>(places.length).fill(-1);
  places.forEach((place, index) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[tops[middle] ?? 0]?.old ?? 0) < place.old) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tops[low - 1] ?? -1) : -1;
    tops[low] = index;
  });
  const run: Anchor[] = [];
  for (let index = tops.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const place = places[index];
    if (place) run.push(place);
  }
  return run.reverse();
}

function between(stretch: Hunk, anchors: readonly Anchor[], map: number[]): Hunk[] {
  const gaps: Hunk[] = [];
  let { oldStart, newStart } = stretch;
  for (const anchor of anchors) {
    gaps.push({ oldStart, oldEnd: anchor.old, newStart, newEnd: anchor.new });
    map[anchor.new] = anchor.old;
    oldStart = anchor.old + 1;
    newStart = anchor.new + 1;
  }
  gaps.push({ oldStart, oldEnd: stretch.oldEnd, newStart, newEnd: stretch.newEnd });
  return gaps;
}

/** The map that keeps most lines, whatever they say; undefined where it takes more edits than that. */
export function shortestDiff(older: Lines, newer: Lines, maxEdits: number): LineMap | undefined {
  const map = new Array<number>(newer.length).fill(-1);
  const stretch = trim(older, newer, { oldStart: 0, oldEnd: older.length, newStart: 0, newEnd: newer.length }, map);
  return compareExactly(older, newer, stretch, map, maxEdits) ? map : undefined;
}

function compareExactly(
  older: Lines,
  newer: Lines,
  { oldStart, oldEnd, newStart, newEnd }: Hunk,
  map: number[],
  maxEditLength = MAX_EDITS,
): boolean {
  const script = diffArrays(older.slice(oldStart, oldEnd), newer.slice(newStart, newEnd), { maxEditLength });
  if (!script) return false;
  let oldAt = oldStart;
  let newAt = newStart;
  for (const part of script) {
    const length = part.value.length;
    if (part.removed) oldAt += length;
    else if (part.added) newAt += length;
    else for (let i = 0; i < length; i++) map[newAt++] = oldAt++;
  }
  return true;
}
