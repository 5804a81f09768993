import type { Surroundings } from '../pending/world.ts';
import { findDocument } from '../sessions/documents.ts';
import { cleanseRecords } from './import-cleanse.ts';
import { readForeignNotes } from './import-notes.ts';
import { placeTraces } from './import-place.ts';
import type { Holdings } from './import-read.ts';
import { freshSessions, keepSessions, linksOf } from './import-sessions.ts';
import { documentsIn, joinTranscript, skippedIn, type Transcript } from './import-transcript.ts';
import { freshRecords, writeImported } from './import-write.ts';

/** What became of a source. */
export interface Imported {
  readonly sessions: number;
  readonly records: number;
  /** Commits whose notes got records. */
  readonly commits: number;
  /** Sessions and records that were here already. */
  readonly known: number;
  /** For each record whose commit is not the one that it names, that commit. */
  readonly moved: readonly string[];
  /** Records from which secrets were taken. */
  readonly redacted: number;
  /** Commits that a transcript was joined to. */
  readonly joined?: number;
  /** Why parts were left out, one for each. */
  readonly left: readonly string[];
  readonly remarks: readonly string[];
  /** Nothing of the source is here now. */
  readonly nothing: boolean;
}

export interface ImportOptions {
  readonly dryRun: boolean;
  /** The commit of records and notes that name none. */
  readonly commit: string | undefined;
}

export interface Found {
  readonly holdings: Holdings;
  readonly transcript?: Transcript;
}

/** Works out what is new, then writes it, unless it is only to be said. */
export async function carryOut(
  world: Surroundings,
  { holdings, transcript }: Found,
  { dryRun, commit }: ImportOptions,
): Promise<Imported> {
  const traces = await placeTraces(world.repository, holdings.traces, commit);
  const notes = await readForeignNotes(world, holdings.notes, commit);
  const placed = [...traces.placed, ...notes.placed];
  const { lines, redacted } = await cleanseRecords(placed.map(({ line }) => line));
  const clean = placed.map((one, i) => ({ ...one, line: lines[i] ?? one.line }));
  const fresh = await freshRecords(world, clean);
  const told = transcript ? documentsIn(world, transcript) : [];
  // what a note says of a session is little beside the session itself
  const named = notes.documents.filter(({ id }) => findDocument(world.store, id) === undefined);
  const documents = [...holdings.documents, ...named];
  const sessions = await freshSessions(world.store, { documents, trusted: told });
  const log = await linksOf(world, [...holdings.documents, ...notes.documents]);
  if (!dryRun) {
    await writeImported(world, { trace: fresh.additions, log }, () => keepSessions(world.store, sessions.fresh));
  }
  const joined = transcript && (await joinTranscript(world, transcript, dryRun)).length;
  const known = fresh.known + sessions.known + notes.documents.length - named.length;
  const taken = fresh.records + sessions.fresh.length + known;
  return {
    sessions: sessions.fresh.length,
    records: fresh.records,
    commits: fresh.additions.size,
    known,
    moved: clean.filter(({ moved }) => moved).map((one) => one.commit),
    redacted,
    ...(joined !== undefined && { joined }),
    left: [...holdings.left, ...traces.left, ...notes.left],
    remarks: [
      ...holdings.remarks,
      ...traces.placed.flatMap(({ odd }) => odd ?? []),
      ...differingOf(fresh.differing),
      ...contradictionOf(sessions.contradicting),
      ...remarksOf(notes.skipped, transcript),
    ],
    nothing: taken === 0,
  };
}

/** Which of them is right nobody can tell. */
function differingOf(ids: readonly string[]): string[] {
  return [...new Set(ids)].map((id) => `another record with the id ${id} says something else: both are kept`);
}

function contradictionOf(events: number): string[] {
  const told = events === 1 ? '1 event says' : `${events} events say`;
  return events > 0 ? [`${told} something else than what is recorded here under the same id, which stands`] : [];
}

function remarksOf(skipped: number, transcript: Transcript | undefined): string[] {
  const unread = transcript ? skippedIn(transcript.sessions) : 0;
  return [
    ...(skipped > 0 ? [`${skipped} claims are not about lines that their commit adds`] : []),
    ...(unread > 0 ? [`${unread} parts of the transcript are not understood`] : []),
  ];
}
