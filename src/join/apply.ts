import type { Lines } from '../lines/text.ts';

/** A hunk of an edit whose whole text was not shown: the lines it found and the lines it left, in latin1. */
export interface PlacedHunk {
  /** Line of the old text, from 1. */
  readonly start: number;
  readonly older: Lines;
  readonly newer: Lines;
}

export interface LineReplacement {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}

/** The text after the hunks: each at its line number, else where its old lines stand exactly once. Undefined when one finds no place. */
export function applyHunks(text: Lines, hunks: readonly PlacedHunk[]): Lines | undefined {
  const lines = [...text];
  let shift = 0; // how far earlier hunks have moved the rest
  for (const hunk of hunks) {
    const at = findHunk(lines, hunk, shift);
    if (at === undefined) return undefined;
    lines.splice(at, hunk.older.length, ...hunk.newer);
    shift += hunk.newer.length - hunk.older.length;
  }
  return lines;
}

function findHunk(lines: Lines, { start, older }: PlacedHunk, shift: number): number | undefined {
  const stands = (at: number) =>
    at >= 0 && at + older.length <= lines.length && older.every((line, i) => lines[at + i] === line);
  const numbered = start - 1 + shift;
  if (older.length === 0) {
    // unified diffs number an insertion by the line before it
    return numbered + 1 <= lines.length ? Math.max(numbered + 1, 0) : undefined;
  }
  if (stands(numbered)) return numbered;
  let found: number | undefined;
  for (let at = 0; at + older.length <= lines.length; at++) {
    if (!stands(at)) continue;
    if (found !== undefined) return undefined;
    found = at;
  }
  return found;
}

/** The text after the replacements, in order. Undefined when an old string is not there, or not just once where one was meant. */
export function applyReplacements(text: Lines, pairs: readonly LineReplacement[]): Lines | undefined {
  let whole = text.length > 0 ? `${text.join('\n')}\n` : '';
  for (const pair of pairs) {
    if (pair.old === '') {
      if (whole !== '') return undefined;
      whole = pair.new;
      continue;
    }
    const first = whole.indexOf(pair.old);
    if (first < 0) return undefined;
    if (!pair.all && whole.indexOf(pair.old, first + 1) >= 0) return undefined;
    whole = pair.all
      ? whole.split(pair.old).join(pair.new)
      : whole.slice(0, first) + pair.new + whole.slice(first + pair.old.length);
  }
  if (whole === '') return [];
  const lines = whole.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The text before the replacements, given the one after them. Undefined where more than one text may have stood there. */
export function undoReplacements(text: Lines, pairs: readonly LineReplacement[]): Lines | undefined {
  if (pairs.some((pair) => pair.all || pair.new === '')) return undefined;
  const before = applyReplacements(
    text,
    [...pairs].reverse().map((pair) => ({ old: pair.new, new: pair.old, all: false })),
  );
  const again = before && applyReplacements(before, pairs);
  return again?.length === text.length && again.every((line, i) => line === text[i]) ? before : undefined;
}
