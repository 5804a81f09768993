import type { Anchors } from '../anchor/target.ts';
import type { LineBook } from '../blame/annotate.ts';
import { openRecords } from '../blame/records.ts';
import type { Commit } from '../git/commits.ts';
import type { Repository } from '../git/repository.ts';
import { readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { runsOf, type WrittenLines } from '../report/lines.ts';
import type { Run } from '../report/run.ts';
import { hasOwnWords } from '../trace/own.ts';
import { findAnchors } from './anchored.ts';
import type { PendingView } from './pending-view.ts';

export interface KnownRecords {
  readonly book: LineBook;
  readonly due: ReadonlyMap<string, readonly string[]>;
  /** Whether a note, written or about to be, speaks of the commit. */
  has(commit: string): boolean;
  readonly skipped: number;
  readonly refs: readonly string[];
}

export interface RecordsQuestion {
  readonly commits: ReadonlyMap<string, Commit>;
  /** Commits of notes that no ref names yet. */
  readonly notes?: readonly string[];
}

/** What notes say of commits, those included that are not written yet. */
export async function readRecords(
  { place }: Repository,
  pending: PendingView,
  { commits, notes: more = [] }: RecordsQuestion,
): Promise<KnownRecords> {
  const refs = [...(await readNoteRefs(place)).trace, ...more];
  const ids = [...commits.keys()];
  const { notes, skipped } = await readNotes(place, refs, ids);
  const due = await pending.records(ids.filter((id) => !hasOwnWords(notes.get(id) ?? [])));
  const book = openRecords({
    lines: (commit) => [...(notes.get(commit) ?? []), ...(due.get(commit) ?? [])],
    parents: (commit) => commits.get(commit)?.parents ?? [],
  });
  const has = (id: string) => book.find(id, '', 0) !== 'no record';
  return { book, due, has, skipped, refs };
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
export async function countLines(repository: Repository, { written, known, pending }: Counting): Promise<Counted> {
  const first = written.map((lines) => runsOf(lines, known));
  const bare = new Set(first.flatMap((runs) => runs.flatMap(({ via, commit }) => (via === undefined ? commit : []))));
  const anchors = await anchorsOf(repository, pending, { known, commits: [...bare] });
  const anchored = (commit: string, file: string, line: number) => anchors.get(commit)?.get(file)?.get(line);
  const runs = written.flatMap((lines, i) =>
    anchors.has(lines.commit) ? runsOf(lines, { book: known.book, anchored }) : (first[i] ?? []),
  );
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
