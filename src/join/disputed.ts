import { hunksOf, type LineMap, shortestDiff } from '../lines/diff.ts';
import type { Lines } from '../lines/text.ts';

/** Where more than that was changed, a second opinion costs too much and tells nobody anything. */
const MAX_EDITS = 300;

/**
 * A diff that keeps a line which says something in its place takes all that it went past for written anew. Where another keeps more lines,
 * for each new line (from 0) of which the two disagree: what it is by the other, an old line (from 0) or a new one (-1).
 *
 *     old   a  }  }       new   }  }  a        either a was moved down, or two braces were typed
 */
export function disputedLines(map: LineMap, older: Lines, newer: Lines): Map<number, number> {
  const disputed = new Map<number, number>();
  const other = mayKeepMore(map, older, newer) ? shortestDiff(older, newer, MAX_EDITS) : undefined;
  if (!other) return disputed;
  let [start, more] = [0, 0]; // since the two last agreed on an old line
  for (let i = 0; i <= map.length; i++) {
    const [one = -1, two = -1] = [map[i], other[i]];
    if (i < map.length && (one < 0 || one !== two)) more += Number(two >= 0) - Number(one >= 0);
    else {
      for (let at = start; at < i && more > 0; at++) if (map[at] !== other[at]) disputed.set(at, other[at] ?? -1);
      [start, more] = [i + 1, 0];
    }
  }
  return disputed;
}

/** Only where a line of the same text went and came. Where nothing was kept, all is written anew. */
function mayKeepMore(map: LineMap, older: Lines, newer: Lines): boolean {
  if (!map.some((old) => old >= 0)) return false;
  const hunks = hunksOf(map, older.length);
  const gone = new Set(hunks.flatMap(({ oldStart, oldEnd }) => older.slice(oldStart, oldEnd)));
  return (
    gone.size > 0 && hunks.some(({ newStart, newEnd }) => newer.slice(newStart, newEnd).some((line) => gone.has(line)))
  );
}
