import { Fault } from '../fault.ts';
import { withLock } from '../git/lock.ts';
import {
  type GitObject,
  type GitObjects,
  hashBlob,
  hashObject,
  type ObjectReader,
  openObjects,
} from '../git/objects.ts';
import { type NewObject, openStore, storeObjects } from '../git/pack.ts';
import { moveRefs, type OpenMoves, openMoves, readCommitter, typesOfRefs } from '../git/refs.ts';
import type { ObjectFormat, Repository } from '../git/repository.ts';
import { encodeFolders, putBeside, putNote, spread } from './fanout.ts';
import { appendLines, MAX_NOTE, noteLines } from './lines.ts';
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
  const changed = await appendToRefs(repository, new Map([[ref, additions]]));
  return changed.get(ref) ?? 0;
}

/** The same under several refs, all at once or not at all: how many notes changed under each. */
export async function appendToRefs(
  repository: Repository,
  all: ReadonlyMap<string, Additions>,
  ready?: AppendTools,
): Promise<ReadonlyMap<string, number>> {
  const byRef = new Map([...all].filter(([, additions]) => additions.size > 0));
  for (const additions of byRef.values()) checkAdditions(repository, additions);
  if (byRef.size === 0) return new Map();
  return withLock(repository.commonDir, async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const changed = await tryAppend(
        repository,
        byRef,
        (attempt === 0 && ready) || toolsAsked(repository, [...byRef.keys()]),
      );
      if (changed) return changed;
    }
    const types = await typesOfRefs(repository.place, [...byRef.keys()]);
    const gone = [...types].flatMap(([ref, type]) => (type === 'missing' ? [ref] : []));
    if (gone.length > 0) throw unreadFault(gone);
    const refs = [...byRef.keys()].join(', ');
    throw new Fault('git', `${refs} could not be updated: another process keeps moving or locking it.`);
  });
}

function unreadFault(refs: readonly string[]): Fault {
  const what = `The notes in ${refs.join(', ')} cannot be read, or not all of them, and nothing was added`;
  return new Fault('surroundings', `${what}: git agent doctor says what to do.`);
}

function checkAdditions({ objectFormat }: Repository, additions: Additions): void {
  const length = objectFormat === 'sha256' ? 64 : 40;
  for (const [key, lines] of additions) {
    if (key.length !== length || !/^[0-9a-f]+$/.test(key)) throw new Fault('bug', `${key} is no full commit id`);
    if (lines.some((line) => /[\n\0]/.test(line))) throw new Fault('bug', `A line for ${key} is not one line`);
  }
}

/** What appending asks git for, each once. */
export interface AppendTools {
  readonly reader: ObjectReader;
  /** What the refs stand at: should they move meanwhile, git tells when they are to be moved. */
  readonly tips: Promise<GitObjects>;
  readonly committer: Promise<string>;
  store(objects: readonly NewObject[]): Promise<void>;
  move(changes: Parameters<OpenMoves['move']>[0]): Promise<boolean>;
  close(): void;
}

/** Processes that are started while it is still worked out what to append: starting takes them longer than the rest. Close them. */
export function startTools({ place, objectFormat }: Repository, refs: readonly string[]): AppendTools {
  const [reader, store, moves] = [openObjects(place), openStore(place), openMoves(place, MESSAGE)];
  const [tips, committer] = [reader.read(refs), readCommitter(place)];
  for (const one of [tips, committer]) one.catch(() => {}); // told to whoever waits for it
  return {
    reader,
    tips,
    committer,
    store: (objects) => store.store(objectFormat, objects),
    move: (changes) => moves.move(changes),
    close() {
      for (const one of [reader, store, moves]) one.close();
    },
  };
}

/** Each is started when it is its turn. */
function toolsAsked({ place, objectFormat }: Repository, refs: readonly string[]): AppendTools {
  const reader = openObjects(place);
  return {
    reader,
    tips: reader.read(refs),
    committer: readCommitter(place),
    store: (objects) => storeObjects(place, objectFormat, objects),
    move: (changes) => moveRefs(place, MESSAGE, changes),
    close: () => reader.close(),
  };
}

/** Undefined: a ref was moved meanwhile. */
async function tryAppend(
  { objectFormat }: Repository,
  byRef: ReadonlyMap<string, Additions>,
  tools: AppendTools,
): Promise<Map<string, number> | undefined> {
  const { reader } = tools;
  try {
    const [tips, committer] = await Promise.all([tools.tips, tools.committer]);
    const plans: Plan[] = [];
    for (const [ref, additions] of byRef) {
      const tip = tips.get(ref);
      const existing = await readExisting(reader, { ref, tip }, additions);
      const blobs = newBlobs(existing, additions);
      if (blobs.size > 0) plans.push({ ref, tip, folders: existing.folders, blobs });
    }
    const drafts = plans.map((plan) => draftOf(plan, objectFormat, committer));
    if (drafts.length === 0) return new Map();
    await tools.store(drafts.flatMap(({ objects }) => objects));
    const moved = await tools.move(drafts);
    return moved ? new Map(plans.map(({ ref, blobs }) => [ref, blobs.size])) : undefined;
  } finally {
    tools.close();
  }
}

/** What is to be added under one ref: the whole new contents of the notes that change. */
interface Plan {
  readonly ref: string;
  readonly tip: GitObject | undefined;
  readonly folders: Folders;
  readonly blobs: ReadonlyMap<string, Grown>;
}

/** The whole new contents of a note. */
interface Grown {
  readonly bytes: Buffer;
  /** The note that they stand in for; undefined: none, it is a further one. */
  readonly instead: string | undefined;
}

/** The objects of one new commit, and where its ref goes with it. */
function draftOf({ ref, tip, folders, blobs }: Plan, format: ObjectFormat, committer: string) {
  const changed = [...blobs].map(([key, { bytes, instead }]) => {
    const id = hashBlob(format, bytes);
    return (instead === undefined ? putBeside(folders, key, id) : undefined) ?? putNote(folders, key, id, instead);
  });
  const order = spread(folders, changed, format === 'sha256' ? 64 : 40);
  const trees = encodeFolders(folders, order, format);
  const commit = encodeCommit(trees.root, tip, committer);
  const notes: NewObject[] = [...blobs.values()].map(({ bytes }) => ({ type: 'blob', bytes }));
  const objects: NewObject[] = [...notes, ...trees.objects, { type: 'commit', bytes: commit }];
  return { ref, from: tip?.id, to: hashObject(format, 'commit', commit), objects };
}

interface Existing {
  readonly folders: Folders;
  readonly notes: ReadonlyMap<string, GitObject | undefined>;
}

/** Where notes cannot be read, a tree without them would be written in the place of theirs. */
async function readExisting(
  reader: ObjectReader,
  { ref, tip }: Pick<Plan, 'ref' | 'tip'>,
  additions: Additions,
): Promise<Existing> {
  const keys = [...additions.keys()];
  const refuse = () => {
    throw unreadFault([ref]);
  };
  const [folders = new Map()] = tip ? await walkNotes(reader, [`${tip.id}^{tree}`], keys, refuse) : [];
  const ids = keys.flatMap((key) => findNotes(folders, key).map(({ entry }) => entry.id));
  return { folders, notes: ids.length === 0 ? new Map() : await reader.read(ids) };
}

/** The notes that change. */
function newBlobs({ folders, notes }: Existing, additions: Additions): Map<string, Grown> {
  const blobs = new Map<string, Grown>();
  for (const [key, lines] of additions) {
    const there = findNotes(folders, key).map(({ entry: { id } }) => {
      const bytes = notes.get(id)?.bytes;
      if (bytes) return { id, bytes };
      throw new Fault(
        'surroundings',
        `The note of ${key} is not here: fetch the notes with git fetch --no-filter first.`,
      );
    });
    const grown = grow(there, lines);
    if (grown) blobs.set(key, grown);
  }
  return blobs;
}

interface Standing {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Undefined: there is nothing new. In a note that is too large nobody would read the lines: a further one has them. */
function grow(there: readonly Standing[], lines: readonly string[]): Grown | undefined {
  const known = there.flatMap(({ bytes }) => noteLines(bytes));
  const fresh = appendLines(Buffer.alloc(0), lines, known);
  if (!fresh) return undefined;
  const first = there.find(({ bytes }) => bytes.length + fresh.length < MAX_NOTE);
  if (!first) return { bytes: fresh, instead: undefined };
  return { bytes: appendLines(first.bytes, lines, known) ?? first.bytes, instead: first.id };
}

const MESSAGE = 'notes: append';

function encodeCommit(tree: string, parent: GitObject | undefined, committer: string): Buffer {
  const parents = parent ? `parent ${parent.id}\n` : '';
  return Buffer.from(`tree ${tree}\n${parents}author ${committer}\ncommitter ${committer}\n\n${MESSAGE}\n`);
}
