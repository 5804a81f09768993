import path from 'node:path';
import type { FileDiff } from '../git/diff.ts';
import { ignoredPaths } from '../git/ignored.ts';
import type { RepoPath } from '../git/paths.ts';
import { cannotWrite } from '../join/shell.ts';
import type { Joining } from './joining.ts';

/** Why nobody knows who wrote a file that was hidden. */
export const HIDDEN = 'git ignored the file, and no snapshot shows what it ignores';

/** New files that git ignores, or did until this commit. An agent's command may have made them, and no snapshot tells. */
export async function hiddenFiles(
  { world, view, one, diff }: Pick<Joining, 'world' | 'view' | 'one' | 'diff'>,
  files: readonly FileDiff[],
): Promise<ReadonlySet<RepoPath>> {
  const made = files.filter(({ oldBlob, oldPath }) => oldBlob === null && !oldPath).map((file) => file.path);
  if (made.length === 0 || view.commands(one.worktree).every(({ command }) => cannotWrite(command))) return new Set();
  const shown = diff.files.filter(showsMore).map((file) => path.posix.dirname(file.path));
  const found = made.filter((name) => shown.some((folder) => folder === '.' || name.startsWith(`${folder}/`)));
  const trees = world.worktrees.filter(({ bare, gone }) => !bare && !gone);
  // of one that is gone, another can tell: mostly they ignore the same
  const tree = trees.find(({ name }) => name === one.worktree) ?? trees[0];
  const ignored = tree ? await ignoredPaths({ ...world.repository.place, cwd: tree.path }, made) : [];
  return new Set([...found, ...ignored]);
}

/** A `.gitignore` that lost a pattern, or took one back. */
function showsMore(file: FileDiff): boolean {
  if (path.posix.basename(file.path) !== '.gitignore' || file.oldBlob === null) return false;
  const [added, removed] = [file.added, file.removed].map((blocks) => blocks.flatMap(({ lines }) => lines));
  const had = new Set(added);
  return (
    !!added?.some((line) => line.startsWith('!')) || !!removed?.some((line) => /^[^#]/.test(line) && !had.has(line))
  );
}
