import type { CommitDiff } from '../git/diff.ts';
import type { Lines } from '../lines/text.ts';

/** Texts by blob id that need not be read any more, nor split: most of a commit's texts come up twice or more in its joining. */
export type KnownTexts = Map<string, Lines>;

/** The patch of a new file shows all of it. A merge's shows only what is in no parent. */
export function shownTexts({ parents, files }: Pick<CommitDiff, 'parents' | 'files'>): KnownTexts {
  const shown: KnownTexts = new Map();
  if (parents.length > 1) return shown;
  for (const { oldBlob, newBlob, added } of files) {
    const [whole, ...others] = added;
    if (oldBlob === null && newBlob !== null && whole?.start === 1 && others.length === 0)
      shown.set(newBlob, whole.lines);
  }
  return shown;
}
