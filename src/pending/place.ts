import fs from 'node:fs';
import path from 'node:path';
import type { Worktree } from '../git/worktrees.ts';

/** A file inside one of the work trees, as git names it. */
export interface Placed {
  readonly worktree: string;
  readonly path: string;
}

/** No system opens a longer one. */
const MAX_PATH = 4096;

/** Finds the work tree that a file named by an agent lies in; undefined outside all of them. Links are followed, `..` is gone. */
export function placer(worktrees: readonly Worktree[]): (file: string, cwd: string | undefined) => Placed | undefined {
  const roots = worktrees
    // what is there now in the place of one that is gone, is something else
    .filter((tree) => !tree.bare && !(tree.gone && fs.existsSync(tree.path)))
    .map((tree) => ({ name: tree.name, root: realPath(tree.path) }))
    .sort((a, b) => b.root.length - a.root.length); // a work tree inside another one comes first
  const folders = new Map<string, string>();
  return (file, cwd) => {
    if (!isPath(file, cwd)) return undefined;
    const absolute = path.resolve(cwd ?? '/', file);
    const folder = path.dirname(absolute);
    const real = folders.get(folder) ?? realPath(folder);
    folders.set(folder, real);
    const whole = followed(path.join(real, path.basename(absolute)));
    const home = roots.find(({ root }) => whole.startsWith(root + path.sep));
    return (
      home && {
        worktree: home.name,
        path: whole
          .slice(home.root.length + 1)
          .split(path.sep)
          .join('/'),
      }
    );
  };
}

function isPath(file: string, cwd: string | undefined): boolean {
  return file.length + (cwd?.length ?? 0) <= MAX_PATH && (path.isAbsolute(file) || cwd !== undefined);
}

/** A work tree as a hook saw it, which need not be where it is now: it was moved, or is seen from outside of a container. */
export interface Sight {
  readonly worktree: string;
  readonly top: string;
}

/** The file as the hook saw it, in the work tree that is elsewhere now. Links of another place cannot be followed. */
export function placedThen({ worktree, top }: Sight, file: string, cwd: string | undefined): Placed | undefined {
  if (!isPath(file, cwd)) return undefined;
  const whole = path.resolve(cwd ?? '/', file);
  return whole.startsWith(`${top}/`) ? { worktree, path: whole.slice(top.length + 1) } : undefined;
}

export function isElsewhere({ worktree, top }: Sight, worktrees: readonly Worktree[]): boolean {
  const tree = worktrees.find(({ name, bare }) => name === worktree && !bare);
  return tree !== undefined && tree.path !== top && realPath(tree.path) !== realPath(top);
}

/** Who writes to a link writes what it leads to. */
function followed(file: string): string {
  try {
    return fs.lstatSync(file).isSymbolicLink() ? realPath(file) : file;
  } catch {
    return file; // gone since
  }
}

/** More paths than this in one command are not followed; nor what comes late in a long one (a text that is written). */
const MAX_PATHS = 100;
const MAX_COMMAND = 4000;

/** The work trees that a shell command names by a path: it may have written there too, wherever it was started. */
export function namedTrees(
  place: (file: string, cwd: string | undefined) => Placed | undefined,
  command: string,
  cwd: string | undefined,
): Set<string> {
  const paths = command.slice(0, MAX_COMMAND).match(/[^\s'"`;&|()<>=]*\/[^\s'"`;&|()<>=]*/g) ?? [];
  // the path may be the work tree itself
  return new Set(paths.slice(0, MAX_PATHS).flatMap((file) => place(path.join(file, 'x'), cwd)?.worktree ?? []));
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
