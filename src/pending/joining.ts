import type { Commit } from '../git/commits.ts';
import type { CommitDiff } from '../git/diff.ts';
import type { Lines } from '../lines/text.ts';
import type { DueCommit } from './due.ts';
import type { View } from './view.ts';
import type { Surroundings } from './world.ts';

/** One commit, and all that its joining asks for. */
export interface Joining {
  readonly world: Surroundings;
  readonly view: View;
  readonly one: DueCommit & { readonly worktree: string };
  readonly commit: Pick<Commit, 'committer'>;
  readonly diff: CommitDiff;
  readonly parent: Commit | undefined;
  readonly plain: boolean;
  /** Note lines of commits joined before: lines that moved may come from there. */
  unwritten(commit: string): readonly string[];
  /** Texts that git does not have, by the name that the diff gives them. */
  readonly texts?: ReadonlyMap<string, Lines>;
}

/** When the commit was made: by a hook's clock where there is one, else to the end of git's second. */
export function timeOf({ one, commit }: Pick<Joining, 'one' | 'commit'>): number {
  return one.at ?? commit.committer.time * 1000 + 999;
}

/** Why a line that nobody is seen to have written may not be a person's. */
export function doubtOf({ view, plain, parent }: Pick<Joining, 'view' | 'plain' | 'parent'>): string | undefined {
  if (!view.since || view.since.agents.length === 0) return 'capture was not active';
  if (!plain) return 'nothing tells how the commit was made';
  // with a snapshot of what stood there then, the rest was written since
  if (!view.since.tree && view.since.at > baseTime(parent)) return 'written before capture began';
  return undefined;
}

export function baseTime(parent: Commit | undefined): number {
  return parent ? parent.committer.time * 1000 : 0;
}
