import fs from 'node:fs';
import path from 'node:path';
import type { ObjectFormat, Repository } from '../git/repository.ts';
import { isObject } from '../json.ts';

/** The folder `agent/` in the common git dir, shared by all work trees. */
export interface Store {
  readonly dir: string;
  readonly format: ObjectFormat;
}

export function storeOf(repository: Pick<Repository, 'commonDir' | 'objectFormat'>): Store {
  return { dir: path.join(repository.commonDir, 'agent'), format: repository.objectFormat };
}

/** `init` makes the journal: where there is none, nothing is recorded. */
export function isInitialised(store: Store): boolean {
  return fs.existsSync(path.join(store.dir, 'journal'));
}

/** When capture began, for which agents, and what stood in the work tree then. */
export interface Since {
  readonly at: number;
  readonly agents: readonly string[];
  /** Snapshot of the work tree that `init` was called in, and that work tree's name. */
  readonly tree?: string;
  readonly worktree?: string;
  /** What branches and work trees stood at. */
  readonly heads: readonly string[];
  /** The folder of the main work tree. */
  readonly top?: string;
}

export function findSince(store: Store): Since | undefined {
  const value = findJson(path.join(store.dir, 'since.json'));
  if (!isObject(value) || typeof value.at !== 'number' || !Array.isArray(value.agents)) return undefined;
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []);
  const { tree, top } = value;
  return {
    at: value.at,
    agents: texts(value.agents),
    heads: texts(value.heads),
    ...(typeof top === 'string' && { top }),
    ...(typeof tree === 'string' && { tree, worktree: String(value.worktree ?? '') }),
  };
}

/** One line into `hooks.log`: what goes wrong in the background is said by `doctor`, never by a hook. */
export function logMishap(store: Store, time: number, words: string): void {
  const file = path.join(store.dir, 'hooks.log');
  try {
    if (fs.existsSync(file) && fs.statSync(file).size > 256 * 1024) fs.renameSync(file, `${file}.1`);
    fs.appendFileSync(file, `${new Date(time).toISOString()} ${words.replace(/\s+/g, ' ').slice(0, 500)}\n`, {
      mode: 0o600,
    });
  } catch {
    // a read-only or full disk: there is nowhere left to say it
  }
}

/** The JSON in a file, or undefined where there is none or it cannot be read as such. */
export function findJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
