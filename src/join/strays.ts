import { type Hunk, hunksOf } from '../lines/diff.ts';
import { isDistinct, isInformative, type Lines } from '../lines/text.ts';
import { reflowedFrom } from './similar.ts';

/**
 * The map without lines that stayed by mistake. Where a block is indented and a brace typed below it, a diff takes that one for the brace of
 * the block, and cuts the block in two; lines that say nothing do not hold apart what only has another form:
 *
 *     one();        ->     one();          the diff keeps the last brace, and has nothing to compare
 *     }                    }               two(); with; without it, all three of the block are there
 *     two();               two();
 *                      }
 */
export function withoutStrays(map: readonly number[], older: Lines, newer: Lines): readonly number[] {
  let best = map;
  for (const run of weakRuns(map, newer)) {
    const without = best.map((old, i) => (i >= run.start && i < run.end ? -1 : old));
    const joined = hunksOf(without, older.length).find(
      ({ newStart, newEnd }) => newStart <= run.start && run.end <= newEnd,
    );
    if (!joined) continue;
    const apart = hunksOf(best, older.length).filter((one) => isWithin(one, joined));
    const stayed = newer.slice(run.start, run.end).filter(isInformative).length;
    const sum = apart.reduce((all, one) => all + keptBy(one, older, newer), stayed);
    if (apart.length > 1 && keptBy(joined, older, newer) > sum) best = without;
  }
  return best;
}

/** Stretches of lines that stayed, none of which tells whose it is. */
function weakRuns(map: readonly number[], newer: Lines): { readonly start: number; readonly end: number }[] {
  const runs: { start: number; end: number }[] = [];
  for (let i = 0; i < map.length; i++) {
    if ((map[i] ?? -1) < 0) continue;
    const start = i;
    while ((map[i + 1] ?? -1) === (map[i] ?? -1) + 1) i++;
    if (!newer.slice(start, i + 1).some(isDistinct)) runs.push({ start, end: i + 1 });
  }
  return runs;
}

function isWithin(one: Hunk, all: Hunk): boolean {
  return one.newStart >= all.newStart && one.newEnd <= all.newEnd && one.oldStart >= all.oldStart;
}

/** How many lines that say something only have another form. */
function keptBy({ oldStart, oldEnd, newStart, newEnd }: Hunk, older: Lines, newer: Lines): number {
  if (oldStart === oldEnd || newStart === newEnd) return 0;
  const lines = newer.slice(newStart, newEnd);
  return reflowedFrom(older.slice(oldStart, oldEnd), lines).filter(
    (old, i) => old >= 0 && isInformative(lines[i] ?? ''),
  ).length;
}
