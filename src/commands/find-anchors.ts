import type { Anchors } from '../anchor/target.ts';
import type { Repository } from '../git/repository.ts';
import { anchorWorld } from '../pending/anchor-world.ts';
import { anchorCommits } from '../pending/anchors.ts';
import { readRewrites } from '../sessions/rewrites.ts';
import { storeOf } from '../sessions/store.ts';
import type { Unrecorded } from './anchored.ts';
import type { PendingView } from './pending-view.ts';

/** Lines of commits that no record speaks of, found again in the records of others. */
export async function anchorsOf(
  repository: Repository,
  pending: Pick<PendingView, 'prospect'>,
  { commits, due }: Unrecorded,
): Promise<ReadonlyMap<string, Anchors>> {
  const rewrites = [...readRewrites(storeOf(repository)), ...(pending.prospect?.harvest.rewrites ?? [])];
  const unwritten = new Map([...due].map(([id, trace]) => [id, { trace }]));
  return anchorCommits(await anchorWorld(repository, rewrites, unwritten), commits);
}
