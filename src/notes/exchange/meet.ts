import { MAX_NOTE } from '../lines.ts';
import { uniteBlobs } from './unite-lines.ts';

/** The notes of one commit, where one tree is to get what the other has to itself: ids of blobs. */
export interface Meeting {
  readonly there: readonly string[];
  readonly fresh: readonly string[];
  /** Whose tree it is. */
  readonly base: 'ours' | 'theirs';
  /** Theirs is part of the history of ours. */
  readonly behind: boolean;
}

export interface Met {
  /** The lines of all that can be read. */
  readonly united?: Buffer;
  /** Which of those that are there gives way to it. */
  readonly instead?: string;
  /** Notes that stand beside the others, as they are. */
  readonly beside: readonly string[];
}

/** What becomes of them. What is too large is not read: it stays, beside the rest; so does what would be too large together. */
export function meet({ there, fresh, base, behind }: Meeting, find: (id: string) => Buffer | undefined): Met {
  const large = fresh.filter((id) => !find(id));
  if (large.length === fresh.length) return { beside: fresh };
  const [ours, theirs] = base === 'ours' ? [there, fresh] : [fresh, there];
  const read = (ids: readonly string[]) => ids.flatMap((id) => find(id) ?? []);
  const united = uniteBlobs(read(ours), read(theirs), { behind });
  if (united.length > MAX_NOTE) return { beside: fresh };
  const instead = there.find((id) => find(id));
  return { united, beside: large, ...(instead !== undefined && { instead }) };
}
