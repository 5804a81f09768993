import { isDistinct, isInformative, type Lines } from '../lines/text.ts';
import type { MovedFrom } from './file.ts';

/** A run of lines that a commit takes out of a file or puts into one; `start` counts from 1. */
export interface Block {
  readonly start: number;
  readonly lines: Lines;
}

export interface ChangedFile {
  readonly path: string;
  readonly oldPath?: string;
  readonly added: readonly Block[];
  readonly removed: readonly Block[];
}

/** Lines that say something which a run must have before it may have been moved: one within a file, two between files, where chance is greater. */
const WITHIN = 1;
const BETWEEN = 2;
/** What everybody writes (`return null;`) goes from one place and is typed anew in another: that proves no move, two in a row do that differ. */
export function isTellingMove(lines: Lines): boolean {
  return lines.some(isDistinct) || new Set(lines.filter(isInformative)).size >= 2;
}

/** Three that differ, one after the other, hardly two people write alike, however short they are; nor two that say much. */
export function isSureMove(lines: Lines): boolean {
  return lines.filter(isDistinct).length >= 2 || new Set(lines.filter(isInformative)).size >= 3;
}

/** A line that left another place of the parent. */
export interface Move extends MovedFrom {
  /** It may as well have been typed anew. */
  readonly doubtful: boolean;
  /** So many lines went with it that nobody has written them all anew. */
  readonly sure: boolean;
  /** It has arrived elsewhere already: somebody has copied what was moved. */
  readonly again: boolean;
}

/** Of what was removed in more places than these nobody knows which of them went where. */
const MAX_PLACES = 4;

interface Place {
  readonly path: string;
  readonly block: Block;
  readonly at: number;
}

/** Moving is not writing: for each file, the added lines that left another place of the parent in the same commit. */
export function findMoves(files: readonly ChangedFile[]): Map<string, Map<number, Move>> {
  const gone = indexRemoved(files);
  if (gone.size === 0) return new Map();
  const taken = new Set<string>(); // places of the parent that have arrived somewhere
  const moves = new Map<string, Map<number, Move>>();
  for (const file of files) {
    const found = new Map<number, Move>();
    for (const block of file.added) {
      const left = linesLeft(block, gone);
      for (let i = 0; i < block.lines.length; i++) {
        const runs = (gone.get(block.lines[i] ?? '') ?? []).map((place) => growRun(block, i, place));
        const [run, ...others] = longest(runs);
        if (!run) continue;
        const isOnly = runs.length === 1;
        const isMove = isOnly ? isMoved(run, { file, block, gone, left }) : isSureMove(linesOf(run, block));
        if (isMove) claim(run, { block, others, all: left.get(run.place.block) ?? [], found, taken });
        if (isMove || isOnly) i = run.end;
      }
    }
    if (found.size > 0) moves.set(file.path, found);
  }
  return moves;
}

interface Around {
  readonly file: ChangedFile;
  readonly block: Block;
  readonly gone: Gone;
  readonly left: ReadonlyMap<Block, Lines>;
}

function isMoved(run: Run, { file, block, gone, left }: Around): boolean {
  const { place, start, end } = run;
  const lines = linesOf(run, block);
  const said = lines.filter(isInformative).length;
  if (said >= (place.path === (file.oldPath ?? file.path) ? WITHIN : BETWEEN)) return true;
  // one that says much goes along with what left the same file and stands beside it now, or stood beside it then
  const beside = [start - 1, end + 1].some((k) => onlyPlace(gone, block.lines[k])?.path === place.path);
  return (beside || (left.get(place.block)?.length ?? 0) > said) && lines.some(isDistinct);
}

type Gone = ReadonlyMap<string, readonly Place[]>;

/** Removed lines that say something, with the places where they were. */
function indexRemoved(files: readonly ChangedFile[]): Gone {
  const places = new Map<string, Place[]>();
  for (const { path, oldPath, removed } of files) {
    for (const block of removed) {
      block.lines.forEach((line, at) => {
        if (!isInformative(line)) return;
        const known = places.get(line);
        const place = { path: oldPath ?? path, block, at };
        if (known) known.push(place);
        else places.set(line, [place]);
      });
    }
  }
  return new Map([...places].filter(([, all]) => all.length <= MAX_PLACES));
}

function onlyPlace(gone: Gone, line = ''): Place | undefined {
  const [place, ...others] = gone.get(line) ?? [];
  return others.length === 0 ? place : undefined;
}

/** The lines of each run that was removed which stand in this block. */
function linesLeft({ lines }: Block, gone: Gone): Map<Block, string[]> {
  const left = new Map<Block, string[]>();
  for (const line of lines) {
    const from = onlyPlace(gone, line)?.block;
    const known = from && left.get(from);
    if (known) known.push(line);
    else if (from) left.set(from, [line]);
  }
  return left;
}

interface Run {
  readonly place: Place;
  readonly start: number;
  readonly end: number;
  /** How far the place of the run's lines in the parent is from their place here. */
  readonly shift: number;
}

/** As far as the lines before and after agree too: weak lines ride along. */
function growRun(block: Block, i: number, place: Place): Run {
  const { block: from, at } = place;
  let [start, end] = [i, i];
  while (start > 0 && at - (i - start) > 0 && block.lines[start - 1] === from.lines[at - (i - start) - 1]) start--;
  while (end + 1 < block.lines.length && block.lines[end + 1] === from.lines[at + (end - i) + 1]) end++;
  return { place, start, end, shift: from.start + at - i };
}

function linesOf({ start, end }: Run, { lines }: Block): Lines {
  return lines.slice(start, end + 1);
}

function longest(runs: readonly Run[]): Run[] {
  const most = Math.max(...runs.map(({ start, end }) => end - start));
  return runs.filter(({ start, end }) => end - start === most);
}

interface Claim {
  readonly block: Block;
  /** The same, removed elsewhere. */
  readonly others: readonly Run[];
  /** What of the same removed run stands in the block. */
  readonly all: Lines;
  readonly found: Map<number, Move>;
  readonly taken: Set<string>;
}

function claim(run: Run, { block, others, all, found, taken }: Claim): void {
  const { place, start, end, shift } = run;
  const lines = linesOf(run, block);
  const doubtful = !isTellingMove(lines);
  const sure = isSureMove(lines);
  for (let k = start; k <= end; k++) {
    const line = shift + k;
    const key = `${line} ${place.path}`;
    const again = taken.has(key);
    if ((again && !isSureMove(all) && !(sure && others.length > 0)) || found.has(block.start + k)) continue;
    taken.add(key);
    const also = others.map((other) => ({ path: other.place.path, line: other.shift + k }));
    const movedFrom = { path: place.path, line };
    found.set(block.start + k, { movedFrom, ...(also.length > 0 && { also }), doubtful, sure, again });
  }
}
