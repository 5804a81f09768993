import type { Anchors } from '../anchor/target.ts';
import type { Repository } from '../git/repository.ts';
import type { PendingView } from './pending-view.ts';

export interface Unrecorded {
  readonly commits: readonly string[];
  /** Note lines that are not written yet. */
  readonly due: ReadonlyMap<string, readonly string[]>;
}

/** Loaded only where there are commits that no record speaks of. */
export async function findAnchors(
  repository: Repository,
  pending: Pick<PendingView, 'prospect'>,
  unrecorded: Unrecorded,
): Promise<ReadonlyMap<string, Anchors>> {
  if (unrecorded.commits.length === 0) return new Map();
  const { anchorsOf } = await import('./find-anchors.ts');
  return anchorsOf(repository, pending, unrecorded);
}
