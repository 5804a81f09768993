import fs from 'node:fs';
import path from 'node:path';
import { isObject } from '../json.ts';
import { replaceFile } from './disk.ts';
import { JOURNAL_START, type JournalPlace } from './journal.ts';
import { FORMAT, findJson, refuseNewer, type Store } from './store.ts';

/** How far everything has been worked in. Lost or damaged, it is worked in again from the start: nothing doubles. */
export interface State extends JournalPlace {
  /** Transcripts by path: their size and time of change when they were last decoded. */
  readonly transcripts: Readonly<Record<string, { readonly size: number; readonly mtime: number }>>;
  /** Tips of branches and work trees when commits were last looked for. */
  readonly tips: Readonly<Record<string, string>>;
  /** Commits whose joining failed, and how often. */
  readonly failures: Readonly<Record<string, number>>;
  /** Transcript input that was not understood, by agent and kind. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Work trees in which a squash waits to be committed. */
  readonly squashed: readonly string[];
  /** Up to here in the journal `doctor --fix` has told of lines that cannot be read: they are no news. */
  readonly told?: number;
  /** In a jj repository the operation up to which its commits have been looked at. */
  readonly operation?: string;
}

const START: State = { ...JOURNAL_START, transcripts: {}, tips: {}, failures: {}, skipped: {}, squashed: [] };

export function readState(store: Store): State {
  const value = findJson(fileOf(store));
  if (!isObject(value) || !isCount(value.journal)) return START;
  const table = <T>(key: keyof State, isEntry: (entry: unknown) => entry is T): Record<string, T> =>
    Object.fromEntries(Object.entries(value[key] ?? {}).filter((pair): pair is [string, T] => isEntry(pair[1])));
  return {
    journal: value.journal,
    latest: isCount(value.latest) ? value.latest : 0,
    transcripts: table('transcripts', isExtent),
    tips: table('tips', (entry) => typeof entry === 'string'),
    failures: table('failures', isCount),
    skipped: table('skipped', isCount),
    squashed: Array.isArray(value.squashed) ? value.squashed.filter((name) => typeof name === 'string') : [],
    ...(isCount(value.told) && { told: value.told }),
    ...(typeof value.operation === 'string' &&
      /^[0-9a-f]{16,128}$/.test(value.operation) && { operation: value.operation }),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isExtent(value: unknown): value is State['transcripts'][string] {
  return isObject(value) && typeof value.size === 'number' && typeof value.mtime === 'number';
}

export function writeState(store: Store, state: State): void {
  refuseNewer(store);
  // `journal` first: the pre-push shim reads it there
  replaceFile(fileOf(store), `${JSON.stringify({ ...state, version: FORMAT })}\n`);
}

/** Whether the tips were ever looked at: before that, no commit is ours to join. */
export function isFresh(state: State): boolean {
  return Object.keys(state.tips).length === 0;
}

/** When it was last written, by the disk's clock; undefined: never. */
export function stateTime(store: Store): number | undefined {
  return fs.statSync(fileOf(store), { throwIfNoEntry: false })?.mtimeMs;
}

function fileOf(store: Store): string {
  return path.join(store.dir, 'state.json');
}
