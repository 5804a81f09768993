import type { Anchors } from '../anchor/target.ts';
import type { LineBook } from '../blame/annotate.ts';
import { openRecords } from '../blame/records.ts';
import { type Commit, readCommits } from '../git/commits.ts';
import type { Repository } from '../git/repository.ts';
import { readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { runsOf, type WrittenLines } from '../report/lines.ts';
import type { Run } from '../report/run.ts';
import { hasOwnWords } from '../trace/own.ts';
import { findAnchors } from './anchored.ts';
import type { PendingView } from './pending-view.ts';

export interface KnownRecords {
  /** Those that are here. */
  readonly commits: ReadonlyMap<string, Commit>;
  readonly book: LineBook;
  readonly due: ReadonlyMap<string, readonly string[]>;
  /** Whether a note, written or about to be, speaks of the commit. */
  has(commit: string): boolean;
  readonly skipped: number;
  readonly refs: readonly string[];
}

export interface RecordsQuestion {
  readonly ids: readonly string[];
  /** Commits of notes that no ref names yet. */
  readonly notes?: readonly string[] | undefined;
}

/** The commits, and what notes say of them, those included that are not written yet. */
export async function readRecords(
  { place }: Repository,
  pending: PendingView,
  { ids, notes: more = [] }: RecordsQuestion,
): Promise<KnownRecords> {
  const refsAndNotes = async () => {
    const refs = [...(await readNoteRefs(place)).trace, ...more];
    return { refs, ...(await readNotes(place, refs, ids)) };
  };
  const [commits, { refs, notes, skipped }] = await Promise.all([readCommits(place, ids), refsAndNotes()]);
  const due = await pending.records(ids.filter((id) => commits.has(id) && !hasOwnWords(notes.get(id) ?? [], id)));
  const book = openRecords({
    lines: (commit) => [...(notes.get(commit) ?? []), ...(due.get(commit) ?? [])],
    parents: (commit) => commits.get(commit)?.parents ?? [],
  });
  const has = (id: string) => book.find(id, '', 0) !== 'no record';
  return { commits, book, due, has, skipped, refs };
}

export interface Counting {
  readonly written: readonly WrittenLines[];
  readonly known: KnownRecords;
  readonly pending: PendingView;
}

export interface Counted {
  readonly runs: readonly Run[];
  /** Whether anything is known of a commit, found in whatever way. */
  recorded(commit: string): boolean;
}

/** Lines by the records of their commits, and those without one by what they stem from. */
export async function countRuns(repository: Repository, { written, known, pending }: Counting): Promise<Counted> {
  const first = written.map((lines) => runsOf(lines, known));
  const bare = new Set<string>();
  for (const runs of first) for (const { via, commit } of runs) if (via === undefined) bare.add(commit);
  const anchors = await anchorsOf(repository, pending, { known, commits: [...bare] });
  const anchored = (commit: string, file: string, line: number) => anchors.get(commit)?.get(file)?.get(line);
  const again = { book: known.book, anchored };
  const runs = written.flatMap((lines, i) => (anchors.has(lines.commit) ? runsOf(lines, again) : (first[i] ?? [])));
  const found = (id: string) => [...(anchors.get(id)?.values() ?? [])].some((lines) => lines.size > 0);
  return { runs, recorded: (id) => known.has(id) || found(id) };
}

async function anchorsOf(
  repository: Repository,
  pending: PendingView,
  { known, commits }: { readonly known: KnownRecords; readonly commits: readonly string[] },
): Promise<ReadonlyMap<string, Anchors>> {
  // without any notes there is nothing to find them in
  if (known.refs.length === 0 && known.due.size === 0) return new Map();
  return findAnchors(repository, pending, { commits, due: known.due });
}
