/** Whether somebody who works in the folder may work in one of the work trees: it is that, below it, or above it. */
export function isNear(folder: string, worktrees: readonly string[]): boolean {
  const own = comparable(folder);
  return worktrees.some((worktree) => {
    const tree = comparable(worktree);
    return tree.startsWith(own) || own.startsWith(tree);
  });
}

/** Letters' case is left aside: drives and some file systems do not keep it. */
function comparable(path: string): string {
  return `${path
    .replace(/[\\/]+/g, '/')
    .replace(/\/$/, '')
    .toLowerCase()}/`;
}

/** A folder and all that it lies in. */
export function selfAndAbove(path: string): string[] {
  const parts = path.replace(/(?<=.)[\\/]+$/, '').split(/[\\/]/);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/') || '/');
}
