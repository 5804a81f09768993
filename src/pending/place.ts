import fs from 'node:fs';
import path from 'node:path';
import type { Worktree } from '../git/worktrees.ts';

/** A file inside one of the work trees, as git names it. */
export interface Placed {
  readonly worktree: string;
  readonly path: string;
}

/** Finds the work tree that a file named by an agent lies in; undefined outside all of them. Links are followed, `..` is gone. */
export function placer(worktrees: readonly Worktree[]): (file: string, cwd: string | undefined) => Placed | undefined {
  const roots = worktrees
    .filter((tree) => !tree.bare)
    .map((tree) => ({ name: tree.name, root: realPath(tree.path) }))
    .sort((a, b) => b.root.length - a.root.length); // a work tree inside another one comes first
  const folders = new Map<string, string>();
  return (file, cwd) => {
    if (!path.isAbsolute(file) && cwd === undefined) return undefined;
    const absolute = path.resolve(cwd ?? '/', file);
    const folder = path.dirname(absolute);
    const real = folders.get(folder) ?? realPath(folder);
    folders.set(folder, real);
    const whole = path.join(real, path.basename(absolute));
    const home = roots.find(({ root }) => whole.startsWith(root + path.sep));
    return home && { worktree: home.name, path: path.relative(home.root, whole).split(path.sep).join('/') };
  };
}

/** The real path, as far as it exists: a deleted folder's parents still have one. */
function realPath(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realPath(parent), path.basename(folder));
  }
}
