import { isAscii } from 'node:buffer';
import { type GitObject, type ObjectReader, withObjects } from '../git/objects.ts';
import type { GitPlace } from '../git/run.ts';
import { decodeTree } from '../git/trees.ts';
import { MAX_NOTE, noteLines } from './lines.ts';
import { findNotes, isFolder, isNote, walkNotes } from './tree.ts';

/** What could not be read. */
export interface Missed {
  /** Notes that were too large, or whose contents are not here (a partial clone); of records, also those that hold none. */
  readonly skipped: number;
  /** Refs that cannot be read, or not as far as was asked: nobody knows what notes they have. */
  readonly unread: readonly string[];
}

export interface NotesRead extends Missed {
  /** The lines of each commit that has any, over all refs: each once, in the order of the refs. Decoded as UTF-8. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

/**
 * The notes of these commits, which need not exist, with one process whatever their number. `git log --notes` reads as fast, but knows
 * only commits that are here, and cannot tell a NUL in a note from its end.
 */
export function readNotes(place: GitPlace, refs: readonly string[], commits: readonly string[]): Promise<NotesRead> {
  return withObjects(place, (reader) => readNotesWith(reader, refs, commits));
}

/** The same by a process that runs already. */
export function readNotesWith(
  reader: ObjectReader,
  refs: readonly string[],
  commits: readonly string[],
): Promise<NotesRead> {
  return readAll(reader, refs, [...new Set(commits)]);
}

/** Every note there is. */
export function readAllNotes(place: GitPlace, refs: readonly string[]): Promise<NotesRead> {
  return withObjects(place, (reader) => readAll(reader, refs, undefined));
}

/** Refs that cannot be read, or not all of them; of the notes themselves nothing is read. */
export async function findUnread(place: GitPlace, refs: readonly string[]): Promise<readonly string[]> {
  return (await withObjects(place, (reader) => findNoteBlobs(reader, refs, undefined))).unread;
}

/**
 * The same at a glance, for who waits: of folders it is only looked whether they are there, and few are read. Where there are tens of thousands
 * of notes, those in folders of folders are not looked at.
 */
export async function findTorn(reader: ObjectReader, refs: readonly string[]): Promise<readonly string[]> {
  const torn = new Set<string>();
  const below = async (folders: readonly Folder[]): Promise<Folder[]> => {
    const objects = await reader.read(folders.map(({ object }) => object));
    return folders.flatMap(({ ref, object }) => {
      const found = objects.get(object);
      if (found?.type === 'tree') return foldersIn(found).map((one) => ({ ref, object: one }));
      torn.add(ref);
      return [];
    });
  };
  const upper = await below(refs.map((ref) => ({ ref, object: `${ref}^{tree}` })));
  // the names of commits are evenly spread: one folder is as full as the next
  const many = (await below(upper.slice(0, 1))).length > MANY;
  const all = many ? upper : [...upper, ...(await below(upper))];
  const here = await reader.present([...new Set(all.map(({ object }) => object))]);
  for (const { ref, object } of all) if (!here.has(object)) torn.add(ref);
  return refs.filter((ref) => torn.has(ref));
}

interface Folder {
  readonly ref: string;
  readonly object: string;
}

const MANY = 16;

function foldersIn({ bytes, id }: GitObject): string[] {
  const tree = decodeTree(bytes, id.length / 2);
  return [...tree].flatMap(([name, entry]) => (isFolder(tree, name) ? [entry.id] : []));
}

async function readAll(
  reader: ObjectReader,
  refs: readonly string[],
  keys: readonly string[] | undefined,
): Promise<NotesRead> {
  const { notes, skipped, unread } = await readFound(reader, await findNoteBlobs(reader, refs, keys));
  return { notes, skipped, unread };
}

/** Where notes are, before anything of them is read. */
export interface NotesFound extends Pick<Missed, 'unread'> {
  /** The blobs of each commit that has any: each once, in the order of the refs. The same blobs say the same. */
  readonly blobs: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Undefined keys: all. */
export async function findNoteBlobs(
  reader: ObjectReader,
  refs: readonly string[],
  keys: readonly string[] | undefined,
): Promise<NotesFound> {
  if (refs.length === 0 || keys?.length === 0) return { blobs: new Map(), unread: [] };
  const roots = refs.map((ref) => `${ref}^{tree}`);
  const missing = new Set<number>();
  const trees = await walkNotes(reader, roots, keys, (at) => missing.add(at));
  const blobs = new Map<string, Set<string>>();
  for (const folders of trees) {
    for (const key of keys ?? keysIn(folders)) {
      for (const { entry } of findNotes(folders, key)) {
        const known = blobs.get(key);
        if (known) known.add(entry.id);
        else blobs.set(key, new Set([entry.id]));
      }
    }
  }
  return { blobs, unread: refs.filter((_, at) => missing.has(at)) };
}

/** `lacking`: commits of which a note could not be read. */
export interface FoundRead extends NotesRead {
  readonly lacking: ReadonlySet<string>;
}

export async function readFound(reader: ObjectReader, { blobs, unread }: NotesFound): Promise<FoundRead> {
  const objects = await reader.read(
    [...blobs.values()].flatMap((ids) => [...ids]),
    { maxBytes: MAX_NOTE },
  );
  const notes = new Map<string, readonly string[]>();
  const lacking = new Set<string>();
  let skipped = 0;
  for (const [key, ids] of blobs) {
    const lines: string[] = [];
    let ascii = true;
    for (const id of ids) {
      const object = objects.get(id);
      if (object) ascii &&= isAscii(object.bytes);
      if (!object) {
        skipped++;
        lacking.add(key);
      } else for (const line of noteLines(object.bytes)) lines.push(line);
    }
    const once = eachOnce(lines);
    const decoded = ascii ? once : once.map((line) => Buffer.from(line, 'latin1').toString('utf8'));
    if (decoded.length > 0) notes.set(key, decoded);
  }
  return { notes, skipped, unread, lacking };
}

/** Most notes have a few long lines: a set would hash them all from end to end. */
function eachOnce(lines: readonly string[]): readonly string[] {
  return lines.length > FEW ? [...new Set(lines)] : lines.filter((line, i) => lines.indexOf(line) === i);
}

const FEW = 8;

function* keysIn(folders: Awaited<ReturnType<typeof walkNotes>>[number]): Generator<string> {
  for (const [prefix, tree] of folders) {
    for (const [name, entry] of tree) {
      const length = entry.id.length - prefix.length;
      if (isNote(name, entry, length)) yield prefix + name;
    }
  }
}
