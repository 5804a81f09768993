import { Fault } from '../fault.ts';
import { withLock } from '../git/lock.ts';
import { type GitObjects, hashBlob, hashObject, type ObjectReader, openObjects } from '../git/objects.ts';
import { type NewObject, storeObjects } from '../git/pack.ts';
import { moveRef, readCommitter } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import { type Differing, diffNotes } from './exchange/differing.ts';
import { addFiles } from './exchange/files.ts';
import { uniteBlobs } from './exchange/unite-lines.ts';
import { encodeFolders, putNote, spread } from './fanout.ts';
import { type Folders, findNotes, walkNotes } from './tree.ts';

/** Git itself copies notes when it rewrites commits, and does not know our lock. */
const ATTEMPTS = 20;
/** A note is some hundred bytes per record; more than this is nobody's work. */
const MAX_NOTE = 32 << 20;
const MESSAGE = 'notes: unite';

/**
 * Adds to the notes of one ref everything that another one has; true: the ref has moved. Nothing is ever dropped, whatever the histories
 * say: a note on both sides gets the lines of both. Costs what the two trees differ by, not what they hold.
 */
export async function uniteNotes(repository: Repository, into: string, from: string): Promise<boolean> {
  return withLock(repository.commonDir, async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const moved = await tryUnite(repository, into, from);
      if (moved !== undefined) return moved;
    }
    throw new Fault('git', `${into} could not be updated: another process keeps moving or locking it.`);
  });
}

interface Tip {
  readonly commit: string;
  readonly tree: string;
}

/** Undefined: somebody else moved the ref meanwhile. */
async function tryUnite(repository: Repository, into: string, from: string): Promise<boolean | undefined> {
  const { place } = repository;
  const reader = openObjects(place);
  try {
    const objects = await reader.read([into, from].flatMap((ref) => [ref, `${ref}^{tree}`]));
    const [ours, theirs] = [tipOf(objects, into), tipOf(objects, from)];
    if (!theirs || ours?.commit === theirs.commit) return false;
    const move = async (to: string) =>
      (await moveRef(place, { ref: into, to, from: ours?.commit, message: MESSAGE })) || undefined;
    if (!ours) return await move(theirs.commit);
    // what was taken in before has nothing to say about order and folders: else two forms of the same would take turns for ever
    const behind = await isAncestor(repository, theirs.commit, ours.commit);
    const tree = await uniteTrees(repository, reader, { ours: ours.tree, theirs: theirs.tree, behind });
    if (tree === ours.tree && behind) return false;
    if (tree === theirs.tree && (await isAncestor(repository, ours.commit, theirs.commit)))
      return await move(theirs.commit);
    // also where the contents are the same: what has both histories behind it is pushed to either side
    return await move(await writeMerge(repository, tree, [ours.commit, theirs.commit]));
  } finally {
    reader.close();
  }
}

function tipOf(objects: GitObjects, ref: string): Tip | undefined {
  const [tip, tree] = [objects.get(ref), objects.get(`${ref}^{tree}`)];
  if (!tip) return undefined;
  if (tip.type !== 'commit' || !tree) throw new Fault('refused', `${ref} is no history of notes: it is left alone.`);
  return { commit: tip.id, tree: tree.id };
}

async function isAncestor({ place }: Repository, older: string, newer: string): Promise<boolean> {
  return (await askGit(place, ['merge-base', '--is-ancestor', older, newer])).code === 0;
}

async function writeMerge({ place, objectFormat }: Repository, tree: string, parents: string[]): Promise<string> {
  const committer = await readCommitter(place);
  const lines = parents.map((parent) => `parent ${parent}\n`).join('');
  const bytes = Buffer.from(`tree ${tree}\n${lines}author ${committer}\ncommitter ${committer}\n\n${MESSAGE}\n`);
  await storeObjects(place, objectFormat, [{ type: 'commit', bytes }]);
  return hashObject(objectFormat, 'commit', bytes);
}

interface Trees {
  readonly ours: string;
  readonly theirs: string;
  /** Theirs is part of the history of ours. */
  readonly behind: boolean;
}

/** The tree of both: what the smaller side has to itself is put into the larger one. */
async function uniteTrees(
  repository: Repository,
  reader: ObjectReader,
  { ours, theirs, behind }: Trees,
): Promise<string> {
  const differing = await diffNotes(repository, ours, theirs);
  // where neither has more, theirs: so that two sides which differ in their folders alone agree after one exchange
  const more = differing.theirs.notes.size - differing.ours.notes.size;
  const base = more > 0 || (more === 0 && !behind) ? 'theirs' : 'ours';
  const added = base === 'ours' ? differing.theirs : differing.ours;
  const root = base === 'ours' ? ours : theirs;
  const keys = [...added.notes.keys()];
  const [folders = new Map()] = await walkNotes(reader, [root], keys);
  const { blobs, changed } = await putNotes(repository, reader, { folders, added: added.notes, base, behind });
  const united = await writeFolders(repository, folders, { blobs, changed, root });
  return addFiles(repository, united, chooseFiles(differing, base));
}

interface Graft {
  readonly folders: Folders;
  readonly added: ReadonlyMap<string, readonly string[]>;
  readonly base: 'ours' | 'theirs';
  readonly behind: boolean;
}

interface Grafted {
  readonly blobs: NewObject[];
  readonly changed: string[];
}

async function putNotes({ objectFormat }: Repository, reader: ObjectReader, graft: Graft): Promise<Grafted> {
  const { folders, added, base, behind } = graft;
  const pairs = [...added].flatMap(([key, ids]) => {
    const there = findNotes(folders, key).map(({ entry }) => entry.id);
    const fresh = ids.filter((id) => !there.includes(id));
    return fresh.length > 0 ? [{ key, there, fresh }] : [];
  });
  // a commit that has a note on one side alone gets it unread
  const wanted = pairs.flatMap(({ there, fresh }) => (there.length + fresh.length > 1 ? [...there, ...fresh] : []));
  const objects = wanted.length > 0 ? await reader.read(wanted, { maxBytes: MAX_NOTE }) : new Map();
  const blobs: NewObject[] = [];
  const changed: string[] = [];
  for (const { key, there, fresh } of pairs) {
    let [id = ''] = fresh;
    if (there.length + fresh.length > 1) {
      const [ours, theirs] = base === 'ours' ? [there, fresh] : [fresh, there];
      const read = (ids: readonly string[]) => ids.map((one) => bytesOf(objects, one, key));
      const bytes = uniteBlobs(read(ours), read(theirs), { behind });
      id = hashBlob(objectFormat, bytes);
      if (id === there[0]) continue;
      if (!objects.has(id)) blobs.push({ type: 'blob', bytes });
    }
    changed.push(putNote(folders, key, id));
  }
  return { blobs, changed };
}

function bytesOf(objects: GitObjects, id: string, key: string): Buffer {
  const bytes = objects.get(id)?.bytes;
  if (bytes) return bytes;
  throw new Fault('refused', `The note of ${key} is too large or not here: run git agent fetch, then try again.`);
}

async function writeFolders(
  { place, objectFormat }: Repository,
  folders: Folders,
  { blobs, changed, root }: Grafted & { readonly root: string },
): Promise<string> {
  if (changed.length === 0) return root;
  const order = spread(folders, changed, objectFormat === 'sha256' ? 64 : 40);
  const trees = encodeFolders(folders, order, objectFormat);
  await storeObjects(place, objectFormat, [...blobs, ...trees.objects]);
  return trees.root;
}

/** Entries that are no notes: all of them stay. Of two by one name the greater, which is the same one for everybody; history has both. */
function chooseFiles({ ours, theirs }: Differing, base: Graft['base']): Differing['ours']['files'] {
  const [there, fresh] = base === 'ours' ? [ours.files, theirs.files] : [theirs.files, ours.files];
  const rank = (entry: { mode: string; id: string } | undefined) => (entry ? `${entry.mode} ${entry.id}` : '');
  return new Map([...fresh].filter(([path, entry]) => rank(entry) > rank(there.get(path))));
}
