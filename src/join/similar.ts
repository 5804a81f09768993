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
 * For each new line the index of the old line that a formatter made it of, or -1. Where more than the form was changed, lines that only
 * have another form hold the rest in place.
 */
export function reflowedFrom(older: Lines, newer: Lines): readonly number[] {
  const whole = reflowOf(older, newer);
  if (whole) return whole;
  const map = [...diffLines(older.map(signsOf), newer.map(signsOf))].map((old, i) => (newer[i]?.trim() ? old : -1));
  // a brace in common proves nothing
  if (!map.some((old, i) => old >= 0 && isInformative(newer[i] ?? ''))) return map.map(() => -1);
  for (const { oldStart, oldEnd, newStart, newEnd } of hunksOf(map, older.length)) {
    const part = reflowOf(older.slice(oldStart, oldEnd), newer.slice(newStart, newEnd));
    part?.forEach((old, i) => {
      if (old >= 0) map[newStart + i] = oldStart + old;
    });
  }
  return map;
}

/**
 * When the new lines are the old ones with other white space, quotes, commas and semicolons, as a formatter leaves them: for each new
 * line the index of the old line that its first sign comes from (-1 for a blank line). Otherwise undefined.
 */
function reflowOf(older: Lines, newer: Lines): number[] | undefined {
  const [oldSigns, newSigns] = [older.map(signsOf), newer.map(signsOf)];
  const stream = oldSigns.join('');
  if (stream === '' || stream !== newSigns.join('')) return undefined;
  const owner: number[] = []; // for each sign of the stream, its old line
  oldSigns.forEach((signs, line) => {
    for (let i = 0; i < signs.length; i++) owner.push(line);
  });
  let at = 0;
  return newSigns.map((signs) => {
    const line = signs === '' ? -1 : (owner[at] ?? -1);
    at += signs.length;
    return line;
  });
}

function signsOf(line: string): string {
  return withoutSpace(line).replace(/[,;'"`]/g, '');
}
