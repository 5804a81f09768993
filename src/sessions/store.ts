import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../fault.ts';
import type { ObjectFormat, Repository } from '../git/repository.ts';
import { isObject } from '../json.ts';
import { appendLines, findFile, sizeOf } from './disk.ts';

/** The folder `agent/` in the common git dir, shared by all work trees. */
export interface Store {
  readonly dir: string;
  readonly format: ObjectFormat;
}

export function storeOf(repository: Pick<Repository, 'commonDir' | 'objectFormat'>): Store {
  return { dir: path.join(repository.commonDir, 'agent'), format: repository.objectFormat };
}

/** `init` makes the journal: where there is none, nothing is recorded. What a newer program keeps is not ours to read or to add to. */
export function isInitialised(store: Store): boolean {
  return fs.existsSync(path.join(store.dir, 'journal')) && findNewer(store) === undefined;
}

/**
 * The form of everything in `agent/`, as `since.json` and `state.json` say it; said nowhere, it is 1. Whoever writes what older programs
 * would read wrongly raises it, and goes on reading all that came before.
 */
export const FORMAT = 1;

/** The file that says a form which came after this program, and that form. */
export function findNewer(store: Store): { readonly file: string; readonly version: number } | undefined {
  for (const name of ['since.json', 'state.json']) {
    const file = path.join(store.dir, name);
    const value = findJson(file);
    const version = isObject(value) && Object.hasOwn(value, 'version') ? value.version : FORMAT;
    if (typeof version === 'number' && version > FORMAT) return { file, version };
  }
  return undefined;
}

/** For writers. */
export function refuseNewer(store: Store): void {
  const newer = findNewer(store);
  if (newer === undefined) return;
  const { file, version } = newer;
  throw new Fault('surroundings', `${file} is of form ${version}, this program knows ${FORMAT}: install a newer one.`);
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
    if (!fs.existsSync(store.dir)) return;
    if (sizeOf(file) > 256 * 1024) fs.renameSync(file, `${file}.1`);
    appendLines(file, [`${new Date(time).toISOString()} ${words.replace(/\s+/g, ' ').slice(0, 500)}`]);
  } catch {
    // a read-only or full disk: there is nowhere left to say it
  }
}

/** The JSON in a file, or undefined where there is none or it cannot be read as such. */
export function findJson(file: string): unknown {
  // in a folder that may not be entered, which is another user's, there is nothing for us
  const text = fs.existsSync(file) ? findFile(file)?.toString('utf8') : undefined;
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
