import type { Anchors } from '../anchor/target.ts';
import type { LineBook } from '../blame/annotate.ts';
import { openInTurn } from '../blame/records.ts';
import { type Commit, decodeCommits } from '../git/commits.ts';
import type { ObjectReader } from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import type { Span } from '../git/spans.ts';
import type { KeptCommit, Telling } from '../kept/entry.ts';
import { findNoteBlobs, type Missed, type NotesFound, readFound } from '../notes/read.ts';
import { type NoteRefs, readNoteRefs } from '../notes/refs.ts';
import { type KnownLines, runsOf, type ToldLines, type WrittenLines } from '../report/lines.ts';
import type { ReportedCommit, Run, Survey } from '../report/run.ts';
import { hasOwnWords } from '../trace/own.ts';
import { type Soundness, soundnessOf } from '../trace/parse.ts';
import { findAnchors } from './anchored.ts';
import type { PendingView } from './pending-view.ts';
import { quietly } from './quietly.ts';

export interface KnownRecords extends Missed {
  /** Commits whose notes were read, but for some lines of them, and those of which a note could not be read at all. */
  readonly partly: readonly string[];
  readonly spoilt: readonly string[];
  /** Those that are here, and were read. */
  readonly commits: ReadonlyMap<string, Commit>;
  /** To be asked commit by commit. */
  readonly book: LineBook;
  readonly due: ReadonlyMap<string, readonly string[]>;
  /** Whether a note, written or about to be, speaks of the commit. */
  has(commit: string): boolean;
  readonly refs: readonly string[];
  /** What was told of commits before, by the very notes that they have now: of these nothing was read. */
  readonly recalled: ReadonlyMap<string, Telling>;
  /** The notes of a commit where they, and nothing else, tell of it. */
  certain(commit: string): { readonly notes: readonly string[]; readonly ownWords: boolean } | undefined;
}

export interface RecordsQuestion {
  readonly ids: readonly string[];
  /** Commits of notes that no ref names yet. */
  readonly notes?: readonly string[] | undefined;
  readonly reader: ObjectReader;
  /** Where they are known already. */
  readonly refs?: Promise<NoteRefs>;
  /** What is remembered of some of them. */
  readonly kept?: ReadonlyMap<string, KeptCommit>;
}

/** The commits, and what notes say of them, those included that are not written yet. */
export async function readRecords(
  { place }: Repository,
  pending: PendingView,
  { ids, notes: more = [], reader, refs: asked, kept = new Map() }: RecordsQuestion,
): Promise<KnownRecords> {
  const refsAndNotes = async () => {
    const refs = [...(await (asked ?? readNoteRefs(place))).trace, ...more];
    const found = await findNoteBlobs(reader, refs, [...new Set(ids)]);
    const recalled = recall(kept, found);
    const open = { ...found, blobs: new Map([...found.blobs].filter(([id]) => !recalled.has(id))) };
    return { refs, found, recalled, ...(await readFound(reader, open)) };
  };
  const commitsOf = async (some: readonly string[]) => decodeCommits(await reader.read(some));
  const [early, { refs, found, recalled, notes, skipped, unread, lacking }] = await Promise.all([
    commitsOf(ids.filter((id) => !kept.get(id)?.told)),
    refsAndNotes(),
  ]);
  const late = ids.filter((id) => kept.get(id)?.told && !recalled.has(id));
  const commits = late.length > 0 ? new Map([...early, ...(await commitsOf(late))]) : early;
  const own = new Set([...notes].flatMap(([id, lines]) => (hasOwnWords(lines, id) ? [id] : [])));
  const soundness = new Map([...notes].map(([id, lines]) => [id, soundnessOf(lines, own.has(id))] as const));
  const thatAre = (kind: Soundness) => [...soundness].flatMap(([id, one]) => (one === kind ? [id] : []));
  const [partly, garbled] = [thatAre('partly'), thatAre('garbled')];
  const due = await pending.records(ids.filter((id) => commits.has(id) && !own.has(id)));
  const book = openInTurn({
    lines: (commit) => [...(notes.get(commit) ?? []), ...(due.get(commit) ?? [])],
    parents: (commit) => commits.get(commit)?.parents ?? [],
  });
  const has = (id: string) => book.find(id, '', 0) !== 'no record';
  const certain = (id: string) => {
    if (
      !commits.has(id) ||
      lacking.has(id) ||
      (soundness.get(id) ?? 'whole') !== 'whole' ||
      (due.get(id) ?? []).length > 0
    )
      return undefined;
    return { notes: [...(found.blobs.get(id) ?? [])], ownWords: own.has(id) };
  };
  const missed = {
    skipped: skipped + partly.length + garbled.length,
    unread,
    partly,
    spoilt: [...lacking, ...garbled],
  };
  return { commits, book, due, has, ...missed, refs, recalled, certain };
}

/** What is remembered of commits holds as long as their notes are the same. */
function recall(kept: ReadonlyMap<string, KeptCommit>, { blobs }: NotesFound): Map<string, Telling> {
  const recalled = new Map<string, Telling>();
  for (const [id, { told }] of kept) {
    const now = [...(blobs.get(id) ?? [])];
    if (told?.notes.length === now.length && now.every((blob, i) => told.notes[i] === blob)) recalled.set(id, told);
  }
  return recalled;
}

/** In the order in which they came, but worked out commit by commit. */
export function tellLines(written: readonly WrittenLines[], known: KnownLines): ToldLines[] {
  const told = written.map((lines) => ({ lines, runs: [] as readonly Run[] }));
  for (const one of [...told].sort(byCommit)) one.runs = runsOf(one.lines, known);
  return told;
}

function byCommit({ lines: a }: ToldLines, { lines: b }: ToldLines): number {
  return a.commit < b.commit ? -1 : a.commit > b.commit ? 1 : 0;
}

export interface Counting {
  readonly told: readonly ToldLines[];
  readonly known: KnownRecords;
  readonly pending: PendingView;
}

export interface Counted {
  readonly runs: readonly Run[];
  /** Whether anything is known of a commit, found in whatever way. */
  recorded(commit: string): boolean;
}

/** Lines by the records of their commits, and those without one by what they stem from. */
export async function countRuns(repository: Repository, { told, known, pending }: Counting): Promise<Counted> {
  const [bare, noted] = [new Set<string>(), new Set<string>()];
  for (const { runs } of told) for (const { via, commit } of runs) (via === undefined ? bare : noted).add(commit);
  const anchors = await anchorsOf(repository, pending, { known, commits: [...bare] });
  const anchored = (commit: string, file: string, line: number) => anchors.get(commit)?.get(file)?.get(line);
  const open = anchors.size > 0 ? told.flatMap(({ lines }) => (anchors.has(lines.commit) ? [lines] : [])) : [];
  const again = new Map(tellLines(open, { book: known.book, anchored }).map(({ lines, runs }) => [lines, runs]));
  const runs: Run[] = [];
  for (const one of told) for (const run of again.get(one.lines) ?? one.runs) runs.push(run);
  const found = (id: string) => [...(anchors.get(id)?.values() ?? [])].some((lines) => lines.size > 0);
  return { runs, recorded: (id) => noted.has(id) || known.has(id) || found(id) };
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

/** So many commits are looked at in one go: what notes say of them is kept in memory until their lines are counted. */
const AT_ONCE = 100;

export interface Written extends Omit<RecordsQuestion, 'ids'> {
  readonly written: readonly WrittenLines[];
}

/** Lines of whatever commits, each by the records of its own. */
export async function countWritten(
  repository: Repository,
  pending: PendingView,
  { written, reader, notes }: Written,
): Promise<Pick<Survey, 'runs' | 'commits' | 'skipped' | 'partly' | 'spoilt' | 'unread'>> {
  const [runs, commits] = [[] as Run[], new Map<string, ReportedCommit>()];
  const unread = new Set<string>();
  const [partly, spoilt] = [[] as string[], [] as string[]];
  let skipped = 0;
  const refs = quietly(readNoteRefs(repository.place));
  const byCommit = [...groupByCommit(written)];
  for (let at = 0; at < byCommit.length; at += AT_ONCE) {
    const some = byCommit.slice(at, at + AT_ONCE);
    const known = await readRecords(repository, pending, { ids: some.map(([id]) => id), notes, reader, refs });
    const told = some.flatMap(([, lines]) => tellLines(lines, known));
    const counted = await countRuns(repository, { told, known, pending });
    for (const run of counted.runs) runs.push(run);
    for (const [id, one] of known.commits) commits.set(id, reported(one, counted.recorded(id)));
    skipped += known.skipped;
    partly.push(...known.partly);
    spoilt.push(...known.spoilt);
    for (const ref of known.unread) unread.add(ref);
  }
  return { runs: runs.sort(byPlace), commits, skipped, partly, spoilt, unread: [...unread] };
}

function groupByCommit(written: readonly WrittenLines[]): Map<string, WrittenLines[]> {
  const groups = new Map<string, WrittenLines[]>();
  for (const lines of written) {
    const known = groups.get(lines.commit);
    if (known) known.push(lines);
    else groups.set(lines.commit, [lines]);
  }
  return groups;
}

function byPlace(a: Pick<Run, 'path' | 'start'>, b: Pick<Run, 'path' | 'start'>): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.start - b.start;
}

export function reported({ id, author, message }: Commit, recorded: boolean): ReportedCommit {
  const { name, mail, time } = author;
  return { id, author: name, mail, time, subject: message.split('\n', 1)[0] ?? '', recorded };
}

export function writtenIn(path: string, { commit, file, originalStart, start, count }: Span): WrittenLines {
  return { commit, file, start: originalStart, end: originalStart + count - 1, at: { path, start } };
}
