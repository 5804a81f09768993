import type { ReflogEntry } from '../git/history.ts';
import type { Rewrite } from '../sessions/rewrites.ts';

const START = /\(start\)$/;
/** A commit as somebody makes one, not as a rebase or an amend does. */
const PLAIN = /^commit(?! \(amend\))/;
/** What is picked comes from one commit; a squash has another word. */
const PICK = /\(pick\)$/;

/**
 * The pairs without those of commits that were skipped: git says of them that they became whatever HEAD stood at just then, which is a
 * commit that was there before the rebase, or one that another was picked as. `logs`: what HEAD of each work tree went through.
 */
export function withoutSkipped(
  rewrites: readonly Rewrite[],
  logs: readonly (readonly ReflogEntry[])[],
): readonly Rewrite[] {
  const makings = firstEntries(logs);
  const picked = new Map<string, string>();
  return rewrites.filter(({ old, new: id, at }) => {
    const making = makings.get(id);
    const action = making?.log[making.nth]?.action ?? '';
    if (START.test(action)) return false;
    if (PLAIN.test(action)) return !making?.log.some((entry, i) => i > making.nth && isStart(entry, at));
    if (!PICK.test(action)) return true;
    const first = picked.get(id) ?? old;
    picked.set(id, first);
    return first === old;
  });
}

interface Making {
  readonly log: readonly ReflogEntry[];
  readonly nth: number;
}

/** Where each commit first came up. */
function firstEntries(logs: readonly (readonly ReflogEntry[])[]): Map<string, Making> {
  const makings = new Map<string, Making>();
  for (const log of logs) {
    log.forEach((entry, nth) => {
      if (!makings.has(entry.new)) makings.set(entry.new, { log, nth });
    });
  }
  return makings;
}

function isStart({ action, time }: ReflogEntry, before: number): boolean {
  return START.test(action) && time * 1000 <= before;
}
