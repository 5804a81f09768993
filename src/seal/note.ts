import { isObject, parseJson } from '../json.ts';
import type { AllowedSigner } from './allowed-signers.ts';
import { quoted, reason } from './reason.ts';
import { type Sealed, type SealOptions, type Signer, sealBytes, sha256 } from './seal.ts';
import { refusedSeal, type SealVerdict, verifySeal } from './verify.ts';

export const RECORD_TYPE = 'application/vnd.agent-trace.record+json';

const OWN = 'dev.git-agent-blame';
const MAX_LINE = 64 * 1024;

/**
 * Seals lie in notes of their own, beside those of the records: one line for one seal of one record's line. In the notes of the records
 * every line is a complete Agent Trace record, for whoever reads them. What a line says of itself is only there to find it; the signature
 * decides.
 */
export interface NoteSeal {
  /** Id of the record. */
  readonly record: string;
  /** Of the record's line, as it stands in the note, in hex. */
  readonly sha256: string;
  readonly cose: Uint8Array;
}

export function printNoteSeal({ record, sha256, cose }: NoteSeal): string {
  return JSON.stringify({ [OWN]: { seal: { record, sha256, cose: Buffer.from(cose).toString('base64url') } } });
}

/** Undefined for lines that are no seals: they stay where they are. */
export function parseNoteSeal(line: string): NoteSeal | undefined {
  const json = parseJson(line, MAX_LINE);
  const own = 'value' in json && isObject(json.value) && Object.hasOwn(json.value, OWN) ? json.value[OWN] : undefined;
  const seal = isObject(own) && Object.hasOwn(own, 'seal') ? own.seal : undefined;
  if (!isObject(seal)) return undefined;
  const { record, sha256, cose } = seal;
  if (typeof record !== 'string' || typeof sha256 !== 'string' || typeof cose !== 'string') return undefined;
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  const bytes = Buffer.from(cose, 'base64url');
  // one text for the same bytes
  return bytes.toString('base64url') === cose ? { record, sha256, cose: bytes } : undefined;
}

/** A record's line: its bytes without the line feed, and the id in it. */
export interface RecordLine {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The line to be added to the commit's note under `SEAL_REF`. */
export function sealRecord(
  signer: Signer,
  { id, bytes }: RecordLine,
  { principal, at }: Pick<SealOptions, 'principal' | 'at'>,
): Promise<string> {
  const options = { principal, at, subject: id, contentType: RECORD_TYPE, form: 'detached' } as const;
  return sealBytes(signer, bytes, options).then(({ cose }: Sealed) =>
    printNoteSeal({ record: id, sha256: hexHash(bytes), cose }),
  );
}

export interface NoteQuestion {
  readonly records: readonly RecordLine[];
  readonly seals: readonly NoteSeal[];
  readonly signers: readonly AllowedSigner[];
  readonly now: number;
  readonly namespace?: string;
}

export interface SealedRecord {
  readonly record: RecordLine;
  /**
   * `sealed`: at least one seal proves it. `refused`: there are seals of these bytes, and none is good. `altered`: seals name this
   * record, but other bytes. `unsealed`: nothing speaks of it.
   */
  readonly state: 'sealed' | 'refused' | 'altered' | 'unsealed';
  /** Of the seals of these bytes, the good ones first. */
  readonly verdicts: readonly SealVerdict[];
}

export interface NoteVerdict {
  readonly records: readonly SealedRecord[];
  /** Seals of records that are not here. */
  readonly astray: readonly NoteSeal[];
}

/** Union adds junk as well as seals: more than these of one record are not looked at. */
const MAX_SEALS = 1000;

export function verifyNote(question: NoteQuestion): NoteVerdict {
  const byHash = new Map<string, NoteSeal[]>();
  for (const seal of question.seals) {
    const there = byHash.get(seal.sha256);
    if (there) there.push(seal);
    else byHash.set(seal.sha256, [seal]);
  }
  const named = new Set(question.seals.map(({ record }) => record));
  const records = question.records.map((record): SealedRecord => {
    const seals = byHash.get(hexHash(record.bytes)) ?? [];
    if (seals.length === 0) return { record, state: named.has(record.id) ? 'altered' : 'unsealed', verdicts: [] };
    const verdicts = verifyRecord(question, record, seals.slice(0, MAX_SEALS));
    return { record, state: verdicts[0]?.ok ? 'sealed' : 'refused', verdicts };
  });
  const hashes = new Set(question.records.map(({ bytes }) => hexHash(bytes)));
  const ids = new Set(question.records.map(({ id }) => id));
  const astray = question.seals.filter((seal) => !hashes.has(seal.sha256) && !ids.has(seal.record));
  return { records, astray };
}

function verifyRecord(question: NoteQuestion, { id, bytes }: RecordLine, seals: readonly NoteSeal[]): SealVerdict[] {
  const { signers, now, namespace } = question;
  const verdicts = seals.map(({ cose, record }) =>
    record === id
      ? verifySeal({ cose, payload: bytes, subject: id, signers, now, ...(namespace !== undefined && { namespace }) })
      : refusedSeal(reason('subject-differs', quoted(record))),
  );
  return [...verdicts.filter(({ ok }) => ok), ...verdicts.filter(({ ok }) => !ok)];
}

function hexHash(bytes: Uint8Array): string {
  return Buffer.from(sha256(bytes)).toString('hex');
}
