import type { LineRange } from '../lines/range.ts';
import { AT, type Block, type Cursor, type HunkReader, nextLine, openHunk, readLines, readPlaces } from './hunks.ts';
import { isZero, parseRawLine, type RawEntry } from './raw.ts';

export type { Block } from './hunks.ts';

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
  return diffParser()(bytes);
}

/** The same for output that comes in pieces, each cut where an answer or a file's patch ends. Told of each file that has its lines. */
export function diffParser(onFile: (file: FileDiff) => void = () => {}): Parser<CommitDiff> {
  return answerParser(readLines, onFile);
}

/** The same for those who only count: the lines are passed over. */
export function placeParser(): Parser<CommitPlaces> {
  return answerParser(readPlaces, () => {});
}

/** Takes the next piece, and gives the answers that end in it. */
export type Parser<T> = (piece: Buffer) => (T | undefined)[];

/** Lines are slices of one long string: several times as fast as decoding them one by one. */
function answerParser<T>(read: HunkReader<T>, onFile: (file: Changed<T>) => void): Parser<Changes<T>> {
  let open: OpenCommit<T> | undefined;
  return (piece) => {
    const cursor: Cursor = { text: piece.toString('latin1'), at: 0 };
    const answers: (Changes<T> | undefined)[] = [];
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
      } else if (open && line.startsWith('diff --')) {
        const file = readSection(cursor, open, read);
        if (file) onFile(file);
      }
    }
    return answers;
  };
}

/** It is nobody else's yet: the lines are put into it. */
function openFile<T>(entry: RawEntry): OpenFile<T> {
  return Object.assign(entry, { binary: false, added: [], removed: [] });
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

/** One file's patch: extended headers, then hunks, up to the next `diff --` or the end of the answer, or of the piece. Gives the file. */
function readSection<T>(cursor: Cursor, commit: OpenCommit<T>, read: HunkReader<T>): OpenFile<T> | undefined {
  let file: OpenFile<T> | undefined;
  for (;;) {
    const start = cursor.at;
    if (cursor.text.charCodeAt(start) === AT) {
      const hunk = openHunk(cursor, file);
      if (hunk) read(cursor, hunk);
      continue;
    }
    const line = nextLine(cursor);
    if (line === undefined) return file;
    if (line === END_OF_ANSWER || line.startsWith('diff --')) {
      cursor.at = start;
      return file;
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
    // what stands in the work tree has no id yet in the raw line
    const isAfter = isBlob(file.newBlob, after) || (file.newBlob === null && file.status === 'M');
    if (isAfter && (isBlob(file.oldBlob, old) || file.status === 'T')) {
      commit.next++;
      return file;
    }
  }
  return undefined;
}

function isBlob(blob: string | null, id: string): boolean {
  return blob === null ? isZero(id) : blob === id;
}
