import type { LineRange } from '../lines/range.ts';
import type { Lines } from '../lines/text.ts';
import { isRegular, isZero, leading, parseRawLine, type RawEntry } from './raw.ts';

/** Lines that stand together; `start` counts from 1 in the file they are in. */
export interface Block {
  readonly start: number;
  readonly lines: Lines;
}

/** A changed file, and what there is of its lines. */
export interface Changed<T> extends RawEntry {
  /** Git shows no lines: the file is binary, or its attributes say `-diff`. */
  readonly binary: boolean;
  readonly added: readonly T[];
  readonly removed: readonly T[];
}

export interface Changes<T> {
  readonly id: string;
  /** As git walks: none for a root commit, and none where a shallow clone ends. */
  readonly parents: readonly string[];
  readonly files: readonly Changed<T>[];
}

/** With the lines themselves. */
export type FileDiff = Changed<Block>;
export type CommitDiff = Changes<Block>;
/** Only where they stand. */
export type CommitPlaces = Changes<LineRange>;

/** git echoes lines on standard input that name no object: one after each commit tells where its answer ends. */
export const END_OF_ANSWER = '=';

/**
 * Output of `diff-tree --stdin` with `commit ID PARENTS` headers, raw lines, patches, and END_OF_ANSWER after each commit: one answer per
 * question, undefined where git knew no such commit. Hunks are taken by their counts, so that no content can be mistaken for structure;
 * a last answer that was cut short is left out.
 */
export function parseDiffs(bytes: Buffer): (CommitDiff | undefined)[] {
  return piecesOf(bytes).flatMap((piece) => parsePiece(piece.toString('latin1'), readLines));
}

/** The same for those who only count: the lines are passed over. */
export function parsePlaces(bytes: Buffer): (CommitPlaces | undefined)[] {
  return piecesOf(bytes).flatMap((piece) => parsePiece(piece.toString('latin1'), readPlaces));
}

/** Strings have an end, at half a gigabyte: what is longer is cut where an answer ends. */
const PIECE = 256 << 20;
const BETWEEN = Buffer.from(`\n${END_OF_ANSWER}\n`);

function piecesOf(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.length - at <= PIECE ? -1 : bytes.indexOf(BETWEEN, at + PIECE);
    const next = end < 0 ? bytes.length : end + BETWEEN.length;
    pieces.push(bytes.subarray(at, next));
    at = next;
  }
  return pieces;
}

/** Lines are slices of one long string: several times as fast as decoding them one by one. */
function parsePiece<T>(text: string, read: HunkReader<T>): (Changes<T> | undefined)[] {
  const cursor: Cursor = { text, at: 0 };
  const answers: (Changes<T> | undefined)[] = [];
  let open: OpenCommit<T> | undefined;
  for (let line = nextLine(cursor); line !== undefined; line = nextLine(cursor)) {
    if (line === END_OF_ANSWER) {
      answers.push(open && { id: open.id, parents: open.parents, files: open.files });
      open = undefined;
    } else if (line.startsWith('commit ')) {
      const [, id = '', ...parents] = line.trimEnd().split(' ');
      open = { id, parents, files: [], next: 0 };
    } else if (open && line.startsWith(':')) {
      const entry = parseRawLine(line);
      if (entry) open.files.push(openFile(entry));
    } else if (open && line.startsWith('diff --')) readSection(cursor, open, read);
  }
  return answers;
}

/** It is nobody else's yet: the lines are put into it. */
function openFile<T>(entry: RawEntry): OpenFile<T> {
  return Object.assign(entry, { binary: false, added: [], removed: [] });
}

interface OpenBlock extends Block {
  readonly lines: string[];
}

interface OpenFile<T> extends RawEntry {
  binary: boolean;
  added: T[];
  removed: T[];
}

interface OpenCommit<T> {
  readonly id: string;
  readonly parents: readonly string[];
  readonly files: OpenFile<T>[];
  /** The first file that has no patch yet: patches come in the order of the raw lines. */
  next: number;
}

interface Cursor {
  /** One character per byte. */
  readonly text: string;
  at: number;
}

const CR = 13;
const [SPACE, PLUS, MINUS, AT, BACKSLASH] = [0x20, 0x2b, 0x2d, 0x40, 0x5c];

function nextLine(cursor: Cursor): string | undefined {
  const { text, at } = cursor;
  if (at >= text.length) return undefined;
  const end = text.indexOf('\n', at);
  // a line that was cut short tells nothing
  cursor.at = end < 0 ? text.length : end + 1;
  return end < 0 ? undefined : text.slice(at, end);
}

/** One file's patch: extended headers, then hunks, up to the next `diff --` or the end of the answer. */
function readSection<T>(cursor: Cursor, commit: OpenCommit<T>, read: HunkReader<T>): void {
  let file: OpenFile<T> | undefined;
  for (;;) {
    const start = cursor.at;
    if (cursor.text.charCodeAt(start) === AT) {
      const hunk = openHunk(cursor, file);
      if (hunk) read(cursor, hunk);
      continue;
    }
    const line = nextLine(cursor);
    if (line === undefined) return;
    if (line === END_OF_ANSWER || line.startsWith('diff --')) {
      cursor.at = start;
      return;
    }
    if (line.startsWith('index ')) file = findFile(commit, line);
    if (file && line.startsWith('Binary files ')) file.binary = true;
  }
}

/**
 * Finds the file by its blobs, `index OLD[,OLD...]..NEW[ MODE]`; a change of type (a link becomes a file) has two patches, one to remove
 * and one to create.
 */
function findFile<T>(commit: OpenCommit<T>, index: string): OpenFile<T> | undefined {
  const dots = index.indexOf('..');
  if (dots < 0) return undefined;
  const [comma, blank] = [index.indexOf(','), index.indexOf(' ', dots)];
  const old = index.slice('index '.length, comma < 0 || comma > dots ? dots : comma);
  const after = index.slice(dots + 2, blank < 0 ? undefined : blank);
  for (; commit.next < commit.files.length; commit.next++) {
    const file = commit.files[commit.next];
    if (!file) return undefined;
    if (file.status === 'T' && isBlob(file.oldBlob, old) && isZero(after)) return file;
    if (isBlob(file.newBlob, after) && (isBlob(file.oldBlob, old) || file.status === 'T')) {
      commit.next++;
      return file;
    }
  }
  return undefined;
}

function isBlob(blob: string | null, id: string): boolean {
  return blob === null ? isZero(id) : blob === id;
}

function openHunk<T>(cursor: Cursor, file: OpenFile<T> | undefined): OpenHunk<T> | undefined {
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

interface OpenHunk<T> {
  readonly result: Side;
  readonly parents: readonly Side[];
  /** Where its lines go; nowhere, if the side is no regular file. */
  readonly added: T[] | undefined;
  readonly removed: T[] | undefined;
}

/** Reads on to the hunk's end. */
type HunkReader<T> = (cursor: Cursor, hunk: OpenHunk<T>) => void;

/** Without context, a hunk of one parent is what its header says; a merge's has to be looked at line by line. */
function readPlaces(cursor: Cursor, hunk: OpenHunk<LineRange>): void {
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
 */
function readLines(cursor: Cursor, hunk: OpenHunk<OpenBlock>): void {
  const { result, parents, added, removed } = hunk;
  const { text } = cursor;
  const width = parents.length;
  while (cursor.at < text.length && isOpen(hunk)) {
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
