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
        const place = gone.get(block.lines[i] ?? '');
        if (!place) continue;
        const run = growRun(block, i, place);
        const enough = place.path === (file.oldPath ?? file.path) ? WITHIN : BETWEEN;
        const said = countInformative(block, run);
        // one that says much goes along with what left the same file and stands beside it now, or stood beside it then
        const beside = [run.start - 1, run.end + 1].some((k) => gone.get(block.lines[k] ?? '')?.path === place.path);
        const all = left.get(place.block) ?? [];
        const along = (beside || all.length > said) && block.lines.slice(run.start, run.end + 1).some(isDistinct);
        if (along || said >= enough) claim(run, { block, place, i, all, found, taken });
        i = run.end;
      }
    }
    if (found.size > 0) moves.set(file.path, found);
  }
  return moves;
}

/** Removed lines that say something and were removed once only. */
function indexRemoved(files: readonly ChangedFile[]): Map<string, Place> {
  const places = new Map<string, Place | undefined>();
  for (const { path, oldPath, removed } of files) {
    for (const block of removed) {
      block.lines.forEach((line, at) => {
        if (isInformative(line)) places.set(line, places.has(line) ? undefined : { path: oldPath ?? path, block, at });
      });
    }
  }
  return new Map([...places].filter((entry): entry is [string, Place] => entry[1] !== undefined));
}

/** The lines of each run that was removed which stand in this block. */
function linesLeft({ lines }: Block, gone: ReadonlyMap<string, Place>): Map<Block, string[]> {
  const left = new Map<Block, string[]>();
  for (const line of lines) {
    const from = gone.get(line)?.block;
    const known = from && left.get(from);
    if (known) known.push(line);
    else if (from) left.set(from, [line]);
  }
  return left;
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** As far as the lines before and after agree too: weak lines ride along. */
function growRun(block: Block, i: number, { block: from, at }: Place): Run {
  let [start, end] = [i, i];
  while (start > 0 && at - (i - start) > 0 && block.lines[start - 1] === from.lines[at - (i - start) - 1]) start--;
  while (end + 1 < block.lines.length && block.lines[end + 1] === from.lines[at + (end - i) + 1]) end++;
  return { start, end };
}

function countInformative(block: Block, { start, end }: Run): number {
  return block.lines.slice(start, end + 1).filter(isInformative).length;
}

interface Claim {
  readonly block: Block;
  readonly place: Place;
  readonly i: number;
  /** What of the same removed run stands in the block. */
  readonly all: Lines;
  readonly found: Map<number, Move>;
  readonly taken: Set<string>;
}

function claim({ start, end }: Run, { block, place, i, all, found, taken }: Claim): void {
  const lines = block.lines.slice(start, end + 1);
  const doubtful = !isTellingMove(lines);
  const sure = isSureMove(lines);
  for (let k = start; k <= end; k++) {
    const line = place.block.start + place.at + (k - i);
    const key = `${line} ${place.path}`;
    const again = taken.has(key);
    if ((again && !isSureMove(all)) || found.has(block.start + k)) continue;
    taken.add(key);
    found.set(block.start + k, { movedFrom: { path: place.path, line }, doubtful, sure, again });
  }
}
