import { type RepoPath, unquote } from './paths.ts';

export type Status = 'A' | 'M' | 'D' | 'R' | 'C' | 'T';

/** A changed file as git's raw diff lines name it; null where the file does not exist. */
export interface RawEntry {
  readonly path: RepoPath;
  /** Where a renamed or copied file was. */
  readonly oldPath?: RepoPath;
  readonly status: Status;
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  readonly oldMode: string;
  readonly newMode: string;
}

export function isRegular(mode: string): boolean {
  return mode === '100644' || mode === '100755';
}

/**
 * `:oldmode newmode old new status TAB path`, names quoted, all names given (`--combined-all-paths`). A merge has one more colon, mode,
 * id, status letter and path for every further parent: the first parent's are taken.
 */
export function parseRawLine(line: string): RawEntry | undefined {
  const colons = /^:+/.exec(line)?.[0].length ?? 0;
  const [fields = '', ...names] = line.slice(colons).split('\t');
  const words = fields.split(' ');
  const [oldMode, oldBlob] = [words[0], words[colons + 1]];
  const [newMode, newBlob, status] = [words[colons], words[2 * colons + 1], words[2 * colons + 2]];
  const first = names[0];
  const last = names.at(-1);
  if (!colons || !oldMode || !newMode || !oldBlob || !newBlob || !first || !last) return undefined;
  const letter = readStatus(status);
  if (!letter) return undefined;
  const path = unquote(last);
  const moved = names.length > 1 && first !== last;
  return {
    path,
    ...(moved && { oldPath: unquote(first) }),
    status: letter,
    oldBlob: orNull(oldBlob),
    newBlob: orNull(newBlob),
    oldMode,
    newMode,
  };
}

function readStatus(text: string | undefined): Status | undefined {
  switch (text?.[0]) {
    case 'A':
    case 'M':
    case 'D':
    case 'R':
    case 'C':
    case 'T':
      return text[0];
    default:
      return undefined;
  }
}

function orNull(id: string): string | null {
  return /^0+$/.test(id) ? null : id;
}
