import type { AgentLogDocument } from '../agentlog/document.ts';
import { readNote } from '../blame/records.ts';
import { parseAddress } from '../conversation/address.ts';
import { Fault } from '../fault.ts';
import { readCommits } from '../git/commits.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { readAllNotes, readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { readSettings } from '../setup/settings.ts';
import { attributionsOf } from '../trace/attribution.ts';
import { standing } from '../trace/covers.ts';
import { parseRecord } from '../trace/parse.ts';
import type { TraceRecord } from '../trace/record.ts';
import type { World } from './command.ts';
import { isCommitId } from './export-links.ts';
import { type PendingView, pendingView } from './pending-view.ts';
import { listCommits, listHistory } from './range.ts';
import { type Everything, FETCH_HINT, notRecorded, openRecorded } from './recorded.ts';

/** What is to be exported: one session, or the commits of a range. */
export type Subject =
  | { readonly kind: 'session'; readonly document: AgentLogDocument }
  | { readonly kind: 'range'; readonly range: string; readonly commits: readonly string[] };

/** The repository as an export sees it. */
export interface Archive {
  readonly repository: Repository;
  readonly pending: PendingView;
  readonly recorded: Everything;
}

export async function openArchive(world: World): Promise<Archive> {
  const repository = await findRepository(world.cwd);
  const pending = await pendingView(repository, world);
  return { repository, pending, recorded: await openRecorded(repository, world, pending) };
}

/** A session by its id or address; a range or a commit as git log takes it; a session by the beginning of its id. */
export async function findSubject(world: World, archive: Archive, named: string | undefined): Promise<Subject> {
  const { repository, recorded } = archive;
  if (named === undefined) return { kind: 'range', range: 'HEAD', commits: await listHistory(world.cwd, 'HEAD') };
  const { conversationUrl } = await readSettings(repository.place);
  const address = parseAddress(named, conversationUrl);
  const exact = await (address ? recorded.find(address.session) : recorded.findFirst(named));
  if (exact) return { kind: 'session', document: exact };
  if (address) throw notRecorded(address.session, FETCH_HINT);
  const commits = await listCommits(world.cwd, named).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'usage') return undefined;
    throw error;
  });
  if (commits) return { kind: 'range', range: named, commits };
  const near = await recorded.guess(named);
  if (near) return { kind: 'session', document: near };
  throw new Fault(
    'usage',
    `${named} is no session, no commit and no range; git agent sessions lists what is recorded${FETCH_HINT}.`,
  );
}

/** A record of a commit, as its note has it. */
export interface NotedRecord {
  readonly commit: string;
  readonly record: TraceRecord;
  readonly raw: string;
}

/** The records that stand in the notes of commits, those included that are not written yet. */
export async function readStanding(
  { repository: { place }, pending }: Archive,
  ids: readonly string[],
): Promise<NotedRecord[]> {
  const { trace } = await readNoteRefs(place);
  const [{ notes }, commits] = await Promise.all([readNotes(place, trace, ids), readCommits(place, ids)]);
  const due = await pending.records(ids);
  const linesOf = (id: string) => [...new Set([...(notes.get(id) ?? []), ...(due.get(id) ?? [])])];
  return ids.flatMap((commit) => {
    const lines = linesOf(commit);
    const read = readNote(commit, { lines: () => lines, parents: () => commits.get(commit)?.parents ?? [] });
    const counted = new Set(standing(read).map(({ id }) => id));
    return lines.flatMap((raw): NotedRecord[] => {
      const parsed = parseRecord(raw);
      return parsed.kind === 'record' && counted.delete(parsed.record.id)
        ? [{ commit, record: parsed.record, raw }]
        : [];
    });
  });
}

export function sessionsIn(records: readonly NotedRecord[]): Set<string> {
  const ranges = records.flatMap(({ record }) => attributionsOf(record));
  return new Set(ranges.flatMap(({ origin }) => origin.agent?.session || []));
}

/** The records that name a session, of all commits that it is known to have gone into. */
export async function readSessionRecords(archive: Archive, document: AgentLogDocument): Promise<NotedRecord[]> {
  const { repository, pending } = archive;
  const { id: session, relationships } = document;
  const { log } = await readNoteRefs(repository.place);
  const { notes } = await readAllNotes(repository.place, log);
  const mark = JSON.stringify(session);
  const linked = [...notes].flatMap(([commit, lines]) => (lines.some((line) => line.includes(mark)) ? [commit] : []));
  const due = pending.prospect?.due.map(({ id }) => id) ?? [];
  const told = (relationships?.commits ?? []).flatMap(({ sha }) => (isCommitId(sha) ? sha : []));
  const records = await readStanding(archive, [...new Set([...linked, ...told, ...due])]);
  return records.filter(({ record }) => attributionsOf(record).some(({ origin }) => origin.agent?.session === session));
}
