import { hashObject } from '../../git/objects.ts';
import type { ObjectFormat, Repository } from '../../git/repository.ts';
import { askGit, offline } from '../../git/run.ts';

/** Notes by their places: as an object each, many of them would take several times the memory. */
export interface NoteList {
  readonly length: number;
  commitAt(note: number): string;
  blobAt(note: number): string;
}

/** What is new between two trees of notes. */
export interface NoteChanges {
  /** Notes that are new or say something else. */
  readonly fresh: NoteList;
  /** Notes that are no more. */
  readonly gone: number;
}

/** From nothing where `base` is undefined. Undefined: one of the two is not here, or is no tree. */
export async function readChanges(
  { place, objectFormat }: Repository,
  base: string | undefined,
  tip: string,
): Promise<NoteChanges | undefined> {
  const trees = [base ?? hashObject(objectFormat, 'tree', Buffer.alloc(0)), tip].map((id) => `${id}^{tree}`);
  const options = ['-r', '--raw', '-z', '--no-abbrev', '--no-renames', '--no-relative'];
  const { code, out } = await askGit(offline(place), ['diff-tree', ...options, '--end-of-options', ...trees]);
  return code === 0 ? parseChanges(out, objectFormat) : undefined;
}

/** `:oldmode newmode oldid newid status NUL path NUL` */
export function parseChanges(out: Buffer, format: ObjectFormat): NoteChanges {
  const before = new Set<string>();
  const gone = new Set<string>();
  for (const { commit, old } of entriesIn(out, format)) {
    if (old) before.add(commit + old);
    if (old) gone.add(commit);
  }
  const fresh = startList(format, out.length);
  for (const { commit, blob } of entriesIn(out, format)) {
    if (!blob) continue;
    gone.delete(commit);
    // a tree that fans out further, or less, has the same notes under other names
    if (!before.has(commit + blob)) fresh.add(commit, blob);
  }
  return { fresh: fresh.list(), gone: gone.size };
}

/** `most`: bytes that all of them take at most. */
function startList(format: ObjectFormat, most: number): { add(commit: string, blob: string): void; list(): NoteList } {
  const length = idLength(format);
  const ids = Buffer.alloc(most);
  let end = 0;
  const idAt = (n: number) => ids.toString('latin1', n * length, (n + 1) * length);
  return {
    add(commit, blob) {
      end += ids.write(commit, end, 'latin1');
      end += ids.write(blob, end, 'latin1');
    },
    list: () => ({
      length: end / length / 2,
      commitAt: (note) => idAt(2 * note),
      blobAt: (note) => idAt(2 * note + 1),
    }),
  };
}

function idLength(format: ObjectFormat): number {
  return format === 'sha256' ? 64 : 40;
}

interface Entry {
  readonly commit: string;
  readonly old: string | undefined;
  readonly blob: string | undefined;
}

function* entriesIn(out: Buffer, format: ObjectFormat): Generator<Entry> {
  const length = idLength(format);
  // `:100644 100644 ` comes before the ids; cutting bytes, not strings, keeps nothing else alive
  const oldAt = 15;
  const newAt = oldAt + length + 1;
  for (let at = 0; at < out.length; ) {
    const start = at;
    const middle = out.indexOf(0, start);
    const end = out.indexOf(0, middle + 1);
    if (middle < 0 || end < 0) return;
    at = end + 1;
    const id = (isFile: boolean, from: number) =>
      isFile ? out.toString('latin1', start + from, start + from + length) : undefined;
    const modes = out.toString('latin1', start, start + oldAt);
    const commit = commitOf(out.toString('latin1', middle + 1, end), length);
    if (commit) yield { commit, old: id(/^:100/.test(modes), oldAt), blob: id(/ 100\d{3} $/.test(modes), newAt) };
  }
}

/** `ab/cd/ef...` names commit abcdef...; what else lies in the tree is no note. */
function commitOf(path: string, length: number): string | undefined {
  if (!/^(?:[0-9a-f]{2}\/)*[0-9a-f]+$/.test(path)) return undefined;
  const commit = path.replaceAll('/', '');
  return commit.length === length ? commit : undefined;
}
