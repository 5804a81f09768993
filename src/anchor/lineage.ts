/** One commit became another. */
export interface Rewritten {
  readonly old: string;
  readonly new: string;
}

/**
 * For any commit every other that became it, directly or by way of others: the furthest back first, and those that became one together in
 * the order in which git put them together.
 */
export function lineage(pairs: readonly Rewritten[]): (commit: string) => string[] {
  const before = new Map<string, Set<string>>();
  for (const { old, new: next } of pairs) before.set(next, (before.get(next) ?? new Set()).add(old));
  return (commit) => {
    const seen = new Set([commit]); // undo and redo may have led round in a circle
    const levels: string[][] = [];
    for (let level = [commit]; level.length > 0; ) {
      level = [...new Set(level.flatMap((one) => [...(before.get(one) ?? [])]))].filter((one) => !seen.has(one));
      for (const one of level) seen.add(one);
      levels.unshift(level);
    }
    return levels.flat();
  };
}

/** Commits that a message names as where its lines come from: `git cherry-pick -x`. */
export function pickedFrom(message: string): string[] {
  return [...message.matchAll(/^\(cherry picked from commit ([0-9a-f]{40,64})\)$/gm)].map((found) => found[1] ?? '');
}

/** The commits that a message says it takes back. */
export function reverts(message: string): string[] {
  return [...message.matchAll(/^This reverts commit ([0-9a-f]{40,64})\b/gm)].map((found) => found[1] ?? '');
}

/** What names a change whatever becomes of its commit: jj's header, or Gerrit's trailer where there is none. */
export function changeOf({
  changeId,
  message,
}: {
  readonly changeId?: string;
  readonly message: string;
}): string | undefined {
  return changeId ?? /^Change-Id: (I[0-9a-f]{40})$/m.exec(message)?.[1];
}
