import { sameVoice } from '../lines/origin.ts';
import { openRest, type Rest } from './rest.ts';
import type { SourceFile, SourceLine } from './source.ts';
import { type Stray, straysOf } from './strays.ts';
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
 *     first commit   a } .       the whole    a } . b } .       } . b is the second's, as git's diff gave it to that;
 *     second         } . b                    1 2 2 2 1 1       without it a } . are together again
 *
 * Gives what the lines of `claims`, by their place in the list, bring along. Of commits made at one time none comes first: where two of
 * them claim a line, nobody has it. Nobody has it either where one line of a source would have to stand in two places, nor where another
 * commit's such line has gone thereabouts, and nothing tells which of the two it was; between its own lines an older one's does not count.
 */
export function claimNeighbours<T extends Claim>(
  lines: readonly TargetLine[],
  claims: ReadonlyMap<number, T>,
): ReadonlyMap<number, T> {
  const rest = openRest(lines);
  const found = new Map<number, T>();
  const enclosed = new Set<number>();
  for (const layer of layersOf(claims)) {
    const { sure, open, between } = neighboursOf(layer, rest);
    for (const [place, claim] of sure) found.set(place, claim);
    for (const place of between) enclosed.add(place);
    for (const place of [...layer.keys(), ...sure.keys(), ...open]) rest.peel(place);
  }
  return withoutStrays(lines, { claims, found, enclosed });
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
  /** Those that are claimed from both sides. */
  readonly between: ReadonlySet<number>;
}

function neighboursOf<T extends Claim>(layer: ReadonlyMap<number, T>, { lines, beside }: Rest): Neighbours<T> {
  const [sure, open, between] = [new Map<number, T>(), new Set<number>(), new Set<number>()];
  const placeOf = new Map<SourceLine, number>();
  const add = (place: number, claim: T) => {
    const [had, elsewhere] = [sure.get(place)?.from, placeOf.get(claim.from)];
    if (had === claim.from) between.add(place);
    else if (had && !sameVoice(had.origin, claim.from.origin)) open.add(place);
    if (elsewhere !== undefined && elsewhere !== place) open.add(place).add(elsewhere);
    sure.set(place, claim);
    placeOf.set(claim.from, place);
  };
  const linesOf = lineFinder();
  for (const [start, claim] of layer) {
    for (const step of [1, -1] as const) {
      let { from } = claim;
      for (let place = beside(start, step); ; place = beside(place, step)) {
        const [line, next] = [lines[place], linesOf(claim.source).get(from.line + step)];
        if (!line || line.informative || next?.hash !== line.hash) break;
        from = next;
        add(place, { ...claim, from });
      }
    }
  }
  for (const place of open) sure.delete(place);
  return { sure, open, between };
}

/** Made once for each source that is asked for. */
function lineFinder(): (source: SourceFile) => ReadonlyMap<number, SourceLine> {
  const known = new Map<SourceFile, ReadonlyMap<number, SourceLine>>();
  return (source) => {
    const found = known.get(source) ?? new Map(source.lines.map((line) => [line.line, line]));
    known.set(source, found);
    return found;
  };
}

interface Peeled<T> {
  readonly claims: ReadonlyMap<number, T>;
  readonly found: ReadonlyMap<number, T>;
  readonly enclosed: ReadonlySet<number>;
}

function withoutStrays<T extends Claim>(
  lines: readonly TargetLine[],
  { claims, found, enclosed }: Peeled<T>,
): ReadonlyMap<number, T> {
  const weak = new Set(lines.flatMap(({ hash, informative }) => (informative ? [] : [hash])));
  const strays = straysOf([...claims, ...found], weak);
  const isSure = ([place, { from, time }]: [number, T]) => {
    const alike = strays.get(from.hash ?? '') ?? [];
    if (alike.length > MANY) return enclosed.has(place);
    const mayBe = ({ after, before, origin }: Stray) =>
      after < place && place < before && !sameVoice(origin, from.origin);
    return !alike.some((stray) => mayBe(stray) && (stray.time > time || !enclosed.has(place)));
  };
  return new Map([...found].filter(isSure));
}

/** Where so many such lines have gone, each of those that are there may be any of them. */
const MANY = 200;
