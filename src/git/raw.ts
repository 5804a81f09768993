import { type RepoPath, unquote } from './paths.ts';

export type Status = 'A' | 'M' | 'D' | 'R' | 'C' | 'T';

/** A changed file as git's raw diff lines name it; null where the file does not exist. */
export interface RawEntry {
  readonly path: RepoPath;
  /** Where a renamed or copied file was. */
  readonly oldPath?: RepoPath;
  /** Where other parents of a merge had it, if that is another place. */
  readonly otherPaths?: readonly RepoPath[];
  readonly status: Status;
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  readonly oldMode: string;
  readonly newMode: string;
  /**
   * Of a merge that makes a file of what is a link in some parent, or that has more parents than git can show: the contents of those parents that
   * have a file there.
   */
  readonly fileBlobs?: readonly string[];
}

export function isRegular(mode: string): boolean {
  return mode === '100644' || mode === '100755';
}

/** A link: what it holds is where it leads to. */
export const LINK = '120000';

/**
 * `:oldmode newmode old new status TAB path`, names quoted, all names given (`--combined-all-paths`). A merge has one more colon, mode,
 * id, status letter and path for every further parent: the first parent's are taken.
 */
export function parseRawLine(line: string): RawEntry | undefined {
  const colons = leading(line, COLON);
  const tab = line.indexOf('\t');
  if (colons === 0 || tab < 0) return undefined;
  const words = line.slice(colons, tab).split(' ');
  const [oldMode, oldBlob] = [words[0], words[colons + 1]];
  const [newMode, newBlob] = [words[colons], words[2 * colons + 1]];
  const status = readStatus(words[2 * colons + 2]);
  const next = line.indexOf('\t', tab + 1);
  const first = next < 0 ? line.slice(tab + 1) : line.slice(tab + 1, next);
  const last = next < 0 ? first : line.slice(line.lastIndexOf('\t') + 1);
  if (!oldMode || !newMode || !oldBlob || !newBlob || !status || !first || !last) return undefined;
  const entry: { -readonly [K in keyof RawEntry]: RawEntry[K] } = {
    path: unquote(last),
    status,
    oldBlob: orNull(oldBlob),
    newBlob: orNull(newBlob),
    oldMode,
    newMode,
  };
  if (first !== last) entry.oldPath = unquote(first);
  if (colons === 1) return entry;
  const others = line.split('\t').slice(2, -1);
  if (others.some((name) => name !== last)) entry.otherPaths = others.map(unquote);
  const modes = words.slice(0, colons);
  if (isRegular(newMode) && (modes.includes(LINK) || colons > MANY))
    entry.fileBlobs = words.slice(colons + 1, 2 * colons + 1).filter((_, i) => isRegular(modes[i] ?? ''));
  return entry;
}

/** Of more parents git shows lines that are wrong, or none: it counts them in the bits of a word, of 32 on some systems. */
const MANY = 24;

const COLON = 0x3a;

/** How many of this character a text begins with. */
export function leading(text: string, code: number): number {
  let count = 0;
  while (text.charCodeAt(count) === code) count++;
  return count;
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
  return isZero(id) ? null : id;
}

/** The id that git prints for no object. */
export function isZero(id: string): boolean {
  return id.startsWith('0000000') && ZEROS.startsWith(id);
}

const ZEROS = '0'.repeat(64);
