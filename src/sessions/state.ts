import path from 'node:path';
import { isObject } from '../json.ts';
import { replaceFile } from './disk.ts';
import { findJson, type Store } from './store.ts';

/** How far everything has been worked in. Lost or damaged, it is worked in again from the start: nothing doubles. */
export interface State {
  /** Bytes of the journal. */
  readonly journal: number;
  /** Transcripts by path: their size and time of change when they were last decoded. */
  readonly transcripts: Readonly<Record<string, { readonly size: number; readonly mtime: number }>>;
  /** Tips of branches and work trees when commits were last looked for. */
  readonly tips: Readonly<Record<string, string>>;
  /** Commits whose joining failed, and how often. */
  readonly failures: Readonly<Record<string, number>>;
  /** Transcript input that was not understood, by agent and kind. */
  readonly skipped: Readonly<Record<string, number>>;
}

const START: State = { journal: 0, transcripts: {}, tips: {}, failures: {}, skipped: {} };

export function readState(store: Store): State {
  const value = findJson(fileOf(store));
  if (!isObject(value) || typeof value.journal !== 'number') return START;
  const table = <T>(key: keyof State) => (isObject(value[key]) ? value[key] : {}) as Readonly<Record<string, T>>;
  return {
    journal: value.journal,
    transcripts: table('transcripts'),
    tips: table('tips'),
    failures: table('failures'),
    skipped: table('skipped'),
  };
}

export function writeState(store: Store, state: State): void {
  replaceFile(fileOf(store), `${JSON.stringify(state)}\n`);
}

/** Whether the tips were ever looked at: before that, no commit is ours to join. */
export function isFresh(state: State): boolean {
  return Object.keys(state.tips).length === 0;
}

function fileOf(store: Store): string {
  return path.join(store.dir, 'state.json');
}
