import type { SealState } from '../audit/material.ts';
import type { Repository } from '../git/repository.ts';
import { type Missed, readAllNotes, readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import type { AllowedSigners } from '../seal/allowed-signers.ts';
import { type NoteSeal, type NoteVerdict, type SealedRecord, verifyNote } from '../seal/note.ts';
import { timeOf } from '../shape.ts';
import { standing } from '../trace/covers.ts';
import { hasOwnWords, namedCommit, supersededBy } from '../trace/own.ts';
import { parseRecord } from '../trace/parse.ts';
import type { TraceRecord } from '../trace/record.ts';
import type { PendingView } from './pending-view.ts';
import { commitTimes, noteSeals, recordLines } from './seals.ts';
import { sealJson } from './verify-rows.ts';

/** A record, the commit in whose note it stands, and its line there. */
export interface NotedRecord {
  readonly commit: string;
  readonly line: string;
  readonly record: TraceRecord;
}

export interface AuditedNotes extends Missed {
  /** All of them, also those that others replace. */
  readonly records: readonly NotedRecord[];
  readonly standing: readonly TraceRecord[];
  /** Lines of the notes that tie sessions to commits. */
  readonly links: readonly string[];
  readonly seals: readonly SealRow[];
}

export interface SealRow {
  readonly commit: string;
  readonly record: string;
  readonly state: SealState;
  readonly stands: boolean;
  readonly verdicts: SealedRecord['verdicts'];
  readonly seals: readonly NoteSeal[];
}

export interface NotesQuestion {
  readonly commits: readonly string[];
  /** Ids of records that lines were traced to: those of rewritten commits stand in other notes. */
  readonly used: ReadonlySet<string>;
  readonly allowed: AllowedSigners;
  readonly now: number;
}

/** The notes behind some commits: their own, those about to be written, and those of the commits that they stem from. */
export async function readAuditedNotes(
  repository: Repository,
  pending: PendingView,
  question: NotesQuestion,
): Promise<AuditedNotes> {
  const { place } = repository;
  const refs = await readNoteRefs(place);
  const { commits, used } = question;
  const own = await readNotes(place, refs.trace, commits);
  const due = await pending.records(commits.filter((id) => !hasOwnWords(own.notes.get(id) ?? [], id)));
  const lines = new Map(commits.map((id) => [id, [...(own.notes.get(id) ?? []), ...(due.get(id) ?? [])]]));
  const records = [...lines].flatMap(([commit, some]) => recordsIn(commit, some));
  const known = new Set(records.map(({ record }) => record.id));
  if ([...used].some((id) => !known.has(id))) {
    // what lines stem from may stand in any note
    const all = await readAllNotes(place, refs.trace);
    for (const [commit, some] of [...all.notes].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!lines.has(commit)) records.push(...recordsIn(commit, some).filter(({ record }) => used.has(record.id)));
    }
  }
  const noted = [...new Set([...commits, ...records.map(({ commit }) => commit)])];
  const [links, seals] = await Promise.all([readNotes(place, refs.log, noted), readNotes(place, refs.seal, noted)]);
  const times = await commitTimes(repository, [...seals.notes.keys()]);
  return {
    records,
    ...judge({ records, lines, seals: seals.notes, times }, question),
    links: [...new Set([...links.notes.values()].flat())],
    skipped: own.skipped + links.skipped + seals.skipped,
    unread: [...own.unread, ...links.unread, ...seals.unread],
  };
}

function recordsIn(commit: string, lines: readonly string[]): NotedRecord[] {
  return [...new Set(lines)].flatMap((line) => {
    const parsed = parseRecord(line);
    return parsed.kind === 'record' ? [{ commit, line, record: parsed.record }] : [];
  });
}

interface Found {
  readonly records: readonly NotedRecord[];
  /** Whole notes; of others only those records are known that lines were traced to. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  readonly seals: ReadonlyMap<string, readonly string[]>;
  readonly times: Awaited<ReturnType<typeof commitTimes>>;
}

function judge(found: Found, { allowed, now }: NotesQuestion): Pick<AuditedNotes, 'standing' | 'seals'> {
  const byCommit = new Map<string, NotedRecord[]>([...found.lines.keys()].map((commit) => [commit, []]));
  for (const one of found.records) {
    const list = byCommit.get(one.commit);
    if (list) list.push(one);
    else byCommit.set(one.commit, [one]);
  }
  const stand: TraceRecord[] = [];
  const rows = [...byCommit].flatMap(([commit, some]) => {
    const kept = new Set(standing(some.map(({ record }) => record)));
    stand.push(...kept);
    const seals = noteSeals(found.seals.get(commit));
    const records = some.map(({ record, line }) => {
      const madeAt = timeOf(record.timestamp);
      const made = madeAt !== undefined && { madeAt };
      const named = namedCommit(record, commit);
      return { id: record.id, bytes: Buffer.from(line, 'utf8'), named, ...made, supersedes: supersededBy(record) };
    });
    const whole = found.lines.get(commit);
    const { others } = recordLines(seals.length > 0 ? (whole ?? []) : [], commit);
    const verdict = verifyNote({ ...allowed, ...found.times.get(commit), commit, records, others, seals, now });
    const stands = some.map(({ record }) => kept.has(record));
    return [...recordRows(commit, verdict, { stands, seals }), ...(whole ? goneRows(commit, verdict) : [])];
  });
  return { standing: stand, seals: rows };
}

interface Noted {
  /** Of each record, whether no other replaces it. */
  readonly stands: readonly boolean[];
  readonly seals: readonly NoteSeal[];
}

/** A copy from another commit says nothing here: where the commit has a sealed record of its own, it is as if replaced. */
function recordRows(commit: string, { records }: NoteVerdict, { stands, seals }: Noted): SealRow[] {
  const sealed = records.some(({ state }) => state === 'sealed');
  return records.map(({ record: { id }, state, verdicts }, i): SealRow => {
    const idle = sealed && state === 'elsewhere';
    const own = seals.filter(({ record }) => record === id);
    const counts = stands[i] === true || state === 'overruled';
    return { commit, record: id, state, stands: counts && !idle, verdicts, seals: own };
  });
}

function goneRows(commit: string, { gone }: NoteVerdict): SealRow[] {
  return gone.map(({ id, seals }) => ({ commit, record: id, state: 'gone', stands: true, verdicts: [], seals }));
}

/** One line for one record: what its seals prove, and the seals, so that others can look for themselves. */
export function sealLine({ commit, record, state, stands, verdicts, seals }: SealRow): string {
  const proofs = verdicts.map((verdict) => {
    const { signer, ...proof } = sealJson(verdict);
    return { ...proof, signer: signer ?? verdict.kid ?? null };
  });
  const whole = seals.map(({ sha256, cose }) => ({ sha256, cose: Buffer.from(cose).toString('base64url') }));
  return JSON.stringify({ commit, record, state, replaced: !stands, proofs, seals: whole });
}
