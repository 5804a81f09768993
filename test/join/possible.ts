import { canSlide, LONGEST_SLIDE } from '../../bench/truth/line.ts';

/** A line with the hands that may have written it; equal ids are one line, equal texts need not be. */
export interface Known {
  readonly id: number;
  readonly text: string;
  readonly hands: ReadonlySet<string>;
}

/** For the beginnings of two lists, how many they have in common in order: `[i][j]` for the first i and j. */
function commonLengths<T>(a: readonly T[], b: readonly T[]): number[][] {
  const table = [new Array<number>(b.length + 1).fill(0)];
  for (const one of a) {
    const [above = [], row] = [table.at(-1), [0]];
    b.forEach((other, j) => {
      row.push(one === other ? (above[j] ?? 0) + 1 : Math.max(above[j + 1] ?? 0, row[j] ?? 0));
    });
    table.push(row);
  }
  return table;
}

/** What was truly kept is as much as can be: who deletes a line and types it again, or the like of it, has changed nothing that anybody sees. */
export function isPlausible(older: readonly Known[], newer: readonly Known[]): boolean {
  const most = (key: 'id' | 'text') =>
    commonLengths<string | number>(
      older.map((line) => line[key]),
      newer.map((line) => line[key]),
    )
      .at(-1)
      ?.at(-1);
  return most('id') === most('text');
}

/**
 * The new text, each line with the hands that it has by any of the comparisons that keep most lines. `who`: whose the new lines are;
 * undefined where only old ones are asked for.
 */
export function handsAfter(older: readonly Known[], newer: readonly Known[], who: string | undefined): Known[] {
  const [a, b] = [older.map(({ text }) => text), newer.map(({ text }) => text)];
  const heads = commonLengths(a, b);
  const tails = commonLengths(a.toReversed(), b.toReversed());
  const most = heads.at(-1)?.at(-1) ?? 0;
  const head = (i: number, j: number) => heads[i]?.[j] ?? 0;
  const tail = (i: number, j: number) => tails[a.length - i]?.[b.length - j] ?? 0;
  return newer.map((line, j) => {
    const hands = new Set([...line.hands, ...(older.find(({ id }) => id === line.id)?.hands ?? [])]);
    older.forEach((old, i) => {
      const fits = old.text === line.text && head(i, j) + 1 + tail(i + 1, j + 1) === most;
      if (fits) for (const hand of old.hands) hands.add(hand);
    });
    const isNew = [...heads.keys()].some((i) => head(i, j) + tail(i, j + 1) === most);
    if (who !== undefined && isNew) hands.add(who);
    return { ...line, hands };
  });
}

/** With the hands of equal lines that a block of one hand may have been put in before or behind of; see `handsOf` of the bench. */
export function slideHands(lines: readonly Known[], i: number): ReadonlySet<string> {
  const hands = new Set(lines[i]?.hands);
  for (let step = 1; step <= LONGEST_SLIDE; step++) {
    for (const other of [i - step, i + step]) {
      if (lines[other]?.text !== lines[i]?.text || !canSlide(lines, { at: Math.min(i, other), step, isOfOne }))
        continue;
      for (const hand of lines[other]?.hands ?? []) hands.add(hand);
    }
  }
  return hands;
}

function isOfOne(block: readonly Known[]): boolean {
  return [...(block[0]?.hands ?? [])].some((hand) => block.every(({ hands }) => hands.has(hand)));
}
