import { isObject, parseJson } from '../json.ts';
import type { AllowedSigner, SignerProblem } from './allowed-signers.ts';
import type { PublicKey } from './keys.ts';
import { quoted, reason } from './reason.ts';
import type { Revocation } from './revoked.ts';
import { type Sealed, type SealOptions, type Signer, sealBytes, sha256 } from './seal.ts';
import { type Home, readUnproven, refusedSeal, type SealVerdict, verifySeal } from './verify.ts';

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

/** A record's line: its bytes without the line feed, the id in it, and the commit that it names. */
export interface RecordLine {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly named: Home['named'];
  /** When it says that it was made, in milliseconds. */
  readonly madeAt?: number;
  /** Another record of the note stands in its place: nobody reads it any more. */
  readonly replaced?: boolean;
  /** Ids of the records that it says to stand in the place of. */
  readonly supersedes?: readonly string[];
}

/** The line to be added to the commit's note under `SEAL_REF`. */
export function sealRecord(
  signer: Signer,
  { id, bytes }: RecordLine,
  { principal, at, commit }: Pick<SealOptions, 'principal' | 'at'> & { readonly commit: string },
): Promise<string> {
  const options = { principal, at, commit, subject: id, contentType: RECORD_TYPE, form: 'detached' } as const;
  return sealBytes(signer, bytes, options).then(({ cose }: Sealed) =>
    printNoteSeal({ record: id, sha256: hexHash(bytes), cose }),
  );
}

export interface NoteQuestion {
  /** Whose note it is. */
  readonly commit: string;
  /** When that was made, in milliseconds. */
  readonly committedAt?: number;
  readonly records: readonly RecordLine[];
  /** Lines of the note that are no records for us: newer programs may have sealed them. */
  readonly others?: readonly Uint8Array[];
  readonly seals: readonly NoteSeal[];
  readonly signers: readonly AllowedSigner[];
  readonly problems?: readonly SignerProblem[];
  readonly revocation?: Revocation;
  readonly now: number;
  readonly namespace?: string;
}

export interface SealedRecord {
  readonly record: RecordLine;
  /**
   * `sealed`: at least one seal proves it. `refused`: there are seals of these bytes, and none is good. `altered`: seals name this
   * record, but other bytes. `elsewhere`: it is the record, or the seal, of another commit. `unsealed`: nothing speaks of it. `overruled`:
   * sealed, and only records that are not claim its place: anybody can add those, and readers go by them.
   */
  readonly state: 'sealed' | 'refused' | 'altered' | 'elsewhere' | 'unsealed' | 'overruled';
  /** Of the seals of these bytes, the good ones first. */
  readonly verdicts: readonly SealVerdict[];
}

/** A record that was sealed, and that no line of the note is any more. */
export interface GoneRecord {
  readonly id: string;
  readonly seals: readonly NoteSeal[];
  /** The key that the first of them names: a claim, there are no bytes to hold it against. */
  readonly kid?: string;
}

export interface NoteVerdict {
  readonly records: readonly SealedRecord[];
  readonly gone: readonly GoneRecord[];
}

/** Union adds junk as well as seals: more than these of one record are not looked at. */
const MAX_SEALS = 1000;

export function verifyNote(question: NoteQuestion): NoteVerdict {
  const byHash = sealsByHash(question.seals);
  const named = new Set(question.seals.map(({ record }) => record));
  const records = question.records.map((record): SealedRecord => {
    const seals = byHash.get(hexHash(record.bytes)) ?? [];
    if (seals.length === 0) return { record, state: stateWithout(record, named), verdicts: [] };
    const verdicts = verifyRecord(question, record, seals.slice(0, MAX_SEALS));
    return { record, state: stateOf(record, verdicts), verdicts };
  });
  const overruled = overruledIn(records);
  const judged = records.map((one) => (overruled.has(one) ? { ...one, state: 'overruled' as const } : one));
  return { records: judged, gone: question.seals.length === 0 ? [] : findGone(question, records) };
}

function overruledIn(records: readonly SealedRecord[]): ReadonlySet<SealedRecord> {
  const ofCommit = records.filter(({ record }) => record.named !== 'other');
  const replacedBy = (some: readonly SealedRecord[]) => new Set(some.flatMap(({ record }) => record.supersedes ?? []));
  const [claimed, proven] = [replacedBy(ofCommit), replacedBy(ofCommit.filter(({ state }) => state === 'sealed'))];
  const isOverruled = ({ record: { id }, state }: SealedRecord) =>
    state === 'sealed' && claimed.has(id) && !proven.has(id);
  return new Set(records.filter(isOverruled));
}

function sealsByHash(seals: readonly NoteSeal[]): Map<string, NoteSeal[]> {
  const byHash = new Map<string, NoteSeal[]>();
  for (const seal of seals) {
    const there = byHash.get(seal.sha256);
    if (there) there.push(seal);
    else byHash.set(seal.sha256, [seal]);
  }
  return byHash;
}

function stateWithout({ id, named }: RecordLine, sealed: ReadonlySet<string>): SealedRecord['state'] {
  if (sealed.has(id)) return 'altered';
  return named === 'other' ? 'elsewhere' : 'unsealed';
}

function stateOf({ named }: RecordLine, verdicts: readonly SealVerdict[]): SealedRecord['state'] {
  if (verdicts[0]?.ok) return 'sealed';
  const moved = verdicts.some(({ reasons: [first, second] }) => first?.code === 'commit-differs' && !second);
  return named === 'other' || moved ? 'elsewhere' : 'refused';
}

/** An altered record that still has its id is told of as that; junk that is no seal raises no alarm. */
function findGone({ records, others = [], seals }: NoteQuestion, judged: readonly SealedRecord[]): GoneRecord[] {
  const here = new Set([...records.map(({ bytes }) => bytes), ...others].map(hexHash));
  const altered = new Set(judged.flatMap(({ record, state }) => (state === 'altered' ? [record.id] : [])));
  const astray = seals.filter(({ sha256, record }) => !here.has(sha256) && !altered.has(record));
  const sound = astray.filter(({ cose, record }) => readUnproven(cose)?.subject === record);
  return [...sealsByHash(sound).values()].flatMap((same): GoneRecord[] => {
    const [first] = same;
    if (!first) return [];
    const kid = readUnproven(first.cose)?.kid;
    return [{ id: first.record, seals: same, ...(kid !== undefined && { kid }) }];
  });
}

function verifyRecord(question: NoteQuestion, { id, bytes, named, madeAt }: RecordLine, seals: readonly NoteSeal[]) {
  const { commit, committedAt, signers, problems, revocation, now, namespace } = question;
  const known = {
    ...{ signers, now, subject: id, payload: bytes, madeAt: () => madeAt },
    home: { commit, named, ...(committedAt !== undefined && { madeAt: committedAt }) },
    ...(problems && { problems }),
    ...(revocation && { revocation }),
    ...(namespace !== undefined && { namespace }),
  };
  const verdicts = seals.map(({ cose, record }) =>
    record === id ? verifySeal({ ...known, cose }) : refusedSeal(reason('subject-differs', quoted(record))),
  );
  return [...verdicts.filter(({ ok }) => ok), ...verdicts.filter(({ ok }) => !ok)];
}

export interface OwnSeals extends Pick<NoteQuestion, 'commit' | 'records' | 'seals' | 'now'> {
  readonly key: PublicKey;
  readonly principal: string;
}

/** The records that this key has yet to seal for this principal: seals of others, and junk, take nothing from it. */
export function openFor({ key, principal, ...question }: OwnSeals): RecordLine[] {
  const own: AllowedSigner = { line: 0, principals: '*', type: key.type, blob: key.blob, key, authority: false };
  // a record from the future: no seal of today is good for it, and one of them is enough
  const sealable = question.records.map((record) => {
    const { madeAt = 0, ...rest } = record;
    return madeAt > question.now ? rest : record;
  });
  const { records } = verifyNote({ ...question, records: sealable, signers: [own] });
  return records.flatMap(({ record, verdicts }) => {
    const mine = verdicts.some(({ ok, proven }) => ok && proven?.principal === principal);
    return mine || record.named === 'other' ? [] : [record];
  });
}

/** In words, for a record that is not sealed as it should be. */
export function whyNot({ state, verdicts }: Pick<SealedRecord, 'state' | 'verdicts'>): string {
  if (state === 'overruled')
    return 'sealed, and replaced by a record that is not: look at that one, then seal it (git agent seal)';
  if (state === 'altered') return 'a seal names it, and these are not the bytes that were sealed';
  if (state === 'elsewhere' && verdicts.length === 0) return 'it speaks of another commit';
  return [...new Set(verdicts[0]?.reasons.map(({ message }) => message))].join(' ');
}

export const WHY_GONE =
  'sealed, and no line of the note has these bytes: it was removed or altered, or its note is yet to be fetched (git agent fetch)';

function hexHash(bytes: Uint8Array): string {
  return Buffer.from(sha256(bytes)).toString('hex');
}
