import { diffLines, hunksOf } from '../lines/diff.ts';
import { isInformative, type Lines, withoutSpace } from '../lines/text.ts';

/** Half of the words in common: the one is an edited form of the other. */
const SIMILAR = 0.5;

/** How alike two lines are, from 0 to 1, by the words and signs they share. */
export function likeness(a: string, b: string): number {
  const [wordsA, wordsB] = [wordsOf(a), wordsOf(b)];
  if (wordsA.length === 0 || wordsB.length === 0) return 0;
  const left = new Map<string, number>();
  for (const word of wordsA) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of wordsB) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      shared++;
      left.set(word, count - 1);
    }
  }
  return (2 * shared) / (wordsA.length + wordsB.length);
}

export function isEditOf(line: string, former: string): boolean {
  return likeness(line, former) >= SIMILAR;
}

// signs alone ("(", ";") make nothing alike
function wordsOf(line: string): string[] {
  return line.match(/[\w\x80-\xff]+/g) ?? [];
}

/**
 * For each new line the index of the old line that a formatter made it of, or -1. Where more than the form was changed, what comes before
 * and after that counts, and in between lines that only have another form hold the rest in place.
 */
export function reflowedFrom(older: Lines, newer: Lines): readonly number[] {
  const [from, to] = [older.map(signsOf), newer.map(signsOf)];
  const whole = reflowOf(from, to);
  if (whole) return whole;
  const head = sameBeginning(from, to);
  const tail = sameBeginning(backwards(from.slice(head.from)), backwards(to.slice(head.to)));
  const [fromEnd, toEnd] = [from.length - tail.from, to.length - tail.to];
  const inside = newer.slice(head.to, toEnd);
  return [
    ...(reflowOf(from.slice(0, head.from), to.slice(0, head.to)) ?? []),
    ...shifted(reflowedInside(from.slice(head.from, fromEnd), to.slice(head.to, toEnd), inside), head.from),
    ...shifted(reflowOf(from.slice(fromEnd), to.slice(toEnd)) ?? [], fromEnd),
  ];
}

function shifted(map: readonly number[], by: number): number[] {
  return map.map((old) => (old < 0 ? old : old + by));
}

function backwards(lines: Lines): Lines {
  return lines.toReversed().map((line) => [...line].reverse().join(''));
}

/** So many signs in a row hardly two people write. */
const TELLING = 12;

/** How many of the first lines on either side differ in their form only; none, where these say too little. */
function sameBeginning(from: Lines, to: Lines): { readonly from: number; readonly to: number } {
  const [a, b] = [from.join(''), to.join('')];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const ends = new Map<number, number>(); // where lines end in the stream, and how many have ended by then
  let at = 0;
  from.forEach((line, i) => {
    at += line.length;
    if (at <= same) ends.set(at, i + 1);
  });
  let best = { from: 0, to: 0 };
  at = 0;
  to.forEach((line, i) => {
    at += line.length;
    const count = ends.get(at);
    if (count !== undefined && at >= TELLING) best = { from: count, to: i + 1 };
  });
  return best;
}

function reflowedInside(from: Lines, to: Lines, newer: Lines): readonly number[] {
  const map = [...diffLines(from, to)].map((old, i) => (newer[i]?.trim() ? old : -1));
  // a brace in common proves nothing
  if (!map.some((old, i) => old >= 0 && isInformative(newer[i] ?? ''))) return map.map(() => -1);
  for (const { oldStart, oldEnd, newStart, newEnd } of hunksOf(map, from.length)) {
    const part = reflowOf(from.slice(oldStart, oldEnd), to.slice(newStart, newEnd));
    part?.forEach((old, i) => {
      if (old >= 0) map[newStart + i] = oldStart + old;
    });
  }
  return map;
}

/**
 * When the new lines are the old ones with other white space, quotes, commas and semicolons, as a formatter leaves them: for each new
 * line the index of the old line that its first sign comes from (-1 for a blank line). Otherwise undefined. Lines are given by their signs.
 */
function reflowOf(from: Lines, to: Lines): number[] | undefined {
  const stream = from.join('');
  if (stream === '' || stream !== to.join('')) return undefined;
  const owner: number[] = []; // for each sign of the stream, its old line
  from.forEach((signs, line) => {
    for (let i = 0; i < signs.length; i++) owner.push(line);
  });
  let at = 0;
  return to.map((signs) => {
    const line = signs === '' ? -1 : (owner[at] ?? -1);
    at += signs.length;
    return line;
  });
}

function signsOf(line: string): string {
  return withoutSpace(line).replace(/[,;'"`]/g, '');
}
