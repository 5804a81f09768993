import type { Commit } from '../git/commits.ts';
import type { CommitDiff } from '../git/diff.ts';
import type { Lines } from '../lines/text.ts';
import { birthsOf } from '../sessions/gone-trees.ts';
import type { Since } from '../sessions/store.ts';
import type { ByHand } from './by-hand.ts';
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
  /** Git brought lines in, and somebody committed by hand: a pick that had stopped, a squash, a fixup. */
  readonly byHand?: ByHand | undefined;
  readonly beginning: Beginning;
  /** Note lines that are due for these commits: lines that moved may come from there. */
  unwritten(commits: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Asked by an edit of this moment, which may have moved lines: what it left elsewhere is no answer. */
  readonly asker?: number;
  /** Texts that git does not have, by the name that the diff gives them. */
  readonly texts?: ReadonlyMap<string, Lines>;
}

/** When the commit was made: by a hook's clock where there is one, else to the end of git's second. */
export function timeOf({ one, commit }: Pick<Joining, 'one' | 'commit'>): number {
  return one.at ?? commit.committer.time * 1000 + 999;
}

/** What is known of the time before capture began, as far as this commit goes back to it. */
export type Beginning =
  /** Capture was there when the base was committed, or when the work tree was made. */
  | { readonly kind: 'captured' }
  /** A snapshot tells what stood in the work tree uncommitted. */
  | { readonly kind: 'snapshot'; readonly tree: string }
  /** Nothing tells what was there already. */
  | { readonly kind: 'unknown' };

export function beginningOf(joining: Omit<Joining, 'beginning'>): Beginning {
  const { world, view, one, parent } = joining;
  const { since } = view;
  // what stood there when capture began tells nothing of a commit that was made before
  if (!since || timeOf(joining) < since.at || since.heads.includes(one.id)) return { kind: 'unknown' };
  if (isCaptured(since, parent)) return { kind: 'captured' };
  if (one.worktree === since.worktree && since.tree) return { kind: 'snapshot', tree: since.tree };
  const born = birthsOf(world.store, one.worktree).findLast((at) => at <= timeOf(joining));
  return { kind: born !== undefined && born > since.at ? 'captured' : 'unknown' };
}

/** Git counts whole seconds: within the same one, what a work tree stood at then came before. */
export function isCaptured({ at, heads }: Since, parent: Commit | undefined): boolean {
  if (!parent) return false;
  const second = Math.floor(at / 1000);
  return parent.committer.time === second ? !heads.includes(parent.id) : parent.committer.time > second;
}

/** Why a line that nobody is seen to have written may not be a person's. */
export function doubtOf({ view, plain, beginning }: Pick<Joining, 'view' | 'plain' | 'beginning'>): string | undefined {
  if (!view.since || view.since.agents.length === 0) return 'capture was not active';
  if (!plain) return 'nothing tells how the commit was made';
  // with a snapshot of what stood there then, the rest was written since
  return beginning.kind === 'unknown' ? 'written before capture began' : undefined;
}

/** Since when capture counts as there; absent: never. */
export function captureSince({ view, parent, beginning }: Joining): number | undefined {
  if (!view.since || view.since.agents.length === 0) return undefined;
  return beginning.kind === 'unknown' ? view.since.at : Math.min(view.since.at, baseTime(parent));
}

export function baseTime(parent: Commit | undefined): number {
  return parent ? parent.committer.time * 1000 : 0;
}
