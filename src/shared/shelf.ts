import { hashObject, type ObjectReader } from '../git/objects.ts';
import type { NewObject } from '../git/pack.ts';
import type { ObjectFormat } from '../git/repository.ts';
import { decodeTree, encodeTree, FOLDER, type Tree, type TreeEntry } from '../git/trees.ts';
import { encodeName } from '../sessions/file-names.ts';
import { SESSION, TOMBSTONE } from './names.ts';

/** What is shared under one ref: entries by `FOLDER/NAME`, and by their name alone those that lie in no folder. */
export type Shelf = ReadonlyMap<string, TreeEntry>;

/** A ref's shelf with the commit that it was read from. */
export interface Shelved {
  readonly commit: string;
  readonly shelf: Shelf;
}

/** Two rounds, whatever it holds. Undefined: there is no such ref, or it is no history of trees. */
export async function readShelf(reader: ObjectReader, name: string): Promise<Shelved | undefined> {
  const objects = await reader.read([name, `${name}^{tree}`]);
  const [tip, root] = [objects.get(name), objects.get(`${name}^{tree}`)];
  if (tip?.type !== 'commit' || !root) return undefined;
  const shelf = new Map<string, TreeEntry>();
  const top = [...decodeTree(root.bytes, root.id.length / 2)];
  const folders = top.filter(([, entry]) => entry.mode === FOLDER);
  const trees = folders.length > 0 ? await reader.read(folders.map(([, entry]) => entry.id)) : new Map();
  for (const [folder, entry] of top) {
    const tree = trees.get(entry.id);
    if (!tree) shelf.set(folder, entry);
    else for (const [inside, one] of decodeTree(tree.bytes, tree.id.length / 2)) shelf.set(`${folder}/${inside}`, one);
  }
  return { commit: tip.id, shelf };
}

/** The trees of a shelf; `root` is the id of the topmost. */
export function encodeShelf(shelf: Shelf, format: ObjectFormat): { root: string; objects: NewObject[] } {
  const top: Tree = new Map();
  const folders = new Map<string, Tree>();
  for (const [path, entry] of shelf) {
    const slash = path.indexOf('/');
    if (slash < 0) {
      top.set(path, entry);
      continue;
    }
    const folder = path.slice(0, slash);
    const tree = folders.get(folder) ?? new Map();
    tree.set(path.slice(slash + 1), entry);
    folders.set(folder, tree);
  }
  const objects: NewObject[] = [];
  const put = (tree: Tree) => {
    const bytes = encodeTree(tree);
    objects.push({ type: 'tree', bytes });
    return hashObject(format, 'tree', bytes);
  };
  for (const [folder, tree] of folders) top.set(folder, { mode: FOLDER, id: put(tree) });
  return { root: put(top), objects };
}

export function sessionPath(agent: string, id: string): string {
  return `${encodeName(agent)}/${encodeName(id)}${SESSION}`;
}

/** Undefined for what is no session's place. */
export function tombstoneOf(path: string): string | undefined {
  return isSession(path) ? path.slice(0, -SESSION.length) + TOMBSTONE : undefined;
}

export function isSession(path: string): boolean {
  return path.includes('/') && path.endsWith(SESSION);
}

/** The places of a session on a shelf: more than one where two agents use one id. */
export function findSession(shelf: Shelf, id: string): string[] {
  const ending = `/${encodeName(id)}${SESSION}`;
  return [...shelf.keys()].filter((path) => path.endsWith(ending));
}

export const FILE = '100644';
