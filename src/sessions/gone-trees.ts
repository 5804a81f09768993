import fs from 'node:fs';
import path from 'node:path';
import { findText, listFolder } from './disk.ts';
import type { Store } from './store.ts';

/**
 * A linked work tree that is no more. The hook that told of a commit has kept git's own files of it in `worktrees/NAME`: `gitdir`, the way to
 * the folder; `HEAD`, the reflog; `commondir`, which is as old as the work tree. Where another one took the name since: in `NAME+TIME`.
 */
export interface GoneTree {
  readonly name: string;
  /** The folder in which its files are kept. */
  readonly kept: string;
  readonly born: number;
}

/** All of them, or those of a name; oldest first. */
export function listGoneTrees(store: Store, only?: string): GoneTree[] {
  if (only === '') return [];
  const folder = path.join(store.dir, 'worktrees');
  const gone = listFolder(folder).flatMap((entry): GoneTree[] => {
    const [name = ''] = entry.split('+');
    if (name === '' || (only !== undefined && name !== only)) return [];
    const kept = path.join(folder, entry);
    const born = bornAt(kept);
    return born === undefined || born === bornAt(liveDir(store, name)) ? [] : [{ name, kept, born }];
  });
  return gone.sort((a, b) => a.born - b.born);
}

/** The folder that a work tree was. */
export function findFolder(store: Store, { name, kept }: GoneTree): string | undefined {
  const link = findText(path.join(kept, 'gitdir'))?.trimEnd();
  // git from 2.48 on may write it relative to where the file stood
  return link ? path.dirname(path.resolve(liveDir(store, name), link)) : undefined;
}

/** When the work trees were made that have had this name; oldest first. */
export function birthsOf(store: Store, name: string): number[] {
  const live = name === '' ? undefined : bornAt(liveDir(store, name));
  return [...listGoneTrees(store, name).map(({ born }) => born), ...(live === undefined ? [] : [live])];
}

/** Forgets those in which nothing happened since then. */
export function dropGoneTrees(store: Store, cutoff: number): void {
  for (const { kept, born } of listGoneTrees(store)) {
    const last = fs.statSync(path.join(kept, 'HEAD'), { throwIfNoEntry: false })?.mtimeMs ?? born;
    if (last < cutoff) fs.rmSync(kept, { recursive: true, force: true });
  }
}

/** Git writes this file when it makes a work tree, and never again. */
function bornAt(gitDir: string): number | undefined {
  return fs.statSync(path.join(gitDir, 'commondir'), { throwIfNoEntry: false })?.mtimeMs;
}

function liveDir(store: Store, name: string): string {
  return path.join(path.dirname(store.dir), 'worktrees', name);
}
