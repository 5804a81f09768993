import type { PendingView } from '../blame/annotate.ts';
import type { Repository } from '../git/repository.ts';
import type { World } from './command.ts';

/** What no note speaks of yet. */
export async function pendingView(_repository: Repository, _world: World): Promise<PendingView> {
  return { records: () => [], worktreeOrigins: () => new Map() };
}
