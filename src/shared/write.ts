import { Fault } from '../fault.ts';
import { withLock } from '../git/lock.ts';
import { hashBlob, hashObject, type ObjectReader, openObjects } from '../git/objects.ts';
import { type NewObject, storeObjects } from '../git/pack.ts';
import { moveRef, readCommitter } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { SESSIONS_REF } from './names.ts';
import { encodeShelf, FILE, readShelf, type Shelf, sessionPath, tombstoneOf } from './shelf.ts';
import { findClashes, mergeShared, uniteShelves } from './unite.ts';

/** Our lock is not everybody's. */
const ATTEMPTS = 20;
/** A conversation is some megabytes; more than this is nobody's work. */
export const MAX_SHARED = 64 << 20;

/** A session as it is to be published. */
export interface Publication {
  readonly agent: string;
  readonly id: string;
  readonly bytes: Buffer;
}

/** Puts sessions onto our shelf; the ids of those that were not there like that. With `dry` nothing is written. */
export async function putSessions(
  repository: Repository,
  sessions: readonly Publication[],
  { dry = false }: { readonly dry?: boolean } = {},
): Promise<string[]> {
  if (dry) return (await tryPut(repository, sessions, true)) ?? [];
  return withLock(repository.commonDir, async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const put = await tryPut(repository, sessions, false);
      if (put) return put;
    }
    throw new Fault('git', `${SESSIONS_REF} could not be updated: another process keeps moving or locking it.`);
  });
}

/** Undefined: the ref was moved meanwhile. */
async function tryPut(
  repository: Repository,
  sessions: readonly Publication[],
  dry: boolean,
): Promise<string[] | undefined> {
  const { place, objectFormat } = repository;
  const reader = openObjects(place);
  try {
    const had = await readShelf(reader, SESSIONS_REF);
    const ours = new Map<string, { mode: string; id: string }>();
    const blobs = new Map<string, Buffer>();
    for (const { agent, id, bytes } of sessions) {
      const path = sessionPath(agent, id);
      const blob = hashBlob(objectFormat, bytes);
      ours.set(path, { mode: FILE, id: blob });
      blobs.set(blob, bytes);
    }
    const before = had?.shelf ?? new Map();
    const united = await unite(repository, reader, { ours, theirs: before, known: blobs });
    const put = sessions.filter(({ agent, id }) => {
      const path = sessionPath(agent, id);
      return united.shelf.has(path) && united.shelf.get(path)?.id !== before.get(path)?.id;
    });
    if (put.length === 0 || dry) return put.map(({ id }) => id);
    const fresh = [...blobs.values()].map((bytes): NewObject => ({ type: 'blob', bytes }));
    const to = await writeShelf(repository, united.shelf, {
      parents: had ? [had.commit] : [],
      objects: [...fresh, ...united.objects],
      message: 'sessions: share',
    });
    const moved = await moveRef(place, { ref: SESSIONS_REF, to, from: had?.commit, message: 'sessions: share' });
    return moved ? put.map(({ id }) => id) : undefined;
  } finally {
    reader.close();
  }
}

export interface Sides {
  readonly ours: Shelf;
  readonly theirs: Shelf;
  /** Blobs that are not stored yet. */
  readonly known?: ReadonlyMap<string, Buffer>;
}

export interface United {
  readonly shelf: Shelf;
  /** Blobs that the union has made. */
  readonly objects: readonly NewObject[];
}

/** Reads only what differs. A version that is not here or too large to be read leaves theirs as it is; ours stays where it was. */
export async function unite({ objectFormat }: Repository, reader: ObjectReader, sides: Sides): Promise<United> {
  const { ours, theirs, known } = sides;
  const clashes = findClashes(ours, theirs);
  const wanted = clashes.flatMap((clash) => [clash.ours, clash.theirs]).filter((id) => !known?.has(id));
  const read = wanted.length > 0 ? await reader.read(wanted, { maxBytes: MAX_SHARED }) : new Map();
  const objects: NewObject[] = [];
  const merged = new Map<string, string>();
  for (const { path, ours: mine, theirs: other } of clashes) {
    const [a, b] = [mine, other].map((id) => known?.get(id) ?? read.get(id)?.bytes);
    const bytes = a && b ? mergeShared(a, b) : undefined;
    merged.set(path, bytes ? hashBlob(objectFormat, bytes) : other);
    if (bytes) objects.push({ type: 'blob', bytes });
  }
  return { shelf: uniteShelves(ours, theirs, merged), objects };
}

export interface Draft {
  readonly parents: readonly string[];
  readonly objects: readonly NewObject[];
  readonly message: string;
}

/** Stores a shelf as a commit of its own; no ref is moved. */
export async function writeShelf(repository: Repository, shelf: Shelf, draft: Draft): Promise<string> {
  const { place, objectFormat } = repository;
  const committer = await readCommitter(place);
  const { root, objects } = encodeShelf(shelf, objectFormat);
  const parents = draft.parents.map((parent) => `parent ${parent}\n`).join('');
  const words = `tree ${root}\n${parents}author ${committer}\ncommitter ${committer}\n\n${draft.message}\n`;
  const bytes = Buffer.from(words);
  await storeObjects(place, objectFormat, [...draft.objects, ...objects, { type: 'commit', bytes }]);
  return hashObject(objectFormat, 'commit', bytes);
}

const GONE = Buffer.from('forgotten\n');

/** The same shelf with tombstones in the place of these sessions: one commit without a past, so that nothing leads to them any more. */
export async function writeWithout(repository: Repository, shelf: Shelf, paths: readonly string[]): Promise<string> {
  const left = new Map(shelf);
  const stone = { mode: FILE, id: hashBlob(repository.objectFormat, GONE) };
  for (const path of paths) {
    left.delete(path);
    const gone = tombstoneOf(path);
    if (gone !== undefined) left.set(gone, stone);
  }
  const objects: NewObject[] = [{ type: 'blob', bytes: GONE }];
  return writeShelf(repository, left, { parents: [], objects, message: 'sessions: forget' });
}
