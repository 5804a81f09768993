import type { ObjectReader } from '../git/objects.ts';
import { decodeTree, FOLDER, type Tree, type TreeEntry } from '../git/trees.ts';

/**
 * The folders of a notes tree, by the part of the commit's id that leads there: `''`, `ab`, `abcd`. A note of commit abcdef... is called
 * `abcdef...`, `ab/cdef...` or `ab/cd/ef...`, as deep as git found it useful.
 */
export type Folders = Map<string, Tree>;

export interface FoundNote {
  readonly folder: string;
  readonly name: string;
  readonly entry: TreeEntry;
}

/** A hostile tree may repeat itself without end when all of it is asked for. */
const MAX_FOLDERS = 200_000;

interface Step {
  /** Which of the trees. */
  readonly at: number;
  readonly prefix: string;
  readonly object: string;
  /** Undefined: all. */
  readonly keys: readonly string[] | undefined;
}

/** Reads the folders on the way to the keys, in all the trees at once: one round per level. Told of trees that are not here, or not all of them. */
export async function walkNotes(
  reader: ObjectReader,
  roots: readonly string[],
  keys?: readonly string[],
  onMissing: (at: number) => void = () => {},
): Promise<Folders[]> {
  const trees: Folders[] = roots.map(() => new Map());
  let count = 0;
  let steps: Step[] = roots.map((object, at) => ({ at, prefix: '', object, keys }));
  while (steps.length > 0 && count < MAX_FOLDERS) {
    const objects = await reader.read(steps.map(({ object }) => object));
    count += steps.length;
    const next: Step[] = [];
    for (const step of steps) {
      const object = objects.get(step.object);
      if (object?.type !== 'tree') {
        onMissing(step.at);
        continue;
      }
      const tree = decodeTree(object.bytes, object.id.length / 2);
      trees[step.at]?.set(step.prefix, tree);
      if (step.prefix.length + 4 <= object.id.length) next.push(...stepsBelow(step, tree));
    }
    steps = next;
  }
  for (const { at } of steps) onMissing(at);
  return trees;
}

function* stepsBelow({ at, prefix, keys }: Step, tree: Tree): Generator<Step> {
  const groups = new Map<string, string[] | undefined>();
  if (!keys) for (const name of tree.keys()) if (isFolder(tree, name)) groups.set(name, undefined);
  for (const key of keys ?? []) {
    const name = key.slice(prefix.length, prefix.length + 2);
    const group = groups.get(name);
    if (group) group.push(key);
    else if (isFolder(tree, name)) groups.set(name, [key]);
  }
  for (const [name, below] of groups)
    yield { at, prefix: prefix + name, object: tree.get(name)?.id ?? '', keys: below };
}

export function isFolder(tree: Tree, name: string): boolean {
  return tree.get(name)?.mode === FOLDER && /^[0-9a-f]{2}$/.test(name);
}

export function isNote(name: string, { mode }: TreeEntry, length: number): boolean {
  return name.length === length && mode.startsWith('100') && /^[0-9a-f]+$/.test(name);
}

/** Where the notes of a commit are: mostly one place or none, but a tree may have been put together from two. */
export function findNotes(folders: Folders, key: string): FoundNote[] {
  const found: FoundNote[] = [];
  for (let depth = 0; depth < key.length; depth += 2) {
    const folder = key.slice(0, depth);
    const tree = folders.get(folder);
    if (!tree) break;
    const name = key.slice(depth);
    const entry = tree.get(name);
    if (entry && isNote(name, entry, name.length)) found.push({ folder, name, entry });
  }
  return found;
}
