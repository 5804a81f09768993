import type { TargetLine } from './target.ts';

/** What is left of lines while some of them are taken away. */
export interface Rest {
  readonly lines: readonly TargetLine[];
  /** The place beside one, as if what was taken away had never been there; -1: a line that is none of these stands between, or none. */
  beside(place: number, step: 1 | -1): number;
  peel(place: number): void;
}

export function openRest(lines: readonly TargetLine[]): Rest {
  // what lies between two gaps in the numbers hangs together
  const parts = new Int32Array(lines.length);
  for (let i = 1; i < lines.length; i++) {
    const isNext = lines[i]?.line === (lines[i - 1]?.line ?? 0) + 1;
    parts[i] = (parts[i - 1] ?? 0) + (isNext ? 0 : 1);
  }
  const [below, above] = [skipper(lines.length, 1), skipper(lines.length, -1)];
  return {
    lines,
    beside(place, step) {
      const next = (step === 1 ? below : above).find(place + step);
      return lines[next] && lines[place] && parts[next] === parts[place] ? next : -1;
    },
    peel(place) {
      below.take(place);
      above.take(place);
    },
  };
}

/** Finds the first place from one on, in one direction, that is not taken: in almost no time however many are. */
function skipper(count: number, step: 1 | -1): { find(place: number): number; take(place: number): void } {
  const next = Int32Array.from({ length: count }, (_, i) => i);
  return {
    find(place) {
      let at = place;
      for (let to = next[at]; to !== undefined && to !== at; to = next[at]) {
        // each look halves the way of the next one
        next[at] = next[to] ?? to;
        at = to;
      }
      return at;
    },
    take(place) {
      next[place] = place + step;
    },
  };
}
