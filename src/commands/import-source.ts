import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../fault.ts';
import { openObjects } from '../git/objects.ts';
import type { GitPlace } from '../git/run.ts';
import { findNotes, isNote, walkNotes } from '../notes/tree.ts';
import type { World } from './command.ts';

/** Bytes that somebody wants to have read, and where they are from. */
export interface Source {
  /** For messages. */
  readonly name: string;
  readonly bytes: Buffer;
  /** Where it is on the disk; absent for standard input and notes. */
  readonly file?: string;
  /** When it was last written, in milliseconds. */
  readonly modified: number;
  /** The commit whose note it is. */
  readonly commit?: string;
}

export const MAX_FILE = 512 * 1024 * 1024;
const PART = 1024 * 1024;

/** A file that is named, or `-` for standard input. One that is not there is no file of the surroundings. */
export function readSource(world: World, name: string): Source {
  if (name === '-') return { name: 'standard input', bytes: readAll(0, 'Standard input'), modified: world.now() };
  const file = path.resolve(world.cwd, name);
  try {
    const found = fs.statSync(file);
    if (found.isDirectory()) throw new Fault('usage', `${name} is a folder: name the files in it.`);
    if (found.size > MAX_FILE) throw tooLarge(name);
    return { name, bytes: readFile(file, name), file, modified: found.mtimeMs };
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    throw new Fault('surroundings', `${name} cannot be read (${code}): check its name, and who may read it.`);
  }
}

function tooLarge(name: string): Fault {
  return new Fault('refused', `${name} is larger than ${MAX_FILE} bytes.`);
}

function readFile(file: string, name: string): Buffer {
  const handle = fs.openSync(file, 'r');
  try {
    return readAll(handle, name);
  } finally {
    fs.closeSync(handle);
  }
}

/** To the end, which pipes and devices may not have. */
function readAll(handle: number, name: string): Buffer {
  const parts: Buffer[] = [];
  const part = Buffer.alloc(PART);
  let length = 0;
  for (let read = fs.readSync(handle, part); read > 0; read = fs.readSync(handle, part)) {
    parts.push(Buffer.from(part.subarray(0, read)));
    length += read;
    if (length > MAX_FILE) throw tooLarge(name);
  }
  return Buffer.concat(parts, length);
}

/** A name of notes of another tool, as git has it: `refs/notes/ai`. */
export function isNotesRef(name: string): boolean {
  return name.startsWith('refs/notes/');
}

/** A note is some hundred bytes per record; more than this is nobody's work. */
const MAX_NOTE = 64 * 1024 * 1024;

export interface NotesOf {
  readonly sources: readonly Source[];
  /** Notes that are too large, or whose contents are not here. */
  readonly skipped: number;
}

/** Every note of a ref with its bytes as they are: other tools' notes are not lines. */
export async function readNotesOf(place: GitPlace, ref: string): Promise<NotesOf> {
  const reader = openObjects(place);
  try {
    const [folders = new Map()] = await walkNotes(reader, [`${ref}^{tree}`]);
    if (folders.size === 0) throw new Fault('surroundings', `There are no notes ${ref} here: fetch them first.`);
    const ids = [...keysIn(folders)].flatMap((commit) =>
      findNotes(folders, commit).map(({ entry }) => ({ commit, blob: entry.id })),
    );
    const objects = await reader.read(
      ids.map(({ blob }) => blob),
      { maxBytes: MAX_NOTE },
    );
    const sources = ids.flatMap(({ commit, blob }): Source[] => {
      const bytes = objects.get(blob)?.bytes;
      return bytes ? [{ name: `${ref} of ${commit.slice(0, 10)}`, bytes, modified: 0, commit }] : [];
    });
    return { sources, skipped: ids.length - sources.length };
  } finally {
    reader.close();
  }
}

function keysIn(folders: Awaited<ReturnType<typeof walkNotes>>[number]): Set<string> {
  const keys = new Set<string>();
  for (const [prefix, tree] of folders) {
    for (const [name, entry] of tree) {
      if (isNote(name, entry, entry.id.length - prefix.length)) keys.add(prefix + name);
    }
  }
  return keys;
}
