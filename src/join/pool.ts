import { type Origin, sameVoice, unknown } from '../lines/origin.ts';
import { isDistinct, isInformative, type Lines } from '../lines/text.ts';
import { isTellingMove } from './moves.ts';

/** Why a line is unknown that may have been brought back, or typed anew. */
export const WENT_AWAY = 'such a line was written before and went away';

/** Lines that went together. */
interface Block {
  readonly lines: Lines;
  readonly origins: readonly Origin[];
  /** What stood before and after them; absent where their place was never known. */
  readonly around?: Around;
  /** They were committed, and went away with a later commit. */
  readonly settled?: boolean;
  /** Git put them aside, uncommitted: it brings them back. */
  readonly aside?: boolean;
  /** Git went to another commit: they stand in the one it left, and come back from there all together. */
  readonly kept?: boolean;
}

export interface Around {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Whose step brings lines, and whether nobody saw how. */
export interface Finder {
  readonly origin: Origin;
  readonly gap: boolean;
}

interface Place {
  readonly block: Block;
  readonly at: number;
}

/** A stretch of the wanted text that is equal to a part of a block: from `start` up to but not including `end`. */
interface Run {
  readonly place: Place;
  readonly start: number;
  readonly end: number;
  readonly informative: number;
}

/** Of a line that was deleted over and over, so many of the latest places are looked at. */
const MAX_PLACES = 20;

/**
 * Lines whose place is lost: deleted and perhaps restored later (undo, stash), or written by an edit that could not be placed. They are
 * recognised by content: in a run that says enough, or between the neighbours they had; weak lines ride along.
 */
export class Pool {
  readonly #places = new Map<string, Place[]>();

  get empty(): boolean {
    return this.#places.size === 0;
  }

  add(lines: Lines, origins: readonly Origin[], more: Omit<Block, 'lines' | 'origins'> = {}): void {
    const block: Block = { lines, origins, ...more };
    lines.forEach((line, at) => {
      if (!isInformative(line)) return;
      const places = this.#places.get(line);
      if (places) places.push({ block, at });
      else this.#places.set(line, [{ block, at }]);
    });
  }

  /**
   * For the wanted lines of a text, the origins that the pool knows, as `matched`. A line that somebody wrote before, and that may as well
   * have been typed anew by the writer, is `unknown`. Where nobody knows the writer either, there is nothing to add.
   */
  find(text: Lines, wanted: ReadonlySet<number>, { origin: writer, gap }: Finder): Map<number, Origin> {
    const found = new Map<number, Origin>();
    const placesOf = (i: number) => this.#places.get(text[i] ?? '') ?? [];
    // what stood in one place only tells most, and takes its neighbours along
    const known = [...wanted].filter((i) => placesOf(i).length > 0);
    known.sort((a, b) => placesOf(a).length - placesOf(b).length || a - b);
    for (const i of known) {
      if (found.has(i)) continue;
      const free = (at: number) => wanted.has(at) && !found.has(at);
      const runs = placesOf(i)
        .slice(-MAX_PLACES)
        .map((place) => growRun(text, i, place, free));
      const run = bestRun(runs.filter((one) => isTelling(one, text, gap)));
      if (!run) continue;
      // an agent was seen to write it: what many write it need not have taken from there
      const sure = gap || text.slice(run.start, run.end).some(isDistinct);
      for (let at = run.start; at < run.end; at++) {
        const origin = originAt(run.place, at - i);
        found.set(at, sure || sameVoice(origin, writer) ? matched(origin) : unknown(WENT_AWAY));
      }
    }
    for (const i of gap && writer.type !== 'unknown' ? known : []) {
      if (found.has(i) || placesOf(i).every((place) => sameVoice(originAt(place, 0), writer))) continue;
      found.set(i, unknown(WENT_AWAY));
    }
    return found;
  }
}

function matched(origin: Origin): Origin {
  return origin.evidence ? { ...origin, evidence: 'matched' } : origin;
}

function originAt({ block, at }: Place, offset: number): Origin {
  return block.origins[at + offset] ?? unknown('no evidence');
}

function growRun(text: Lines, i: number, place: Place, free: (at: number) => boolean): Run {
  const { lines } = place.block;
  const equal = (at: number) =>
    free(at) && lines[place.at + at - i] !== undefined && lines[place.at + at - i] === text[at];
  let [start, end] = [i, i + 1];
  while (equal(start - 1)) start--;
  while (equal(end)) end++;
  return { place, start, end, informative: text.slice(start, end).filter(isInformative).length };
}

/** The run that says most. None, when equal ones disagree on who. */
function bestRun(runs: readonly Run[]): Run | undefined {
  const most = Math.max(...runs.map(({ informative }) => informative));
  const best = runs.filter(({ informative }) => informative === most);
  const last = best.at(-1);
  const agreed = last && best.every(({ place }) => sameVoice(originAt(place, 0), originAt(last.place, 0)));
  return agreed ? last : undefined;
}

/** People write the same line twice; not two in a row that differ, nor a long one, nor one just where it had stood. */
function isTelling({ place, start, end, informative }: Run, text: Lines, gap: boolean): boolean {
  const lines = text.slice(start, end);
  // what was gone for so long may well have been typed anew
  if (informative < 2 && place.block.settled) return false;
  const few = informative < 3 && !lines.some(isDistinct);
  if (few && place.block.kept && lines.length < place.block.lines.length) return false;
  // what git put aside it brings back itself; an agent's edit tool writes
  if ((place.block.aside && gap) || isTellingMove(lines)) return true;
  const { around, lines: all } = place.block;
  return (
    around !== undefined &&
    lines.length === all.length &&
    [around.before, around.after].some((line) => isInformative(line ?? '')) &&
    text[start - 1] === around.before &&
    text[end] === around.after
  );
}
