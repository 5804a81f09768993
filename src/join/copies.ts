import { diffLines } from '../lines/diff.ts';
import { isDistinct, isInformative, type Lines } from '../lines/text.ts';
import { carriesContents, linesSaid } from './carrying.ts';
import { isSureMove } from './moves.ts';
import { movesContents } from './shell.ts';

/** A text that stood in the work tree before a command ran. */
export interface Source {
  readonly path: string;
  /** Its blob id. */
  readonly blob: string;
  readonly lines: Lines;
  /** The command names it. */
  readonly named?: boolean;
}

/** Lines of a text, from `line` on, that stood elsewhere before: from `from` on. Both count from 1. */
export interface Copy {
  readonly line: number;
  readonly count: number;
  readonly path: string;
  readonly from: number;
  readonly blob: string;
}

/** What a command made of one file. */
export interface CommandChange {
  readonly command: string;
  readonly path: string;
  readonly before: Lines;
  readonly after: Lines;
}

/** Lines of a file that a command may have copied. */
export interface Wanted {
  readonly path: string;
  readonly text: Lines;
  /** Counted from 0. */
  readonly lines: ReadonlySet<number>;
  /** All that the command writes was there before: each line by itself counts. */
  readonly carried: boolean;
  /** They are too few to be known again but in a file that the command names. */
  readonly near: boolean;
  /** What is copied has gone from where it stood: within the file less proves that. */
  readonly moved?: boolean;
}

/** People and programs write the same line twice, hardly three in a row; of what a command reads, hardly a long one. */
export const RUN = 3;

/** The lines that are new and not in the command's own words. None where git moved contents about: what it brings back is known otherwise. */
export function wantedCopies({ command, path, before, after }: CommandChange): Wanted | undefined {
  if (movesContents(command)) return undefined;
  const said = linesSaid(command);
  const lines = new Set<number>();
  for (const [i, old] of diffLines(before, after).entries()) {
    const line = after[i] ?? '';
    if (old >= 0 || said(line)) continue;
    lines.add(i);
  }
  const telling = [...lines].filter((i) => isInformative(after[i] ?? '')).length;
  const carried = carriesContents(command, path);
  return telling > 0 ? { path, text: after, lines, carried, near: !carried && telling < RUN } : undefined;
}

interface Place {
  readonly source: Source;
  readonly at: number;
}

interface Run {
  readonly place: Place;
  readonly start: number;
  readonly end: number;
  readonly informative: number;
}

/** Of a line that stands everywhere, so many places are looked at. */
const MAX_PLACES = 20;

/** The stretches of the text that stood in a source: the longest first come by, of equal ones in the first source. */
export function findCopies(wanted: Wanted, sources: readonly Source[]): Copy[] {
  const { text, lines } = wanted;
  const places = indexSources(new Set([...lines].map((i) => text[i] ?? '').filter(isInformative)), sources);
  const copies: Copy[] = [];
  const free = new Set(lines);
  for (const i of lines) {
    if (!free.has(i)) continue;
    let best: Run | undefined;
    for (const place of places.get(text[i] ?? '') ?? []) {
      const run = growRun(text, i, place, free);
      if (run.informative > (best?.informative ?? 0) && isProof(run, wanted)) best = run;
    }
    if (!best) continue;
    for (let at = best.start; at < best.end; at++) free.delete(at);
    const { source, at } = best.place;
    const [line, from] = [best.start + 1, at - (i - best.start) + 1];
    copies.push({ line, count: best.end - best.start, path: source.path, from, blob: source.blob });
  }
  return copies;
}

function isProof({ place: { source }, start, end, informative }: Run, wanted: Wanted): boolean {
  const { path, text, carried, moved } = wanted;
  if (carried || informative >= RUN) return true;
  if (moved && source.path === path) return isSureMove(text.slice(start, end));
  if (!source.named || source.path === path) return false;
  return informative > 1 || text.slice(start, end).some(isDistinct);
}

function indexSources(wanted: ReadonlySet<string>, sources: readonly Source[]): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const source of sources) {
    source.lines.forEach((line, at) => {
      if (!wanted.has(line)) return;
      const found = places.get(line);
      if (!found) places.set(line, [{ source, at }]);
      else if (found.length < MAX_PLACES) found.push({ source, at });
    });
  }
  return places;
}

function growRun(text: Lines, i: number, place: Place, free: ReadonlySet<number>): Run {
  const { lines } = place.source;
  const equal = (at: number) => free.has(at) && text[at] === lines[place.at + at - i];
  let [start, end] = [i, i + 1];
  while (equal(start - 1)) start--;
  while (equal(end)) end++;
  return { place, start, end, informative: text.slice(start, end).filter(isInformative).length };
}
