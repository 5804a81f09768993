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

/** Two runs, one after the other, and what was changed between them. */
type Between = readonly [Run, Run];

/**
 * Lines of the new text (from 0) that may be an old one (from 0), or written anew: everybody writes them, and nothing holds the old one in
 * its place. What stood before and after it has become something else; or another that says the same was put beside it.
 *
 *     old   a  }  b       new   x  }  y           new   a  x  }  y  }  z  b
 */
export function looseLines(map: LineMap, older: Lines, newer: Lines): Map<number, number> {
  const loose = new Map<number, number>();
  const runs = [{ old: 0, new: 0, length: 0 }, ...runsOf(map), { old: older.length, new: newer.length, length: 0 }];
  for (const [i, run] of runs.entries()) {
    const [before, after] = [runs[i - 1], runs[i + 1]];
    if (!before || !after || isTellingMove(newer.slice(run.new, endOf(run).new))) continue;
    const sides: Between[] = [
      [before, run],
      [run, after],
    ];
    const rivals = sides.every(hasNew) ? rivalsOf(run, sides, { older, newer }) : new Map<number, number>();
    const changes = sides.map((side) => changeOf(side, run, { older, newer }));
    if (rivals.size === 0 && (changes.includes('held') || !changes.includes('replaced'))) continue;
    for (let k = 0; k < run.length; k++) loose.set(run.new + k, run.old + k);
    for (const [at, old] of rivals) loose.set(at, old);
  }
  return loose;
}

interface Texts {
  readonly older: Lines;
  readonly newer: Lines;
}

function endOf(run: Run): { readonly old: number; readonly new: number } {
  return { old: run.old + run.length, new: run.new + run.length };
}

function hasNew([one, other]: Between): boolean {
  return other.new > endOf(one).new;
}

/** New lines beside the run that say the same as one of its own. */
function rivalsOf(run: Run, sides: readonly Between[], { older, newer }: Texts): Map<number, number> {
  const own = new Map(Array.from({ length: run.length }, (_, k) => [older[run.old + k] ?? '', run.old + k]));
  const rivals = new Map<number, number>();
  for (const [one, other] of sides) {
    for (let at = endOf(one).new; at < other.new; at++) {
      const old = own.get(newer[at] ?? '');
      if (old !== undefined) rivals.set(at, old);
    }
  }
  return rivals;
}

/** What became of the lines beside the run. Where something was only put in, or a line was only edited, that holds the run. */
function changeOf([one, other]: Between, run: Run, { older, newer }: Texts): 'held' | 'cut' | 'replaced' {
  const end = endOf(one);
  if (other.old === end.old) return 'held';
  if (other.new === end.new) return 'cut';
  const [oldAt, newAt] = run === other ? [run.old - 1, run.new - 1] : [end.old, end.new];
  return isEditOf(newer[newAt] ?? '', older[oldAt] ?? '') ? 'held' : 'replaced';
}

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
