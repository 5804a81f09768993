import type { Anchors } from '../anchor/target.ts';
import type { Repository } from '../git/repository.ts';
import type { PendingView } from './pending-view.ts';

/** Lines of commits that no record speaks of, found again in the records of others; loaded only where there are any. */
export async function findAnchors(
  repository: Repository,
  pending: Pick<PendingView, 'prospect'>,
  { commits, due }: { readonly commits: readonly string[]; readonly due: ReadonlyMap<string, readonly string[]> },
): Promise<ReadonlyMap<string, Anchors>> {
  if (commits.length === 0) return new Map();
  const [{ anchorWorld }, { anchorCommits }, { readRewrites }, { storeOf }] = await Promise.all([
    import('../pending/anchor-world.ts'),
    import('../pending/anchors.ts'),
    import('../sessions/rewrites.ts'),
    import('../sessions/store.ts'),
  ]);
  const rewrites = [...readRewrites(storeOf(repository)), ...(pending.prospect?.harvest.rewrites ?? [])];
  const unwritten = new Map([...due].map(([id, trace]) => [id, { trace }]));
  return anchorCommits(await anchorWorld(repository, rewrites, unwritten), commits);
}
