import { diffLines } from '../lines/diff.ts';
import type { SourceFile, SourceLine } from './source.ts';
import type { TargetFile, TargetLine } from './target.ts';

/** A run of lines that stand together in the source and in the target, line by line. */
export interface Run {
  readonly source: SourceFile;
  readonly pairs: readonly Pair[];
  /** How many of its lines say something. */
  readonly informative: number;
}

export interface Pair {
  readonly from: SourceLine;
  readonly to: TargetLine;
}

/** People write the same line twice: not two in a row, nor a long one. */
export function isTelling({ pairs, informative }: Run): boolean {
  return informative >= 2 || pairs.some(({ to }) => to.distinct);
}

/** The lines of a file that some source has, by hash: where they stand in its list. Worked out once, for however many sources. */
export type Places = ReadonlyMap<string, readonly number[]>;

export function placesOf({ lines }: TargetFile, sources: readonly SourceFile[]): Places {
  const places = new Map<string, number[]>();
  for (const source of sources) for (const { hash } of source.lines) if (hash !== undefined) places.set(hash, []);
  for (let at = 0; at < lines.length; at++) places.get(lines[at]?.hash ?? '')?.push(at);
  for (const [hash, list] of places) if (list.length === 0) places.delete(hash);
  return places;
}

/**
 * Where only hashes are left: the two sequences of line hashes are aligned, and cut into runs that hang together on both sides. Runs in
 * which no line says anything are left out: nobody believes them.
 */
export function alignRuns(source: SourceFile, target: TargetFile, places: Places): Run[] {
  const known = source.lines.filter((line) => line.hash !== undefined);
  const shared = sharedLines(known, target, places);
  const saying = new Set(shared.flatMap((line) => (line?.informative ? [line.hash] : [])));
  const map = diffLines(
    known.map((line) => line.hash ?? ''),
    shared.map((line) => line?.hash ?? ''),
    (hash) => saying.has(hash),
  );
  const runs: Run[] = [];
  let pairs: Pair[] = [];
  const close = () => {
    const informative = pairs.filter(({ to }) => to.informative).length;
    if (informative > 0) runs.push({ source, pairs, informative });
    pairs = [];
  };
  for (const [i, old] of map.entries()) {
    const [from, to, last] = [known[old], shared[i], pairs.at(-1)];
    const apart = last && from && to && (last.from.line + 1 !== from.line || last.to.line + 1 !== to.line);
    if (!from || !to || apart) close();
    if (from && to) pairs.push({ from, to });
  }
  close();
  return runs;
}

/**
 * The lines of the target that the source has too; undefined once for whatever lies between, before and after. A source has few lines and
 * may be one of thousands, so that of a line that says nothing, and stands everywhere, only those beside the others are looked at,
 * and the first and the last ones in between: one more than the source has, so that there are several however many are matched.
 *
 *     source   a  }      target   x  }  y  }  y  }  y  }  y  }  y  a  }  z
 *                        shared   -  }  -  }  -        }  -  }  -  a  }  -
 */
function sharedLines(
  known: readonly SourceLine[],
  target: TargetFile,
  places: Places,
): readonly (TargetLine | undefined)[] {
  const { lines } = target;
  const hashes = new Set(known.flatMap(({ hash }) => (hash !== undefined && places.has(hash) ? [hash] : [])));
  const lists = [...hashes].map((hash) => places.get(hash) ?? []);
  const [saying, weak] = [true, false].map((says) => lists.filter(([at = 0]) => lines[at]?.informative === says));
  const kept = new Set<number>();
  // more often than any hash is in the source
  const most = known.length - new Set(known.map(({ hash }) => hash)).size + 2;
  const has = (at: number) => at >= 0 && at < lines.length && hashes.has(lines[at]?.hash ?? '');
  let end = 0;
  const keepBetween = (next: number) => {
    for (const list of weak ?? []) for (const at of endsWithin(list, [end, next], most)) kept.add(at);
  };
  for (const at of (saying ?? []).flat().sort((a, b) => a - b)) {
    if (at < end) continue;
    let start = at;
    while (start > end && has(start - 1)) start--;
    keepBetween(start);
    for (end = start; has(end); end++) kept.add(end);
  }
  if (end === 0) return [];
  keepBetween(lines.length);
  return withGaps(
    [...kept].sort((a, b) => a - b),
    lines,
  );
}

/** Of ascending numbers from `from` on and below `to`, so many of the first and of the last. */
function endsWithin(list: readonly number[], [from, to]: readonly [number, number], most: number): readonly number[] {
  const [start, end] = [countBelow(list, from), countBelow(list, to)];
  if (end - start <= 2 * most) return list.slice(start, end);
  return [...list.slice(start, start + most), ...list.slice(end - most, end)];
}

function countBelow(list: readonly number[], limit: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withGaps(kept: readonly number[], lines: readonly TargetLine[]): (TargetLine | undefined)[] {
  const shared: (TargetLine | undefined)[] = [];
  let next = 0;
  for (const at of kept) {
    if (at > next) shared.push(undefined);
    shared.push(lines[at]);
    next = at + 1;
  }
  if (next < lines.length) shared.push(undefined);
  return shared;
}

/** Whether source and target have the same lines from first to last: then nothing has to be recognised. */
export function isWhole(source: SourceFile, target: TargetFile): boolean {
  return (
    source.lines.length === target.lines.length &&
    source.lines.every((line, i) => line.hash !== undefined && line.hash === target.lines[i]?.hash)
  );
}
