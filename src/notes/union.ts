import { Fault } from '../fault.ts';
import { withLock } from '../git/lock.ts';
import { type GitObjects, hashBlob, hashObject, type ObjectReader, openObjects } from '../git/objects.ts';
import { type NewObject, storeObjects } from '../git/pack.ts';
import { moveRef, readCommitter } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import { type Differing, diffNotes } from './exchange/differing.ts';
import { addFiles } from './exchange/files.ts';
import { meet } from './exchange/meet.ts';
import { encodeFolders, putBeside, putNote, spread } from './fanout.ts';
import { MAX_NOTE } from './lines.ts';
import { type Folders, findNotes, walkNotes } from './tree.ts';

/** Git itself copies notes when it rewrites commits, and does not know our lock. */
const ATTEMPTS = 20;
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
  if (tip.type !== 'commit') throw new Fault('refused', `${ref} is no history of notes: it is left alone.`);
  if (tree) return { commit: tip.id, tree: tree.id };
  const next = `git update-ref -d ${ref} takes it away; then git agent sync brings what was pushed`;
  throw new Fault('refused', `${ref} is left alone, since its tree cannot be read: ${next}.`);
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
  const objects = await readPairs(
    reader,
    pairs.filter(({ there, fresh }) => there.length + fresh.length > 1),
  );
  const find = (id: string) => objects.get(id)?.bytes;
  const blobs: NewObject[] = [];
  const changed = pairs.flatMap(({ key, there, fresh }) => {
    const { united, instead, beside } = meet({ there, fresh, base, behind }, find);
    const ids = [...beside];
    const folder: string[] = [];
    if (united) {
      const id = hashBlob(objectFormat, united);
      if (!objects.has(id)) blobs.push({ type: 'blob', bytes: united });
      if (instead === undefined) ids.push(id);
      else if (id !== instead) folder.push(putNote(folders, key, id, instead));
    }
    return [...folder, ...ids.flatMap((id) => placeBeside(graft, key, id) ?? [])];
  });
  return { blobs, changed };
}

/** Where there is no place left, ours is what stays; theirs is in the history. */
function placeBeside({ folders, base }: Graft, key: string, id: string): string | undefined {
  const place = putBeside(folders, key, id);
  return place === undefined && base === 'theirs' ? putNote(folders, key, id) : place;
}

interface Pair {
  readonly key: string;
  readonly there: readonly string[];
  readonly fresh: readonly string[];
}

/** What is too large is not among them. What is not in this clone might be small. */
async function readPairs(reader: ObjectReader, pairs: readonly Pair[]): Promise<GitObjects> {
  const wanted = pairs.flatMap(({ there, fresh }) => [...there, ...fresh]);
  if (wanted.length === 0) return new Map();
  const objects = await reader.read(wanted, { maxBytes: MAX_NOTE });
  const unread = wanted.filter((id) => !objects.get(id));
  const here = await reader.present(unread);
  const lacking = pairs.find(({ there, fresh }) =>
    [...there, ...fresh].some((id) => !objects.get(id) && !here.has(id)),
  );
  if (lacking)
    throw new Fault('refused', `The contents of the note of ${lacking.key} are not in this clone.`, {
      lacking: lacking.key,
    });
  return objects;
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
