import { diffLines, type Hunk, hunksOf } from '../lines/diff.ts';
import { compareEvidence, type Origin, sameVoice, unknown } from '../lines/origin.ts';
import { isDistinct, isInformative, type Lines, sameLines } from '../lines/text.ts';
import { disputedLines } from './disputed.ts';
import { looseLines } from './loose.ts';
import { isTellingMove } from './moves.ts';
import { type Pool, WENT_AWAY } from './pool.ts';
import { remains } from './remains.ts';
import { isEditOf, reflowedFrom } from './similar.ts';
import { withoutStrays } from './strays.ts';

/**
 * Where a standing line came from: a line of the base text (from 0; of another file, with its path), or somebody's hand since. `or`: such
 * a line went from there, and this hand may as well have written it anew.
 */
export type Trail =
  | { readonly base: number; readonly path?: string; readonly or?: Origin }
  | { readonly origin: Origin };

/** A text at one moment, with the trail of each of its lines. */
export interface State {
  readonly lines: Lines;
  readonly trails: readonly Trail[];
}

/** Who made a step, and how far it may be believed. */
export interface Writer {
  readonly origin: Origin;
  /** Nobody's tool call: a person, an editor, a formatter. Such a step may restore lines and reflow them without owning them. */
  readonly gap: boolean;
  /** Reflowing is not writing: also for a formatter that an agent's shell ran. */
  readonly reflows: boolean;
}

/** Why a line is unknown that another commit brought here. */
export const BY_GIT = 'git put it there';

export interface Step {
  readonly writer: Writer;
  readonly pool: Pool;
  /** Git itself takes the step, from a commit that had these lines: it puts the others aside. */
  readonly committed?: ReadonlySet<string>;
  /** Lines of the next text (from 0) that the step brings from elsewhere. */
  readonly carried?: ReadonlyMap<number, Trail>;
  /** Told when lines were reflowed rather than written. */
  onReflow?(): void;
}

export function baseState(lines: Lines): State {
  return { lines, trails: lines.map((_, base) => ({ base })) };
}

/** The state after a writer has turned the text into `next`: every line that stays keeps its trail, the rest is accounted for once. */
export function advance(state: State, next: Lines, step: Step): State {
  if (sameLines(state.lines, next)) return { lines: next, trails: state.trails };
  if (state.lines.length === 0) return begin(next, step);
  const exact = mapUnlessRewritten(state.lines, next);
  const map = step.writer.reflows ? withoutStrays(exact, state.lines, next) : exact;
  const trails: (Trail | undefined)[] = map.map((old) => (old < 0 ? undefined : state.trails[old]));
  const left = new Set<number>(state.lines.keys()); // old lines that nothing has taken
  for (const old of map) left.delete(old);
  if (step.writer.gap && step.writer.origin.reason !== BY_GIT) {
    for (const [i, old] of looseLines(map, state.lines, next)) {
      const trail = state.trails[old];
      if (trail) trails[i] = movedTrail(trail, step.writer, false);
    }
  }
  const hunks = hunksOf(map, state.lines.length);
  keepMoved({ state, next, trails, left }, step.writer);
  if (step.writer.origin.reason !== BY_GIT) {
    keepDisputed({ state, next, trails, left }, disputedLines(map, state.lines, next), step.writer);
  }
  for (const hunk of hunks) {
    if (step.writer.reflows) keepReflowed({ state, next, trails, left }, hunk, step);
  }
  for (const [i, trail] of step.carried ?? []) trails[i] ??= trail;
  restore(next, trails, step);
  for (const hunk of hunks) write({ state, next, trails, left }, hunk, step);
  if (step.writer.origin.reason !== BY_GIT) {
    for (const i of remains(state, { lines: next, trails, map }, step.writer))
      trails[i] = { origin: unknown(WENT_AWAY) };
  }
  bury(state, left, step);
  return { lines: next, trails: trails.map((trail) => trail ?? { origin: step.writer.origin }) };
}

/** Where nothing stood, all is the writer's, but for what came from elsewhere or came back: new files are most of what agents write. */
function begin(next: Lines, step: Step): State {
  const own: Trail = { origin: step.writer.origin };
  if (step.pool.empty && !step.carried?.size) return { lines: next, trails: new Array<Trail>(next.length).fill(own) };
  const trails = new Array<Trail | undefined>(next.length).fill(undefined);
  for (const [i, trail] of step.carried ?? []) trails[i] = trail;
  restore(next, trails, step);
  return { lines: next, trails: trails.map((trail) => trail ?? own) };
}

interface Work {
  readonly state: State;
  readonly next: Lines;
  readonly trails: (Trail | undefined)[];
  readonly left: Set<number>;
}

/** When not one line that says something is left, the text was written anew: a brace in common proves nothing. Unless lines only went. */
function mapUnlessRewritten(older: Lines, newer: Lines): readonly number[] {
  const map = diffLines(older, newer);
  const telling = older.filter(isInformative);
  if (telling.length < 3 || !map.includes(-1)) return map;
  const had = new Set(telling);
  return newer.some((line) => had.has(line)) ? map : map.map(() => -1);
}

/** Moving is not writing: a line that left one place and arrived in another keeps its trail, and its weak neighbours with it. */
function keepMoved({ state, next, trails, left }: Work, writer: Writer): void {
  const gone = onlyOnes([...left], state.lines);
  if (gone.size === 0) return;
  const weak = groupWeak(state.lines, left);
  const arrived = onlyOnes(
    [...trails.keys()].filter((i) => !trails[i]),
    next,
  );
  for (const [line, i] of arrived) {
    const old = gone.get(line);
    if (old === undefined) continue;
    const equal = (to: number) => {
      const from = old + to - i;
      return to in next && !trails[to] && left.has(from) && next[to] === state.lines[from];
    };
    let [start, end] = [i, i + 1];
    while (equal(start - 1)) start--;
    while (equal(end)) end++;
    const telling = isTellingMove(next.slice(start, end));
    // of what everybody writes, git brings the line of the commit: what was not committed it puts aside
    if (!telling && writer.origin.reason === BY_GIT) continue;
    for (let to = start; to < end; to++) {
      const trail = state.trails[old + to - i];
      trails[to] = trail && movedTrail(trail, writer, telling);
      left.delete(old + to - i);
    }
    if (telling) takeWeak({ state, next, trails, left }, weak, [old + end - i, end]);
  }
}

/** What another diff calls old may have been written anew, and what it calls new may be old: who knows, unless the line tells. */
function keepDisputed(
  { state, next, trails, left }: Work,
  disputed: ReadonlyMap<number, number>,
  writer: Writer,
): void {
  for (const [i, old] of disputed) {
    const [trail, other, distinct] = [trails[i], state.trails[old], isDistinct(next[i] ?? '')];
    if (!trail && other && (left.delete(old) || !distinct)) trails[i] = movedTrail(other, writer, distinct);
    else if (trail && !other && !distinct) trails[i] = movedTrail(trail, writer, false);
    else if (trail && other && !sameTrail(trail, other)) trails[i] = { origin: unknown(WENT_AWAY) };
  }
}

/** The trail of a line that went from one place and stands in another; not telling: it may as well have been written anew. */
function movedTrail(trail: Trail, { gap, origin }: Writer, telling: boolean): Trail {
  if ('base' in trail) return telling ? trail : { ...trail, or: origin };
  if (!telling && !sameVoice(trail.origin, origin)) return { origin: unknown(WENT_AWAY) };
  // nobody was seen to move it: it may have been typed anew
  return gap && trail.origin.evidence ? { origin: { ...trail.origin, evidence: 'matched' } } : trail;
}

/** Behind a moved run (its end, old and new), equal weak lines follow it: which of several braces was moved, nobody can tell. */
function takeWeak(
  { state, next, trails, left }: Work,
  weak: ReadonlyMap<string, number[]>,
  [oldEnd, end]: readonly [number, number],
): void {
  for (let to = end; to < next.length && !trails[to] && !isInformative(next[to] ?? ''); to++) {
    const old = weak.get(next[to] ?? '')?.find((index) => left.has(index));
    if (old === undefined) return;
    const [trail, beside] = [state.trails[old], state.trails[oldEnd + to - end]];
    // the brace that stood behind it seems to have stayed: another one's may have
    const doubtful = beside && trail && state.lines[oldEnd + to - end] === next[to] && !sameTrail(trail, beside);
    trails[to] = doubtful ? { origin: unknown(WENT_AWAY) } : trail;
    left.delete(old);
  }
}

function sameTrail(a: Trail, b: Trail): boolean {
  return 'origin' in a ? 'origin' in b && sameVoice(a.origin, b.origin) : 'base' in b;
}

function groupWeak(lines: Lines, indices: Iterable<number>): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const index of indices) {
    const line = lines[index] ?? '';
    if (isInformative(line)) continue;
    const group = groups.get(line);
    if (group) group.push(index);
    else groups.set(line, [index]);
  }
  return groups;
}

function onlyOnes(indices: readonly number[], lines: Lines): Map<string, number> {
  const once = new Map<string, number>();
  for (const index of indices) {
    const line = lines[index] ?? '';
    if (isInformative(line)) once.set(line, once.has(line) ? -1 : index);
  }
  for (const [line, index] of once) if (index < 0) once.delete(line);
  return once;
}

/** A formatter does not take lines over; committed ones neither, when an agent's shell ran it. A person who reflows those has typed them. */
function keepReflowed({ state, next, trails, left }: Work, hunk: Hunk, step: Step): void {
  const older = state.lines.slice(hunk.oldStart, hunk.oldEnd);
  const newer = next.slice(hunk.newStart, hunk.newEnd);
  let kept = false;
  reflowedFrom(older, newer).forEach((old, i) => {
    const trail = old < 0 ? undefined : state.trails[hunk.oldStart + old];
    if (trails[hunk.newStart + i] || !trail || ('base' in trail && step.writer.gap)) return;
    trails[hunk.newStart + i] = trail;
    left.delete(hunk.oldStart + old);
    kept = true;
  });
  if (kept) step.onReflow?.();
}

/** What went away comes back as it was. An agent was seen to write it again: only what a person wrote before stays that person's. */
function restore(next: Lines, trails: (Trail | undefined)[], { pool, writer }: Step): void {
  if (pool.empty) return;
  const wanted = new Set([...trails.keys()].filter((i) => !trails[i]));
  for (const [i, origin] of pool.find(next, wanted, writer)) {
    const trail = pool.trailOf(origin);
    if ('base' in trail) trails[i] = movedTrail(trail, writer, writer.gap);
    else if (writer.gap || origin.type === 'human' || origin.reason === WENT_AWAY) trails[i] = trail;
  }
}

/** What is left in a hunk is the writer's; where it edits a line of another hand, both had a part. */
function write({ state, next, trails, left }: Work, hunk: Hunk, step: Step): void {
  const former: number[] = [];
  for (let old = hunk.oldStart; old < hunk.oldEnd; old++) {
    const trail = state.trails[old];
    // to edit what git put there is like editing the base
    if (left.has(old) && trail && 'origin' in trail && trail.origin.reason !== BY_GIT) former.push(old);
  }
  let from = 0; // edits keep the order of lines: what was paired is behind us
  for (let i = hunk.newStart; i < hunk.newEnd; i++) {
    if (trails[i]) continue;
    const at = former.findIndex(
      (old, k) => k >= from && k < from + 50 && isEditOf(next[i] ?? '', state.lines[old] ?? ''),
    );
    const trail = at < 0 ? undefined : state.trails[former[at] ?? -1];
    if (at >= 0) from = at + 1;
    trails[i] = {
      origin: trail && 'origin' in trail ? handOver(trail.origin, step.writer.origin) : step.writer.origin,
    };
  }
}

/** Deleted lines go to the pool: an undo or a stash may bring them back. Those of the base itself are known again there. */
function bury(state: State, left: ReadonlySet<number>, { pool, committed }: Step): void {
  let lines: string[] = [];
  let origins: Origin[] = [];
  for (let old = 0; old <= state.lines.length; old++) {
    const trail = left.has(old) ? state.trails[old] : undefined;
    const origin = trail && ('origin' in trail ? trail.origin : trail.path && pool.standFor(trail));
    if (origin) {
      lines.push(state.lines[old] ?? '');
      origins.push(origin);
    } else if (lines.length > 0) {
      const around = { before: state.lines[old - lines.length - 1], after: state.lines[old] };
      const aside = committed !== undefined && !lines.some((line) => isInformative(line) && committed.has(line));
      pool.add(lines, origins, { around, aside, kept: committed !== undefined && !aside });
      [lines, origins] = [[], []];
    }
  }
}

/** One hand after another on the same line: agent and person make `mixed`; what is unknown stays so. */
export function handOver(before: Origin, after: Origin): Origin {
  if (before.type === 'unknown') return before;
  if (after.type === 'unknown') return unknown(after.reason ?? 'no evidence');
  if (before.type === after.type) return after;
  const agent = after.agent ?? before.agent;
  const weaker = compareEvidence(before.evidence, after.evidence) > 0 ? before.evidence : after.evidence;
  // nobody seen is evidence of a person alone
  const evidence = weaker === 'absent' ? (before.agent ? before : after).evidence : weaker;
  return { type: 'mixed', ...(evidence && { evidence }), ...(agent && { agent }) };
}
