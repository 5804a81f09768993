import type { LineRange } from '../lines/range.ts';
import type { Lines } from '../lines/text.ts';
import { isRegular, leading } from './raw.ts';

export interface Cursor {
  /** One character per byte. */
  readonly text: string;
  at: number;
}

const CR = 13;
export const AT = 0x40;
const [SPACE, PLUS, MINUS, BACKSLASH] = [0x20, 0x2b, 0x2d, 0x5c];
const MARKS = [SPACE, PLUS, MINUS, BACKSLASH];

export function nextLine(cursor: Cursor): string | undefined {
  const { text, at } = cursor;
  if (at >= text.length) return undefined;
  const end = text.indexOf('\n', at);
  // a line that was cut short tells nothing
  cursor.at = end < 0 ? text.length : end + 1;
  return end < 0 ? undefined : text.slice(at, end);
}

/** Lines that stand together; `start` counts from 1 in the file they are in. */
export interface Block {
  readonly start: number;
  readonly lines: Lines;
}

export interface OpenBlock extends Block {
  readonly lines: string[];
}

/** The file that a hunk is of. */
interface HunkFile<T> {
  readonly oldMode: string;
  readonly newMode: string;
  readonly added: T[];
  readonly removed: T[];
}

/** Reads a hunk's header; undefined: it is none. The lines of a side that is no regular file go nowhere. */
export function openHunk<T>(cursor: Cursor, file: HunkFile<T> | undefined): OpenHunk<T> | undefined {
  const header = nextLine(cursor) ?? '';
  const columns = leading(header, AT) - 1;
  // `@@@ -1,2 -3 +4,5 @@@`: a side of each parent, then that of the result
  const sides = header
    .slice(columns + 2, header.indexOf(' @', columns))
    .split(' ')
    .map(parseSide);
  const result = sides.pop();
  if (!result || sides.length !== columns || columns < 1) return undefined;
  return {
    result,
    parents: sides,
    added: file && isRegular(file.newMode) ? file.added : undefined,
    removed: file && isRegular(file.oldMode) ? file.removed : undefined,
  };
}

/** `-12,3` or `+12`, which is one line. */
function parseSide(text: string): Side {
  const comma = text.indexOf(',');
  if (comma < 0) return { at: Number(text.slice(1)), left: 1 };
  return { at: Number(text.slice(1, comma)), left: Number(text.slice(comma + 1)) };
}

interface Side {
  at: number;
  left: number;
}

export interface OpenHunk<T> {
  readonly result: Side;
  readonly parents: readonly Side[];
  /** Where its lines go; nowhere, if the side is no regular file. */
  readonly added: T[] | undefined;
  readonly removed: T[] | undefined;
}

/** Reads on to the hunk's end. */
export type HunkReader<T> = (cursor: Cursor, hunk: OpenHunk<T>) => void;

/** Without context, a hunk of one parent is what its header says; a merge's has to be looked at line by line. */
export function readPlaces(cursor: Cursor, hunk: OpenHunk<LineRange>): void {
  const { result, parents, added, removed } = hunk;
  const [parent] = parents;
  if (!parent) return;
  if (parents.length === 1) {
    place(added, result);
    place(removed, parent);
    skipLines(cursor, result.left + parent.left);
    return;
  }
  const lines: OpenHunk<OpenBlock> = { result, parents, added: added && [], removed: removed && [] };
  readLines(cursor, lines);
  for (const { start, lines: some } of lines.added ?? []) added?.push({ start, end: start + some.length - 1 });
  for (const { start, lines: some } of lines.removed ?? []) removed?.push({ start, end: start + some.length - 1 });
}

function place(ranges: LineRange[] | undefined, { at, left }: Side): void {
  if (left > 0) ranges?.push({ start: at, end: at + left - 1 });
}

function skipLines(cursor: Cursor, count: number): void {
  const { text } = cursor;
  for (let left = count; left > 0; ) {
    if (text.charCodeAt(cursor.at) !== BACKSLASH) left--;
    const end = text.indexOf('\n', cursor.at);
    cursor.at = end < 0 ? text.length : end + 1;
    if (end < 0) return;
  }
}

/**
 * One column per parent. What counts is what comes from no parent, and what is gone from all of them:
 *
 *   two parents:  `++` added   `+ ` or ` +` from one of them   `--` removed   `- ` or ` -` was only in one
 *
 * Of a merge that takes lines away at the end of a file git prints counts that are one too small, or 2^64 - 1: there every line that
 * begins with a mark is one of the hunk, and none of the headers does.
 */
export function readLines(cursor: Cursor, hunk: OpenHunk<OpenBlock>): void {
  const { result, parents, added, removed } = hunk;
  const { text } = cursor;
  const width = parents.length;
  if (width === 1 && added && parents[0]?.left === 0) readAdded(cursor, result, added);
  const goesOn = () => (width === 1 ? isOpen(hunk) : MARKS.includes(text.charCodeAt(cursor.at)));
  while (cursor.at < text.length && goesOn()) {
    const start = cursor.at;
    const end = text.indexOf('\n', start);
    cursor.at = end < 0 ? text.length : end + 1;
    if (end < 0) return;
    if (text.charCodeAt(start) === BACKSLASH) continue;
    let pluses = 0;
    let minuses = 0;
    for (let column = 0; column < width; column++) {
      const mark = text.charCodeAt(start + column);
      if (mark === PLUS) pluses++;
      else if (mark === MINUS) minuses++;
    }
    const from = Math.min(start + width, end);
    if (pluses === width && added) append(added, result.at, lineAt(text, from, end));
    if (minuses === width && removed) append(removed, parents[0]?.at ?? 0, lineAt(text, from, end));
    if (minuses === 0) advance(result);
    for (let column = 0; column < width; column++) {
      // an empty line stands for a blank of context (diff.suppressBlankEmpty)
      const mark = start + column < end ? text.charCodeAt(start + column) : SPACE;
      const parent = parents[column];
      if (parent && mark === (minuses === 0 ? SPACE : MINUS)) advance(parent);
    }
  }
}

/** Whether lines are left on any side. */
function isOpen<T>({ result, parents }: OpenHunk<T>): boolean {
  if (result.left > 0) return true;
  for (const { left } of parents) if (left > 0) return true;
  return false;
}

/** A hunk that only adds, to one parent: most hunks, and all of a new file. Without context, no other touches it. */
function readAdded(cursor: Cursor, result: Side, added: OpenBlock[]): void {
  const { text } = cursor;
  if (result.left >= LONG && readAtOnce(cursor, result, added)) return;
  const lines: string[] = [];
  let at = cursor.at;
  while (lines.length < result.left && text.charCodeAt(at) === PLUS) {
    const end = text.indexOf('\n', at);
    if (end < 0) break;
    lines.push(lineAt(text, at + 1, end));
    at = end + 1;
  }
  if (lines.length > 0) added.push({ start: result.at, lines });
  cursor.at = at;
  result.at += lines.length;
  result.left -= lines.length;
}

/** So many lines are split at once, not looked at one by one. */
const LONG = 8;

/** The end of a line that none like it follows. */
const LAST_ADDED = /\n(?!\+)/g;

/** False: lines end in different ways, or there are not as many as the header says. */
function readAtOnce(cursor: Cursor, result: Side, added: OpenBlock[]): boolean {
  const { text, at } = cursor;
  if (text.charCodeAt(at) !== PLUS) return false;
  LAST_ADDED.lastIndex = at;
  const end = LAST_ADDED.exec(text)?.index ?? -1;
  const found = text.slice(at + 1, end);
  if (end < 0 || found.includes('\r')) return false;
  // from the second on there is a mark before each
  const lines = found.split('\n+');
  if (lines.length !== result.left) return false;
  added.push({ start: result.at, lines });
  cursor.at = end + 1;
  result.at += lines.length;
  result.left = 0;
  return true;
}

function advance(side: Side): void {
  side.at++;
  side.left--;
}

function lineAt(text: string, from: number, end: number): string {
  return text.slice(from, end > from && text.charCodeAt(end - 1) === CR ? end - 1 : end);
}

function append(blocks: OpenBlock[], line: number, text: string): void {
  const last = blocks.at(-1);
  if (last && last.start + last.lines.length === line) last.lines.push(text);
  else blocks.push({ start: line, lines: [text] });
}
