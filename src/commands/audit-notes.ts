import type { SealState } from '../audit/material.ts';
import type { Repository } from '../git/repository.ts';
import { readAllNotes, readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import type { AllowedSigner } from '../seal/allowed-signers.ts';
import { type NoteSeal, parseNoteSeal, type SealedRecord, verifyNote } from '../seal/note.ts';
import { standing } from '../trace/covers.ts';
import { hasOwnWords } from '../trace/own.ts';
import { parseRecord } from '../trace/parse.ts';
import type { TraceRecord } from '../trace/record.ts';
import type { PendingView } from './pending-view.ts';

/** A record, the commit in whose note it stands, and its line there. */
export interface NotedRecord {
  readonly commit: string;
  readonly line: string;
  readonly record: TraceRecord;
}

export interface AuditedNotes {
  /** All of them, also those that others replace. */
  readonly records: readonly NotedRecord[];
  readonly standing: readonly TraceRecord[];
  /** Lines of the notes that tie sessions to commits. */
  readonly links: readonly string[];
  readonly seals: readonly SealRow[];
  readonly skipped: number;
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
  readonly signers: readonly AllowedSigner[];
  readonly now: number;
}

/** The notes behind some commits: their own, those about to be written, and those of the commits that they stem from. */
export async function readAuditedNotes(
  { place }: Repository,
  pending: PendingView,
  question: NotesQuestion,
): Promise<AuditedNotes> {
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
  const noted = [...new Set(records.map(({ commit }) => commit))];
  const [links, seals] = await Promise.all([
    readNotes(place, refs.log, [...new Set([...commits, ...noted])]),
    readNotes(place, refs.seal, noted),
  ]);
  return {
    records,
    ...judge(records, seals.notes, question),
    links: [...new Set([...links.notes.values()].flat())],
    skipped: own.skipped + links.skipped + seals.skipped,
  };
}

function recordsIn(commit: string, lines: readonly string[]): NotedRecord[] {
  return [...new Set(lines)].flatMap((line) => {
    const parsed = parseRecord(line);
    return parsed.kind === 'record' ? [{ commit, line, record: parsed.record }] : [];
  });
}

function judge(
  records: readonly NotedRecord[],
  seals: ReadonlyMap<string, readonly string[]>,
  { signers, now }: NotesQuestion,
): Pick<AuditedNotes, 'standing' | 'seals'> {
  const byCommit = new Map<string, NotedRecord[]>();
  for (const one of records) {
    const list = byCommit.get(one.commit);
    if (list) list.push(one);
    else byCommit.set(one.commit, [one]);
  }
  const stand: TraceRecord[] = [];
  const rows = [...byCommit].flatMap(([commit, some]) => {
    const kept = new Set(standing(some.map(({ record }) => record)));
    stand.push(...kept);
    const own = (seals.get(commit) ?? []).flatMap((line) => parseNoteSeal(line) ?? []);
    const lines = some.map(({ record, line }) => ({ id: record.id, bytes: Buffer.from(line, 'utf8') }));
    const verdict = verifyNote({ records: lines, seals: own, signers, now });
    return verdict.records.map(({ record: { id }, state, verdicts }, i): SealRow => {
      const stands = some[i] !== undefined && kept.has(some[i].record);
      return { commit, record: id, state, stands, verdicts, seals: own.filter(({ record }) => record === id) };
    });
  });
  return { standing: stand, seals: rows };
}

/** One line for one record: what its seals prove, and the seals, so that others can look for themselves. */
export function sealLine({ commit, record, state, stands, verdicts, seals }: SealRow): string {
  const proofs = verdicts.map(({ ok, reasons, proven, kid }) => ({
    ok,
    principal: ok ? (proven?.principal ?? null) : null,
    signer: proven?.signer ?? kid ?? null,
    at: proven?.at === undefined ? null : new Date(proven.at).toISOString(),
    reasons: reasons.map(({ code, message }) => ({ code, message })),
  }));
  const whole = seals.map(({ sha256, cose }) => ({ sha256, cose: Buffer.from(cose).toString('base64url') }));
  return JSON.stringify({ commit, record, state, replaced: !stands, proofs, seals: whole });
}
