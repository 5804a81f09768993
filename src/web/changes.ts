import { rangesOf } from '../lines/range.ts';
import { isBinary, type Lines, splitBytes } from '../lines/text.ts';
import type { HistoryCommit } from './commit.ts';
import { type Change, changedFiles } from './files.ts';
import { findSource, gone, type Named } from './rename.ts';
import type { Repository } from './repository.ts';
import { mapBytes } from './text.ts';
import { decodePath, type TreeFile } from './tree.ts';

/** A text file that a commit added lines to. */
export interface ChangedFile {
  /** Like the paths in records. */
  readonly path: string;
  readonly oldPath?: string;
  /** The file's content in the commit. */
  readonly text: Lines;
  readonly added: readonly { readonly start: number; readonly lines: Lines }[];
}

/** Larger files are nobody's work, nor can they be compared in good time. */
const MAX_BYTES = 20 << 20;

/** What the commit adds; a merge has only the lines that come from no parent. What is not in this clone is left out. */
export async function changesOf(repository: Repository, commit: HistoryCommit): Promise<ChangedFile[]> {
  const parents = (await Promise.all(commit.parents.map((id) => repository.commit(id)))).filter(
    (one) => one !== undefined,
  );
  // where the history is cut off, git too takes a commit for the first
  const trees = parents.length === 0 ? [undefined] : parents.map(({ tree }) => tree);
  const sides: Side[] = [];
  for (const tree of trees) {
    const changes = await changedFiles(repository, tree, commit.tree);
    if (!changes) return [];
    sides.push({ changes: new Map(changes.map((change) => [change.path, change])), left: gone(changes) });
  }
  const files: ChangedFile[] = [];
  for (const { path, after } of sides[0]?.changes.values() ?? []) {
    // what equals the file in some parent came from there
    if (!after || !sides.every(({ changes }) => changes.has(path))) continue;
    const file = await changedFile(repository, { path, file: after }, sides);
    if (file) files.push(file);
  }
  return files;
}

/** The commit against one of its parents. */
interface Side {
  readonly changes: ReadonlyMap<string, Change>;
  /** Files that are gone and were not given another name yet. */
  left: Named[];
}

async function changedFile(
  repository: Repository,
  target: Named,
  sides: readonly Side[],
): Promise<ChangedFile | undefined> {
  const bytes = await textOf(repository, target.file);
  if (!bytes) return undefined;
  const text = splitBytes(bytes);
  const fresh = new Set(text.keys());
  let oldPath: string | undefined;
  for (const side of sides) {
    const old = await oldVersion(repository, target, side);
    if (!old) continue;
    if (old.path !== target.path) oldPath ??= old.path;
    const before = await textOf(repository, old.file);
    if (before) for (const [i, line] of mapBytes(before, bytes).entries()) if (line >= 0) fresh.delete(i);
  }
  if (fresh.size === 0) return undefined;
  const added = rangesOf(fresh).map(({ start, end }) => ({ start: start + 1, lines: text.slice(start, end + 1) }));
  return { path: decodePath(target.path), ...(oldPath !== undefined && { oldPath: decodePath(oldPath) }), text, added };
}

async function oldVersion(repository: Repository, target: Named, side: Side): Promise<Named | undefined> {
  const before: TreeFile | undefined = side.changes.get(target.path)?.before;
  if (before) return { path: target.path, file: before };
  const source = await findSource(repository, target, side.left);
  // a file has one new name
  side.left = side.left.filter((one) => one !== source);
  return source;
}

async function textOf(repository: Repository, { id }: TreeFile): Promise<Uint8Array | undefined> {
  const bytes = await repository.blob(id);
  return bytes && bytes.length <= MAX_BYTES && !isBinary(bytes) ? bytes : undefined;
}
