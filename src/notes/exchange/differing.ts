import type { Repository } from '../../git/repository.ts';
import { runGit } from '../../git/run.ts';
import type { TreeEntry } from '../../git/trees.ts';

/** What one of two notes trees has that the other has not, or has otherwise. */
export interface Side {
  /** Ids of the notes by commit: two where a tree has a note in two places. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
  /** Everything else by path; latin1, one character per byte. */
  readonly files: ReadonlyMap<string, TreeEntry>;
}

export interface Differing {
  readonly ours: Side;
  readonly theirs: Side;
}

/** Git skips what is the same on both sides without reading it. */
export async function diffNotes({ place, objectFormat }: Repository, ours: string, theirs: string): Promise<Differing> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', ours, theirs];
  const out = await runGit(place, args);
  return parseDiffering(out.toString('latin1'), objectFormat === 'sha256' ? 64 : 40);
}

/** `:MODE MODE ID ID STATUS NUL PATH NUL`, where a mode of zeros says that there is no such entry. */
export function parseDiffering(out: string, idLength: number): Differing {
  const sides = [emptySide(), emptySide()] as const;
  const fields = out.split('\0');
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (fields[i] ?? '').slice(1).split(' ');
    const path = fields[i + 1] ?? '';
    put(sides[0], path, { mode: oldMode, id: oldId }, idLength);
    put(sides[1], path, { mode: newMode, id: newId }, idLength);
  }
  return { ours: sides[0], theirs: sides[1] };
}

function emptySide() {
  return { notes: new Map<string, string[]>(), files: new Map<string, TreeEntry>() };
}

function put(side: ReturnType<typeof emptySide>, path: string, entry: TreeEntry, idLength: number): void {
  if (/^0*$/.test(entry.mode)) return;
  const key = path.replaceAll('/', '');
  const isNote = key.length === idLength && entry.mode.startsWith('100') && /^(?:[0-9a-f]{2}\/)*[0-9a-f]+$/.test(path);
  if (!isNote) {
    side.files.set(path, entry);
    return;
  }
  const known = side.notes.get(key);
  if (known) known.push(entry.id);
  else side.notes.set(key, [entry.id]);
}
