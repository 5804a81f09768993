import { Fault } from '../fault.ts';
import { listTaken, type RefMove } from '../git/pushed.ts';
import type { Repository } from '../git/repository.ts';
import { askGit, offline } from '../git/run.ts';
import { kindOf, listNotes, type NoteKind } from '../notes/refs.ts';

/** Where notes are expected nothing else gets in: with it no push of anybody could be judged. Such a ref can still be deleted. */
export async function refuseNoNotes({ place }: Repository, moves: readonly RefMove[]): Promise<void> {
  const coming = moves.flatMap(({ ref, to }) => (to && kindOf(ref) ? [{ ref, to }] : []));
  if (coming.length === 0) return;
  const asked = coming.map(({ to }) => `${to}^{tree}\n`).join('');
  const { out } = await askGit(offline(place), ['cat-file', '--batch-check=%(objecttype)'], asked);
  const kinds = out.toString('latin1').split('\n');
  const none = coming.find((_, i) => kinds[i] !== 'tree');
  if (none)
    throw new Fault('refused', `The notes in ${none.ref} of this push cannot be read: push notes there, or nothing.`);
}

/** Refs of notes that a push deletes or sets back, so that no other that readers would look into has what was in them. */
export async function takenNotes({ place }: Repository, moves: readonly RefMove[]): Promise<string[]> {
  const byKind = new Map<NoteKind, RefMove[]>();
  for (const move of moves) {
    const kind = kindOf(move.ref);
    if (kind) byKind.set(kind, [...(byKind.get(kind) ?? []), move]);
  }
  const taken: string[] = [];
  for (const [kind, some] of byKind) {
    if (some.every(({ from }) => from === undefined)) continue;
    const moved = new Set(some.map(({ ref }) => ref));
    const kept = [...(await listNotes(place, kind))].flatMap(([ref, id]) => (moved.has(ref) ? [] : id));
    taken.push(...(await listTaken(place, { moves: some, kept })).map(({ ref }) => ref));
  }
  return taken;
}
