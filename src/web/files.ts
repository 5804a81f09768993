import type { Repository } from './repository.ts';
import { isFolder, isRegular, type TreeFile } from './tree.ts';

/** A path, and what stands there in two trees. */
export interface Change {
  readonly path: string;
  readonly before?: TreeFile;
  readonly after?: TreeFile;
}

/** The regular file at a path of a tree. */
export async function findFile(repository: Repository, root: string, path: string): Promise<TreeFile | undefined> {
  const parts = path.split('/');
  let folder = root;
  for (const part of parts.slice(0, -1)) {
    const entry = (await repository.tree(folder))?.get(part);
    if (!entry || !isFolder(entry)) return undefined;
    folder = entry.id;
  }
  const entry = (await repository.tree(folder))?.get(parts.at(-1) ?? '');
  return isRegular(entry) ? entry : undefined;
}

/** A hostile tree may repeat itself without end. */
const MAX_FOLDERS = 20_000;
const MAX_CHANGES = 50_000;

interface Step {
  readonly prefix: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Regular files that differ between two trees, by path; folders that are the same are not looked into. Undefined: so many that nobody
 * can have written them, or a tree is not here.
 */
export async function changedFiles(
  repository: Repository,
  before: string | undefined,
  after: string,
): Promise<Change[] | undefined> {
  const changes: Change[] = [];
  const steps: Step[] = [{ prefix: '', before, after }];
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at];
    if (!step || at >= MAX_FOLDERS || changes.length > MAX_CHANGES) return undefined;
    const [old, next] = await Promise.all([treeAt(repository, step.before), treeAt(repository, step.after)]);
    if (!old || !next) return undefined;
    for (const name of new Set([...old.keys(), ...next.keys()])) {
      const pair = { prefix: step.prefix + name, before: old.get(name), after: next.get(name) };
      if (pair.before?.id === pair.after?.id && pair.before?.mode === pair.after?.mode) continue;
      steps.push(...stepsBelow(pair));
      changes.push(...changeOf(pair));
    }
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface Pair {
  readonly prefix: string;
  readonly before: TreeFile | undefined;
  readonly after: TreeFile | undefined;
}

function stepsBelow({ prefix, before, after }: Pair): Step[] {
  const [old, next] = [before, after].map((entry) => (isFolder(entry) ? entry?.id : undefined));
  return old === undefined && next === undefined ? [] : [{ prefix: `${prefix}/`, before: old, after: next }];
}

/** Something may become a folder, or cease to be one: the file beside it is then new, or gone. */
function changeOf({ prefix, before, after }: Pair): Change[] {
  const [old, next] = [before, after].map((entry) => (isRegular(entry) ? entry : undefined));
  return old || next ? [{ path: prefix, ...(old && { before: old }), ...(next && { after: next }) }] : [];
}

const NOTHING: ReadonlyMap<string, TreeFile> = new Map();

async function treeAt(
  repository: Repository,
  id: string | undefined,
): Promise<ReadonlyMap<string, TreeFile> | undefined> {
  return id === undefined ? NOTHING : repository.tree(id);
}
