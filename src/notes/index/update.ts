import fs from 'node:fs';
import path from 'node:path';
import type { Repository } from '../../git/repository.ts';
import { readBlobs } from './blobs.ts';
import { type NoteList, readChanges } from './changes.ts';
import { type Keep, type Piece, settle, startPieces } from './pieces.ts';
import type { State } from './store.ts';

/** A notes ref and what it points to. */
export interface Tip {
  readonly ref: string;
  readonly tip: string;
}

/** Where notes are read, and what they say is kept. */
export interface NoteSource {
  readonly repository: Repository;
  readonly keep: Keep;
}

/** Undefined: what there is does not help, it has to be built from nothing. */
export async function bringUpToDate(
  source: NoteSource,
  tips: readonly Tip[],
  state: State,
): Promise<State | undefined> {
  let next: State | undefined = state;
  for (const tip of tips) {
    const { refs }: State = next;
    if (refs.get(tip.ref) === tip.tip) continue;
    // the notes of another clone are mostly ours: a ref that is new here is compared with one that is covered
    const base = refs.get(tip.ref) ?? tips.find((one) => refs.get(one.ref) === one.tip)?.tip;
    next = await cover(source, next, { ...tip, base });
    if (!next) return undefined;
  }
  return next;
}

async function cover(
  { repository, keep }: NoteSource,
  state: State,
  { ref, tip, base }: Tip & { readonly base: string | undefined },
): Promise<State | undefined> {
  const changes = await readChanges(repository, base, tip);
  if (state.refs.has(ref) && (!changes || changes.gone > notesIn(state.pieces) / 2)) return undefined;
  const fresh = (changes ?? (await readChanges(repository, undefined, tip)))?.fresh;
  const packs = packsChangedAt(repository);
  const refs = new Map([...state.refs, [ref, tip]]);
  // no tree of notes, or one whose folders are not here
  if (!fresh) return { ...state, refs, lackedAt: packs };
  const added = await addNotes({ repository, keep }, state.pieces, { tip, notes: fresh });
  return added && { ...state, refs, pieces: added.pieces, ...(added.missing > 0 ? { lackedAt: packs } : {}) };
}

async function addNotes(
  { repository: { place, objectFormat }, keep }: NoteSource,
  before: readonly Piece[],
  fresh: { readonly tip: string; readonly notes: NoteList },
): Promise<{ readonly pieces: readonly Piece[]; readonly missing: number } | undefined> {
  const idBytes = objectFormat === 'sha256' ? 32 : 20;
  const started = startPieces(idBytes, keep, fresh.notes.length);
  const missing = await readBlobs(place, fresh, started.add);
  const pieces = settle([...before, ...started.end()], idBytes);
  return pieces && { pieces, missing };
}

/** When packs last came or went. */
export function packsChangedAt({ commonDir }: Repository): number {
  return fs.statSync(path.join(commonDir, 'objects', 'pack'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function notesIn(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { notes }) => sum + notes, 0);
}
