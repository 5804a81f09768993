import type { LineMap } from '../lines/diff.ts';
import type { Lines } from '../lines/text.ts';
import { isTellingMove } from './moves.ts';
import { isEditOf } from './similar.ts';

/** A run of lines that are in both texts: so many, from these places on. */
interface Run {
  readonly old: number;
  readonly new: number;
  readonly length: number;
}

/**
 * Lines of the new text (from 0) that the old one has too, and that nothing holds in their place: everybody writes them, and what stood
 * before and after them has become something else. Whoever wrote that may have written them anew.
 *
 *     old   a  }  b       new   x  }  y
 */
export function looseLines(map: LineMap, older: Lines, newer: Lines): Set<number> {
  const loose = new Set<number>();
  const runs = runsOf(map);
  for (const [i, run] of runs.entries()) {
    const lines = newer.slice(run.new, run.new + run.length);
    const [before, after] = [runs[i - 1] ?? START, runs[i + 1] ?? { old: older.length, new: newer.length, length: 0 }];
    const replaced = (one: Run, other: Run, [oldAt, newAt]: readonly [number, number]) =>
      other.old > one.old + one.length &&
      other.new > one.new + one.length &&
      !isEditOf(newer[newAt] ?? '', older[oldAt] ?? '');
    const [oldEnd, newEnd] = [run.old + run.length, run.new + run.length];
    const free = replaced(before, run, [run.old - 1, run.new - 1]) && replaced(run, after, [oldEnd, newEnd]);
    if (free && !isTellingMove(lines)) for (let at = run.new; at < newEnd; at++) loose.add(at);
  }
  return loose;
}

const START: Run = { old: 0, new: 0, length: 0 };

function runsOf(map: LineMap): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < map.length; at++) {
    const old = map[at] ?? -1;
    if (old < 0) continue;
    let end = at + 1;
    while (map[end] === old + end - at) end++;
    runs.push({ old, new: at, length: end - at });
    at = end - 1;
  }
  return runs;
}
