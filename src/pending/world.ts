import fs from 'node:fs';
import path from 'node:path';
import type { AgentAdapter } from '../capture/adapter.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { listWorktrees, type Worktree } from '../git/worktrees.ts';
import { findFolder, listGoneTrees } from '../sessions/gone-trees.ts';
import { findSince, type Store, storeOf } from '../sessions/store.ts';

/** What the pending work needs of the world, gathered once. */
export interface Surroundings {
  readonly repository: Repository;
  readonly store: Store;
  /** Also those that are gone, behind the others. */
  readonly worktrees: readonly Worktree[];
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agents: readonly AgentAdapter[];
  readonly settings: PendingSettings;
  /** Version of this program, for the records it writes. */
  readonly version: string;
  now(): number;
}

export interface PendingSettings {
  readonly shellSeconds: number;
  readonly transcripts: boolean;
  readonly conversationUrl: string;
  /** Names of filters that change files when they are staged. */
  readonly filters: readonly string[];
}

export interface Door {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agents: readonly AgentAdapter[];
  readonly settings: PendingSettings;
  readonly version: string;
  now(): number;
}

export function surroundingsOf(repository: Repository, door: Door, worktrees: readonly Worktree[]): Surroundings {
  const store = storeOf(repository);
  const { top } = findSince(store) ?? {};
  const live = worktrees.map((tree) => (top ? placed(tree, top) : tree));
  return { ...door, repository, store, worktrees: [...live, ...goneTrees(store)] };
}

/** What was done in a work tree is worked in after it is gone, too. */
function goneTrees(store: Store): Worktree[] {
  return listGoneTrees(store).flatMap((one) => {
    const folder = findFolder(store, one);
    return folder === undefined ? [] : [{ path: folder, name: one.name, head: null, bare: false, gone: true }];
  });
}

/** Where the git dir lies apart, only the work tree knows the way; `init` has written it down. */
function placed(tree: Worktree, top: string): Worktree {
  const apart = tree.name === '' && !tree.bare && !fs.existsSync(path.join(tree.path, '.git'));
  return apart && fs.existsSync(path.join(top, '.git')) ? { ...tree, path: top } : tree;
}

/** The same once more: work trees may have come and gone, or stand at something else. */
export async function lookAgain(world: Surroundings): Promise<Surroundings> {
  return surroundingsOf(world.repository, world, await listWorktrees(world.repository.place));
}

export async function surroundingsAt(cwd: string, door: Door): Promise<Surroundings> {
  const repository = await findRepository(cwd);
  return surroundingsOf(repository, door, await listWorktrees(repository.place));
}
