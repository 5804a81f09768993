import { sameVoice } from '../lines/origin.ts';
import type { SourceFile, SourceLine } from './source.ts';
import type { TargetLine } from './target.ts';

/** A line of a target that stems from one of a source. */
export interface Claim {
  readonly from: SourceLine;
  readonly source: SourceFile;
  /** When the source was committed. */
  readonly time: number;
}

/**
 * Lines that say nothing (`}`, blank) belong to the line beside them, as they did in the commit that wrote both. What was put together of
 * several commits is taken apart in turn, the youngest first: without what that one added, what the one before it had written stands
 * together again.
 *
 *     first commit   a } .       the whole    a } . b } .       b } . is the second's; without it a and } . are the first's,
 *     second         } . b                    1 1 . . . 1       where git's diff has given } . in front of b to the second
 *
 * Gives what the lines of `claims`, by their place in the list, bring along. Of commits made at one time none comes first: where two of
 * them claim a line, nobody has it; likewise where one line of a source would have to stand in two places.
 */
export function claimNeighbours<T extends Claim>(
  lines: readonly TargetLine[],
  claims: ReadonlyMap<number, T>,
): ReadonlyMap<number, T> {
  const peeled = new Set<number>();
  const found = new Map<number, T>();
  for (const layer of layersOf(claims)) {
    const { sure, open } = neighboursOf(lines, layer, peeled);
    for (const [place, claim] of sure) found.set(place, claim);
    for (const place of [...layer.keys(), ...sure.keys(), ...open]) peeled.add(place);
  }
  return found;
}

/** Those of one time together, the youngest first. */
function layersOf<T extends Claim>(claims: ReadonlyMap<number, T>): ReadonlyMap<number, T>[] {
  const layers = new Map<number, Map<number, T>>();
  for (const [place, claim] of claims) {
    const layer = layers.get(claim.time);
    if (layer) layer.set(place, claim);
    else layers.set(claim.time, new Map([[place, claim]]));
  }
  return [...layers].sort(([a], [b]) => b - a).map(([, layer]) => layer);
}

interface Neighbours<T> {
  readonly sure: ReadonlyMap<number, T>;
  /** Places that are claimed, and nobody's all the same. */
  readonly open: ReadonlySet<number>;
}

function neighboursOf<T extends Claim>(
  lines: readonly TargetLine[],
  layer: ReadonlyMap<number, T>,
  peeled: ReadonlySet<number>,
): Neighbours<T> {
  const sure = new Map<number, T>();
  const open = new Set<number>();
  const placeOf = new Map<SourceLine, number>();
  const add = (place: number, claim: T) => {
    const [had, elsewhere] = [sure.get(place), placeOf.get(claim.from)];
    if (had && !sameVoice(had.from.origin, claim.from.origin)) open.add(place);
    if (elsewhere !== undefined && elsewhere !== place) open.add(place).add(elsewhere);
    sure.set(place, claim);
    placeOf.set(claim.from, place);
  };
  const linesOf = lineFinder();
  for (const [start, claim] of layer) {
    for (const step of [1, -1]) {
      let { from } = claim;
      for (let place = beside(lines, start, step, peeled); ; place = beside(lines, place, step, peeled)) {
        const [line, next] = [lines[place], linesOf(claim.source).get(from.line + step)];
        if (!line || line.informative || next?.hash !== line.hash) break;
        from = next;
        add(place, { ...claim, from });
      }
    }
  }
  for (const place of open) sure.delete(place);
  return { sure, open };
}

/** The place beside this one, once what is peeled is gone; -1: another line stands between, or none. */
function beside(lines: readonly TargetLine[], start: number, step: number, peeled: ReadonlySet<number>): number {
  let place = start;
  do {
    const [line, next] = [lines[place], lines[place + step]];
    if (!line || !next || next.line !== line.line + step) return -1;
    place += step;
  } while (peeled.has(place));
  return place;
}

/** By their numbers, made once for each source that is asked for. */
function lineFinder(): (source: SourceFile) => ReadonlyMap<number, SourceLine> {
  const known = new Map<SourceFile, ReadonlyMap<number, SourceLine>>();
  return (source) => {
    const found = known.get(source) ?? new Map(source.lines.map((line) => [line.line, line]));
    known.set(source, found);
    return found;
  };
}
