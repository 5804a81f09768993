import { type Origin, sameVoice, unknown } from '../lines/origin.ts';
import { isDistinct, isInformative, type Lines } from '../lines/text.ts';
import { isTellingMove } from './moves.ts';
import type { Trail } from './state.ts';

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
  /** By the line before them; of a text that began with them, undefined. */
  readonly #behind = new Map<string | undefined, Block[]>();

  /** What stands for lines of which only other files' records tell whose they are. */
  readonly #stands = new Map<Origin, Trail>();

  get empty(): boolean {
    return this.#places.size === 0 && this.#behind.size === 0;
  }

  add(lines: Lines, origins: readonly Origin[], more: Omit<Block, 'lines' | 'origins'> = {}): void {
    const block: Block = { lines, origins, ...more };
    if (block.around && isHeld(block.around)) push(this.#behind, block.around.before, block);
    lines.forEach((line, at) => {
      if (isInformative(line)) push(this.#places, line, { block, at });
    });
  }

  /** For a line that an edit had brought from another file. */
  standFor(trail: Trail): Origin {
    const origin = unknown(WENT_AWAY);
    this.#stands.set(origin, trail);
    return origin;
  }

  trailOf(origin: Origin): Trail {
    return this.#stands.get(origin) ?? { origin };
  }

  /**
   * For the wanted lines of a text, the origins that the pool knows, as `matched`. A line that somebody wrote before, and that may as well
   * have been typed anew by the writer, is `unknown`. Where nobody knows the writer either, there is nothing to add.
   */
  find(text: Lines, wanted: ReadonlySet<number>, { origin: writer, gap }: Finder): Map<number, Origin> {
    const found = new Map<number, Origin>();
    const places = this.#open(text, wanted);
    const placesOf = (i: number) => places.get(i) ?? [];
    // what stood in one place only tells most, and takes its neighbours along
    const known = [...places.keys()];
    known.sort((a, b) => placesOf(a).length - placesOf(b).length || a - b);
    const isWanted = (at: number) => wanted.has(at);
    const alike = new Map<string, number[]>();
    for (const i of known) push(alike, text[i] ?? '', i);
    for (const i of known) {
      if (found.has(i)) continue;
      const free = (at: number) => wanted.has(at) && !found.has(at);
      const runs = placesOf(i)
        .slice(-MAX_PLACES)
        .map((place) => growRun(text, i, place, free));
      const rivals = ({ place }: Run) =>
        (alike.get(text[i] ?? '') ?? []).filter((at) => at !== i).map((at) => growRun(text, at, place, isWanted));
      const run = bestRun(runs.filter((one) => isTelling(one, text, { gap, rivals })));
      if (!run) continue;
      // an agent was seen to write it: what many write it need not have taken from there
      const sure = gap || text.slice(run.start, run.end).some(isDistinct);
      for (let at = run.start; at < run.end; at++) {
        const origin = originAt(run.place, at - i);
        found.set(at, sure || sameVoice(origin, writer) ? matched(origin) : unknown(WENT_AWAY));
      }
    }
    for (const i of gap && writer.type !== 'unknown' ? known : []) {
      const others = placesOf(i).filter((place) => !sameVoice(originAt(place, 0), writer));
      if (found.has(i) || others.length === 0) continue;
      found.set(i, unknown(WENT_AWAY));
      // what says nothing and stands beside it as it did then, is no more the writer's than it is
      for (const at of others.slice(-MAX_PLACES).flatMap((place) => weakBeside(text, i, place))) {
        if (wanted.has(at) && !found.has(at)) found.set(at, unknown(WENT_AWAY));
      }
    }
    for (const [i, origin] of gap && writer.type !== 'unknown' ? this.#backInPlace(text, wanted) : []) {
      if (!found.has(i) && !sameVoice(origin, writer)) found.set(i, unknown(WENT_AWAY));
    }
    return found;
  }

  /** For the wanted lines that were in the pool's blocks: where, but for what stands in the text already, and does not come back again. */
  #open(text: Lines, wanted: ReadonlySet<number>): Map<number, readonly Place[]> {
    const open = new Map<number, readonly Place[]>();
    const isBack = backFinder(text, wanted);
    for (const i of wanted) {
      const all = this.#places.get(text[i] ?? '') ?? [];
      const some = all.filter((place, k) => k < all.length - MAX_PLACES || !isBack(i, place));
      if (some.length > 0) open.set(i, some);
    }
    return open;
  }

  /**
   * Lines that stand again all together between the two that they had stood between, however little they say: git may have brought them
   * (`cherry-pick -n`), and somebody may have typed them.
   */
  *#backInPlace(text: Lines, wanted: ReadonlySet<number>): Generator<[number, Origin]> {
    if (this.#behind.size === 0 || wanted.size === 0) return;
    for (let start = 0; start < text.length; start++) {
      for (const { lines, origins, around } of this.#behind.get(text[start - 1])?.slice(-MAX_PLACES) ?? []) {
        const back = text[start + lines.length] === around?.after && lines.every((line, k) => line === text[start + k]);
        for (const [k, origin] of back ? origins.entries() : []) if (wanted.has(start + k)) yield [start + k, origin];
      }
    }
  }
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Between two lines that say nothing, others of that kind may stand anywhere. */
function isHeld({ before, after }: Around): boolean {
  return isInformative(before ?? '') || isInformative(after ?? '');
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

/**
 * Whether a line that everybody writes is no part of a block that went: that very line of the block stands elsewhere again, beside others of
 * it that tell.
 */
function backFinder(text: Lines, wanted: ReadonlySet<number>): (i: number, place: Place) => boolean {
  const standing = new Map<string, number[]>();
  for (const [at, line] of text.entries()) if (!wanted.has(at) && isInformative(line)) push(standing, line, at);
  const tells = (at: number, place: Place, isOpen: boolean) => {
    const { start, end } = growRun(text, at, place, (one) => wanted.has(one) === isOpen);
    return isTellingMove(text.slice(start, end));
  };
  return (i, place) => {
    const twins = standing.get(text[i] ?? '')?.slice(-MAX_PLACES) ?? [];
    return twins.length > 0 && !tells(i, place, true) && twins.some((at) => tells(at, place, false));
  };
}

/** The lines next to a known one that say nothing, as far as they are those of the block. */
function weakBeside(text: Lines, i: number, { block, at }: Place): number[] {
  const found: number[] = [];
  for (const way of [-1, 1]) {
    for (let k = way; isWeakAt(text, i + k) && block.lines[at + k] === text[i + k]; k += way) found.push(i + k);
  }
  return found;
}

function isWeakAt(text: Lines, at: number): boolean {
  const line = text[at];
  return line !== undefined && !isInformative(line);
}

/** The run that says most. None, when equal ones disagree on who. */
function bestRun(runs: readonly Run[]): Run | undefined {
  const most = Math.max(...runs.map(({ informative }) => informative));
  const best = runs.filter(({ informative }) => informative === most);
  const last = best.at(-1);
  const agreed = last && best.every(({ place }) => sameVoice(originAt(place, 0), originAt(last.place, 0)));
  return agreed ? last : undefined;
}

/** How many lines are as they were, with those before and after the block. */
function strength({ place: { block }, start, end }: Run, text: Lines): number {
  const whole = end - start === block.lines.length ? block.around : undefined;
  const held = whole ? Number(text[start - 1] === whole.before) + Number(text[end] === whole.after) : 0;
  return end - start + held;
}

interface Claim {
  readonly gap: boolean;
  /** Other stretches of the text that may as well be that part of the block. */
  rivals(run: Run): readonly Run[];
}

/** People write the same line twice; not two in a row that differ, nor a long one, nor one just where it had stood. */
function isTelling(run: Run, text: Lines, { gap, rivals }: Claim): boolean {
  const { place, start, end, informative } = run;
  const lines = text.slice(start, end);
  // what was gone for so long may well have been typed anew
  if (informative < 2 && place.block.settled) return false;
  const few = informative < 3 && !lines.some(isDistinct);
  // a part of what went that many write, somebody may have typed
  if (few && !place.block.aside && lines.length < place.block.lines.length) return false;
  if (isTellingMove(lines)) return true;
  // what git put aside it brings back itself, and once; an agent's edit tool writes
  if (place.block.aside && gap) return rivals(run).every((other) => strength(other, text) < strength(run, text));
  const { around, lines: all } = place.block;
  return (
    around !== undefined &&
    lines.length === all.length &&
    isHeld(around) &&
    text[start - 1] === around.before &&
    text[end] === around.after
  );
}
