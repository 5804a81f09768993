import { claimJson } from '../seal/claim.ts';
import type { NoteVerdict, SealedRecord } from '../seal/note.ts';
import type { SealVerdict } from '../seal/verify.ts';

/** What is said of one record. */
export interface Row {
  readonly commit: string;
  readonly record: string;
  readonly state: SealedRecord['state'] | 'gone';
  readonly verdicts: readonly SealVerdict[];
  /** The key that the seal of a record that is gone names. */
  readonly kid?: string;
  /** Nothing depends on it: no seal, and replaced; or a copy from another commit, where this one has a sealed record of its own. */
  readonly idle: boolean;
}

export function rowsOf(notes: ReadonlyMap<string, NoteVerdict>): Row[] {
  return [...notes].flatMap(([commit, { records, gone }]) => {
    const sealed = records.some(({ state }) => state === 'sealed');
    return [
      ...records.map(({ record, state, verdicts }): Row => {
        const idle = state === 'unsealed' ? record.replaced === true : sealed && state === 'elsewhere';
        return { commit, record: record.id, state, verdicts, idle };
      }),
      ...gone.map(({ id, kid }): Row => {
        return { commit, record: id, state: 'gone', verdicts: [], idle: false, ...(kid !== undefined && { kid }) };
      }),
    ];
  });
}

/** Whether it is a no. A record without any seal is one only where all have to have one; a copied seal is, it claims what is not so. */
export function isRefused({ state, verdicts, idle }: Row, all: boolean): boolean {
  switch (state) {
    case 'sealed':
      return false;
    case 'unsealed':
      return all && !idle;
    case 'elsewhere':
      return !idle && (all || verdicts.length > 0);
    case 'refused':
    case 'altered':
    case 'overruled':
    case 'gone':
      return true;
  }
}

export const SCHEMA = 'git-agent-blame/verify@1';

export function jsonOf(rows: readonly Row[]) {
  const records = rows.map(({ commit, record, state, verdicts, kid, idle }) => {
    const seals = verdicts.map(sealJson);
    const { principal, signer, at, reasons } = seals[0] ?? NOBODY;
    return { commit, record, state, principal, signer, at, reasons, kid: kid ?? seals[0]?.kid ?? null, idle, seals };
  });
  return { schema: SCHEMA, records };
}

const NOBODY = { principal: null, signer: null, at: null, reasons: [] };

/** One seal. Whose it is, only where it is good; `at`, `kid` and `claimed` are only what it says. */
export function sealJson({ ok, reasons, proven, ...shown }: SealVerdict) {
  return {
    ok,
    principal: ok ? (proven?.principal ?? null) : null,
    signer: proven?.signer ?? null,
    at: timeOf(shown.at) ?? null,
    reasons,
    kid: shown.kid ?? null,
    claimed: shown.claimed ? claimJson(shown.claimed) : null,
    certificates: shown.certificates,
    receipts: shown.receipts,
  };
}

export function fileJson(verdict: SealVerdict) {
  const { ok, reasons, at, kid, claimed, certificates, receipts } = sealJson(verdict);
  return { schema: SCHEMA, ok, reasons, proven: verdict.proven ?? null, at, kid, claimed, certificates, receipts };
}

export function timeOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
