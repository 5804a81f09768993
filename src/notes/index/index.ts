import type { Segment } from '../../anchor/segment.ts';
import { listRefs } from '../../git/refs.ts';
import type { Repository } from '../../git/repository.ts';
import { type ContentIndex, lookUpIn } from './lookup.ts';
import { findFolder, putAway, readState, type State, writeState } from './store.ts';
import { bringUpToDate, packsChangedAt, type Tip } from './update.ts';

export type { ContentIndex, FoundCommits, IndexStats } from './lookup.ts';

/**
 * The index from contents to the notes of these refs, brought up to date with what has changed in them. It is kept in `agent/cache`,
 * where it may be deleted at any time; without such a folder, or where nothing can be written, it lives in memory. `tips`: what the refs
 * point to, for those who know already.
 */
export async function openIndex(
  repository: Repository,
  refs: readonly string[],
  tips?: ReadonlyMap<string, string>,
): Promise<ContentIndex> {
  // no pattern at all would mean every ref
  const known = tips ?? (refs.length === 0 ? new Map() : await listRefs(repository.place, refs));
  const wanted = refs.flatMap((ref): Tip[] => {
    const tip = known.get(ref);
    return tip === undefined ? [] : [{ ref, tip }];
  });
  if (wanted.length === 0) return lookUpIn([], 0);
  const idBytes = repository.objectFormat === 'sha256' ? 32 : 20;
  const folder = findFolder(repository.commonDir);
  const state = (folder && usable(repository, readState(folder, idBytes))) || NOTHING;
  if (wanted.every(({ ref, tip }) => state.refs.get(ref) === tip)) return lookUpIn(state.pieces, 0);
  const start = performance.now();
  const keep = (segment: Segment) => (folder === undefined ? undefined : putAway(folder, segment));
  const source = { repository, keep };
  const next = (await bringUpToDate(source, wanted, state)) ?? (await bringUpToDate(source, wanted, NOTHING));
  if (folder && next) writeState(folder, idBytes, next);
  return lookUpIn(next?.pieces ?? [], performance.now() - start);
}

const NOTHING: State = { refs: new Map(), pieces: [] };

/** What was not here the last time may have been fetched. */
function usable(repository: Repository, state: State | undefined): State | undefined {
  return state?.lackedAt === undefined || state.lackedAt === packsChangedAt(repository) ? state : undefined;
}
