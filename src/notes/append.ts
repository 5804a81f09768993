import { Fault } from '../fault.ts';
import { withLock } from '../git/lock.ts';
import { type GitObject, hashBlob, hashObject, type ObjectReader, openObjects } from '../git/objects.ts';
import { type NewObject, storeObjects } from '../git/pack.ts';
import { moveRef, readCommitter } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { encodeFolders, putNote, spread } from './fanout.ts';
import { appendLines, noteLines } from './lines.ts';
import { type Folders, findNotes, walkNotes } from './tree.ts';

/** Lines to add, by commit. */
export type Additions = ReadonlyMap<string, readonly string[]>;

/** Git itself copies notes when it rewrites commits, and does not know our lock. */
const ATTEMPTS = 20;

/**
 * Adds lines to the notes of these commits, which need not exist, and gives the number of notes that changed. What a note has stays byte
 * for byte; a line that is there already is not added again. A fixed number of processes, and work for the touched notes alone.
 */
export async function appendNotes(repository: Repository, ref: string, additions: Additions): Promise<number> {
  checkAdditions(repository, additions);
  if (additions.size === 0) return 0;
  return withLock(repository.commonDir, async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const changed = await tryAppend(repository, ref, additions);
      if (changed !== undefined) return changed;
    }
    throw new Fault('git', `${ref} could not be updated: another process keeps moving or locking it.`);
  });
}

function checkAdditions({ objectFormat }: Repository, additions: Additions): void {
  const length = objectFormat === 'sha256' ? 64 : 40;
  for (const [key, lines] of additions) {
    if (key.length !== length || !/^[0-9a-f]+$/.test(key)) throw new Fault('bug', `${key} is no full commit id`);
    if (lines.some((line) => /[\n\0]/.test(line))) throw new Fault('bug', `A line for ${key} is not one line`);
  }
}

/** Undefined: the ref was moved meanwhile. */
async function tryAppend(repository: Repository, ref: string, additions: Additions): Promise<number | undefined> {
  const { place, objectFormat } = repository;
  const reader = openObjects(place);
  try {
    const [objects, committer] = await Promise.all([reader.read([ref]), readCommitter(place)]);
    const tip = objects.get(ref);
    const { folders, notes } = await readExisting(reader, tip && `${tip.id}^{tree}`, additions);
    const blobs = newBlobs(folders, notes, additions);
    if (blobs.size === 0) return 0;
    const changed = [...blobs].map(([key, bytes]) => putNote(folders, key, hashBlob(objectFormat, bytes)));
    const order = spread(folders, changed, objectFormat === 'sha256' ? 64 : 40);
    const trees = encodeFolders(folders, order, objectFormat);
    const commit = encodeCommit(trees.root, tip, committer);
    const written: NewObject[] = [...blobs.values()].map((bytes) => ({ type: 'blob', bytes }));
    await storeObjects(place, objectFormat, [...written, ...trees.objects, { type: 'commit', bytes: commit }]);
    const to = hashObject(objectFormat, 'commit', commit);
    const moved = await moveRef(place, { ref, to, from: tip?.id, message: MESSAGE });
    return moved ? blobs.size : undefined;
  } finally {
    reader.close();
  }
}

interface Existing {
  readonly folders: Folders;
  readonly notes: ReadonlyMap<string, GitObject | undefined>;
}

async function readExisting(reader: ObjectReader, root: string | undefined, additions: Additions): Promise<Existing> {
  const keys = [...additions.keys()];
  const [folders = new Map()] = root === undefined ? [] : await walkNotes(reader, [root], keys);
  const ids = keys.flatMap((key) => findNotes(folders, key).map(({ entry }) => entry.id));
  return { folders, notes: ids.length === 0 ? new Map() : await reader.read(ids) };
}

/** The whole new contents of the notes that change. */
function newBlobs(folders: Folders, notes: Existing['notes'], additions: Additions): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  for (const [key, lines] of additions) {
    const [first = Buffer.alloc(0), ...others] = findNotes(folders, key).map(({ entry }) => {
      const bytes = notes.get(entry.id)?.bytes;
      if (bytes) return bytes;
      throw new Fault(
        'surroundings',
        `The note of ${key} is not here: fetch the notes with git fetch --no-filter first.`,
      );
    });
    const bytes = appendLines(first, lines, others.flatMap(noteLines));
    if (bytes) blobs.set(key, bytes);
  }
  return blobs;
}

const MESSAGE = 'notes: append';

function encodeCommit(tree: string, parent: GitObject | undefined, committer: string): Buffer {
  const parents = parent ? `parent ${parent.id}\n` : '';
  return Buffer.from(`tree ${tree}\n${parents}author ${committer}\ncommitter ${committer}\n\n${MESSAGE}\n`);
}
