import type { Lines } from '../lines/text.ts';
import { isRegular, parseRawLine, type RawEntry } from './raw.ts';

/** Lines that stand together; `start` counts from 1 in the file they are in. */
export interface Block {
  readonly start: number;
  readonly lines: Lines;
}

export interface FileDiff extends RawEntry {
  /** Git shows no lines: the file is binary, or its attributes say `-diff`. */
  readonly binary: boolean;
  readonly added: readonly Block[];
  readonly removed: readonly Block[];
}

export interface CommitDiff {
  readonly id: string;
  /** As git walks: none for a root commit, and none where a shallow clone ends. */
  readonly parents: readonly string[];
  readonly files: readonly FileDiff[];
}

/** git echoes lines on standard input that name no object: one after each commit tells where its answer ends. */
export const END_OF_ANSWER = '=';

/**
 * Output of `diff-tree --stdin` with `commit ID PARENTS` headers, raw lines, patches, and END_OF_ANSWER after each commit: one answer per
 * question, undefined where git knew no such commit. Hunks are taken by their counts, so that no content can be mistaken for structure;
 * a last answer that was cut short is left out.
 */
export function parseDiffs(bytes: Buffer): (CommitDiff | undefined)[] {
  return piecesOf(bytes).flatMap((piece) => parsePiece(piece.toString('latin1')));
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
function parsePiece(text: string): (CommitDiff | undefined)[] {
  const cursor: Cursor = { text, at: 0 };
  const answers: (CommitDiff | undefined)[] = [];
  let open: OpenCommit | undefined;
  for (let line = nextLine(cursor); line !== undefined; line = nextLine(cursor)) {
    if (line === END_OF_ANSWER) {
      answers.push(open && { id: open.id, parents: open.parents, files: open.files });
      open = undefined;
    } else if (line.startsWith('commit ')) {
      const [, id = '', ...parents] = line.trimEnd().split(' ');
      open = { id, parents, files: [], next: 0 };
    } else if (open && line.startsWith(':')) {
      const entry = parseRawLine(line);
      if (entry) open.files.push({ ...entry, binary: false, added: [], removed: [] });
    } else if (open && line.startsWith('diff --')) readSection(cursor, open);
  }
  return answers;
}

interface OpenBlock extends Block {
  readonly lines: string[];
}

interface OpenFile extends RawEntry {
  binary: boolean;
  added: OpenBlock[];
  removed: OpenBlock[];
}

interface OpenCommit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly files: OpenFile[];
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
function readSection(cursor: Cursor, commit: OpenCommit): void {
  let file: OpenFile | undefined;
  for (;;) {
    const start = cursor.at;
    if (cursor.text.charCodeAt(start) === AT) {
      readHunks(cursor, file);
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

/** Finds the file by its blobs; a change of type (a link becomes a file) has two patches, one to remove and one to create. */
function findFile(commit: OpenCommit, index: string): OpenFile | undefined {
  const [before = '', after = ''] = (index.split(' ')[1] ?? '').split('..');
  const old = before.split(',')[0] ?? '';
  for (; commit.next < commit.files.length; commit.next++) {
    const file = commit.files[commit.next];
    if (!file) return undefined;
    if (file.status === 'T' && same(file.oldBlob, old) && same(null, after)) return file;
    if (same(file.newBlob, after) && (same(file.oldBlob, old) || file.status === 'T')) {
      commit.next++;
      return file;
    }
  }
  return undefined;
}

function same(blob: string | null, id: string): boolean {
  return blob === null ? /^0+$/.test(id) : blob === id;
}

function readHunks(cursor: Cursor, file: OpenFile | undefined): void {
  const header = nextLine(cursor) ?? '';
  const parents = (/^@+/.exec(header)?.[0].length ?? 1) - 1;
  const ranges = [...header.slice(0, header.indexOf('@', parents + 1)).matchAll(/[-+](\d+)(?:,(\d+))?/g)].map(
    ([, start, count]) => ({ at: Number(start), left: count === undefined ? 1 : Number(count) }),
  );
  const result = ranges.pop();
  if (!result || ranges.length !== parents || parents === 0) return;
  const keep = {
    added: file && isRegular(file.newMode) ? file.added : undefined,
    removed: file && isRegular(file.oldMode) ? file.removed : undefined,
  };
  readLines(cursor, { result, parents: ranges, ...keep });
}

interface Side {
  at: number;
  left: number;
}

interface OpenHunk {
  readonly result: Side;
  readonly parents: readonly Side[];
  readonly added: OpenBlock[] | undefined;
  readonly removed: OpenBlock[] | undefined;
}

/**
 * One column per parent. What counts is what comes from no parent, and what is gone from all of them:
 *
 *   two parents:  `++` added   `+ ` or ` +` from one of them   `--` removed   `- ` or ` -` was only in one
 */
function readLines(cursor: Cursor, { result, parents, added, removed }: OpenHunk): void {
  const { text } = cursor;
  const width = parents.length;
  if (width === 1 && added && parents[0]?.left === 0) readAdded(cursor, result, added);
  while (cursor.at < text.length && (result.left > 0 || parents.some(({ left }) => left > 0))) {
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

/** A hunk that only adds, to one parent: most hunks, and all of a new file. */
function readAdded(cursor: Cursor, result: Side, added: OpenBlock[]): void {
  const { text } = cursor;
  while (result.left > 0 && text.charCodeAt(cursor.at) === PLUS) {
    const end = text.indexOf('\n', cursor.at);
    if (end < 0) return;
    append(added, result.at, lineAt(text, cursor.at + 1, end));
    cursor.at = end + 1;
    advance(result);
  }
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
