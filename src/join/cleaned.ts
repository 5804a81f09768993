import type { FileJoin } from './file.ts';
import type { TimelineEdit } from './timeline.ts';

/** Why a line is unknown that a filter may have changed. */
export const CLEANED = 'a filter changes the file when it is committed';

/**
 * Edit tools show a file as it stands in the work tree, snapshots and commits show what git's clean filter makes of it. Where one follows the
 * other, perhaps nobody typed what differs.
 */
export function withCleaned(edits: readonly TimelineEdit[]): readonly TimelineEdit[] {
  return edits.map((edit, i) => {
    const last = edits[i - 1];
    return last && !last.shell !== !edit.shell ? { ...edit, lossy: true } : edit;
  });
}

/** Whether what differs from the last edit may be a filter's doing. */
export function mayBeCleaned(edits: readonly TimelineEdit[], cleaned: FileJoin['cleaned']): boolean {
  const last = edits.at(-1);
  return cleaned !== undefined && last !== undefined && !last.shell === (cleaned === 'text');
}
