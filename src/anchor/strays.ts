import type { Origin } from '../lines/origin.ts';
import type { SourceFile, SourceLine } from './source.ts';

/** A line of a source that stands nowhere beside its neighbours: it went, or stands somewhere between these places. */
export interface Stray {
  readonly after: number;
  readonly before: number;
  readonly origin: Origin;
  /** When its source was committed. */
  readonly time: number;
}

interface Placed {
  readonly source: SourceFile;
  readonly from: SourceLine;
  readonly time: number;
}

/** Of the sources of these lines, which come with their places, what is left of the lines that say nothing: by their hashes. */
export function straysOf(
  placed: readonly (readonly [number, Placed])[],
  weak: ReadonlySet<string>,
): ReadonlyMap<string, readonly Stray[]> {
  const bySource = new Map<SourceFile, { readonly places: Map<SourceLine, number>; readonly time: number }>();
  for (const [place, { source, from, time }] of placed) {
    const known = bySource.get(source);
    if (known) known.places.set(from, place);
    else bySource.set(source, { places: new Map([[from, place]]), time });
  }
  const strays = new Map<string, Stray[]>();
  for (const [{ lines }, { places, time }] of bySource) {
    const [after, before] = [placesBefore(lines, places), placesBefore(lines.toReversed(), places).reverse()];
    for (const [i, line] of lines.entries()) {
      const { hash = '', origin } = line;
      if (places.has(line) || !weak.has(hash)) continue;
      const stray = { after: after[i] ?? -1, before: before[i] ?? Number.POSITIVE_INFINITY, origin, time };
      const known = strays.get(hash);
      if (known) known.push(stray);
      else strays.set(hash, [stray]);
    }
  }
  return strays;
}

/** For each line where the nearest one before it is that has a place; of equal ones in a row any may be the one that is not there. */
function placesBefore(lines: readonly SourceLine[], places: ReadonlyMap<SourceLine, number>): (number | undefined)[] {
  let [last, beforeRow]: (number | undefined)[] = [];
  return lines.map((line, i) => {
    if (line.hash !== lines[i - 1]?.hash) beforeRow = last;
    last = places.get(line) ?? last;
    return beforeRow;
  });
}
