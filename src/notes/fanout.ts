import { hashObject } from '../git/objects.ts';
import type { NewObject } from '../git/pack.ts';
import type { ObjectFormat } from '../git/repository.ts';
import { encodeTree, FOLDER, type Tree } from '../git/trees.ts';
import { type Folders, findNotes, isFolder, isNote } from './tree.ts';

/** Puts a note where the commit has one already, or has `instead`, else as deep as its folders go; gives the folder that changed. */
export function putNote(folders: Folders, key: string, blob: string, instead?: string): string {
  const there = findNotes(folders, key).find(({ entry }) => instead === undefined || entry.id === instead);
  let folder = there?.folder ?? '';
  if (!there) while (folders.has(key.slice(0, folder.length + 2))) folder = key.slice(0, folder.length + 2);
  const tree = folders.get(folder) ?? new Map();
  tree.set(key.slice(folder.length), { mode: there?.entry.mode ?? '100644', id: blob });
  folders.set(folder, tree);
  return folder;
}

/**
 * Puts a further note of a commit beside those that it has, one folder higher or lower: git and all readers take them as one. Undefined:
 * something that is no folder is in the way.
 */
export function putBeside(folders: Folders, key: string, blob: string): string | undefined {
  if (findNotes(folders, key).length === 0) return putNote(folders, key, blob);
  for (let depth = 0; depth < key.length; depth += 2) {
    const folder = key.slice(0, depth);
    const tree = folders.get(folder) ?? new Map();
    const name = key.slice(depth);
    if (!tree.has(name)) {
      tree.set(name, { mode: '100644', id: blob });
      folders.set(folder, tree);
      return folder;
    }
    // a folder that nobody has read, or none
    if (!folders.has(folder + name.slice(0, 2)) && tree.has(name.slice(0, 2))) return undefined;
  }
  return undefined;
}

/**
 * Spreads folders that have become too full over folders of their own, as git does (notes.c, determine_fanout): when each of the sixteen
 * first digits has two notes or a folder. Gives all folders that are to be written, the deepest first.
 */
export function spread(folders: Folders, changed: Iterable<string>, idLength: number): string[] {
  const dirty = new Set<string>();
  for (const folder of changed) for (let n = 0; n <= folder.length; n += 2) dirty.add(folder.slice(0, n));
  // a set is walked in the order things were added: folders made on the way have their turn too
  for (const folder of dirty) {
    const tree = folders.get(folder);
    const length = idLength - folder.length;
    if (!tree || length <= 2) continue;
    const notes = [...tree].filter(([name, entry]) => isNote(name, entry, length)).map(([name]) => name);
    if (!isFull(tree, notes)) continue;
    for (const name of notes) if (moveDown(folders, folder, name)) dirty.add(folder + name.slice(0, 2));
  }
  return [...dirty].sort((a, b) => b.length - a.length);
}

function isFull(tree: Tree, notes: readonly string[]): boolean {
  // a folder that has folders goes on having them: git alone takes them back, when it rewrites the whole tree
  for (const name of tree.keys()) if (isFolder(tree, name)) return notes.length > 0;
  const counts = new Map<string, number>();
  for (const [digit] of notes) if (digit) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  return counts.size === 16 && [...counts.values()].every((count) => count >= 2);
}

/** False where something else has the name, or a folder that nobody read has it: the note stays, and is found all the same. */
function moveDown(folders: Folders, folder: string, name: string): boolean {
  const tree = folders.get(folder);
  const entry = tree?.get(name);
  const below = name.slice(0, 2);
  const target = folders.get(folder + below) ?? (tree?.has(below) ? undefined : new Map());
  if (!tree || !entry || !target || target.has(name.slice(2))) return false;
  target.set(name.slice(2), entry);
  folders.set(folder + below, target);
  tree.delete(name);
  if (!tree.has(below)) tree.set(below, { mode: FOLDER, id: '' });
  return true;
}

/** The tree objects of these folders, the deepest first, and the id of the topmost. */
export function encodeFolders(
  folders: Folders,
  order: readonly string[],
  format: ObjectFormat,
): { readonly objects: NewObject[]; readonly root: string } {
  const objects: NewObject[] = [];
  let root = '';
  for (const folder of order) {
    const bytes = encodeTree(folders.get(folder) ?? new Map());
    root = hashObject(format, 'tree', bytes);
    objects.push({ type: 'tree', bytes });
    if (folder !== '') folders.get(folder.slice(0, -2))?.set(folder.slice(-2), { mode: FOLDER, id: root });
  }
  return { objects, root };
}
