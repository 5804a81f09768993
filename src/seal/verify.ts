import type { AllowedSigner, SignerProblem } from './allowed-signers.ts';
import { encodeCbor } from './cbor.ts';
import { decodeSign1, LABEL, type Sign1, sigStructure } from './cose.ts';
import { readHeader, type SealHeader } from './header.ts';
import { isSignedBy, keyId, type PublicKey, printKeyId } from './keys.ts';
import { quoted, reason, reasonOf, refusal, type SealReason } from './reason.ts';
import { checkReceipts, type ReceiptVerdict } from './receipts.ts';
import { judgeRevocation, type Revocation } from './revoked.ts';
import { sha256 } from './seal.ts';
import { judgeSigner, principalOf } from './trust.ts';

/** Our name in `namespaces=` of the allowed signers. */
export const NAMESPACE = 'agent-blame';

export interface SealQuestion {
  readonly cose: Uint8Array;
  /** The sealed bytes, where the seal does not carry them. */
  readonly payload?: Uint8Array;
  readonly signers: readonly AllowedSigner[];
  /** Lines that allow nobody: a refusal names the one that was meant to. */
  readonly problems?: readonly SignerProblem[];
  readonly revocation?: Revocation;
  /** In milliseconds. */
  readonly now: number;
  readonly namespace?: string;
  /** What the seal has to be about. */
  readonly subject?: string;
  readonly home?: Home;
  /** When the sealed bytes say that they were made, in milliseconds. */
  readonly madeAt?: (content: Uint8Array) => number | undefined;
}

/** The commit that a record is read for, and the one that the record's own words name: `open` where they leave it to others. */
export interface Home {
  readonly commit: string;
  readonly named: 'commit' | 'other' | 'open';
  /** When the commit was made, in milliseconds: no seal can name it before. */
  readonly madeAt?: number;
}

/** What a seal proves; what follows from it is decided elsewhere. */
export interface SealVerdict {
  readonly ok: boolean;
  /** Why not; empty when `ok`. */
  readonly reasons: readonly SealReason[];
  /** The header's words, only once a signature by a key of the allowed signers was found good. */
  readonly proven?: ProvenSeal;
  /** When the signer says to have sealed, in milliseconds: a claim, nobody else was there. */
  readonly at?: number;
  /** The key that the seal names, as a fingerprint: a claim. */
  readonly kid?: string;
  /** Trace metadata, label 100: never more than a claim. */
  readonly claimed?: ReadonlyMap<unknown, unknown>;
  /** Certificates that the seal carries; nobody has looked at them. */
  readonly certificates: number;
  readonly receipts: readonly ReceiptVerdict[];
  /** The proven bytes, only when `ok`. */
  readonly payload?: Uint8Array;
}

export interface ProvenSeal {
  /** Fingerprint of the key. */
  readonly signer: string;
  /** The issuer without `mailto:`. Believe it only when the verdict is `ok`: the key may not be allowed for it. */
  readonly principal: string;
  readonly alg: SealHeader['alg']['name'];
  readonly subject: string;
  readonly contentType?: string | number;
  readonly hashed: boolean;
}

export function verifySeal(question: SealQuestion): SealVerdict {
  try {
    return judge(question, decodeSign1(question.cose));
  } catch (error) {
    const found = reasonOf(error);
    if (!found) throw error;
    return refusedSeal(found);
  }
}

/** A seal of which nothing else is known. */
export function refusedSeal(why: SealReason): SealVerdict {
  return { ok: false, reasons: [why], certificates: 0, receipts: [] };
}

function judge(question: SealQuestion, sign1: Sign1): SealVerdict {
  const shown = showUnproven(sign1);
  try {
    const header = readHeader(sign1);
    const { signed, content } = findPayload(sign1, header, question.payload);
    const { signers, problems = [], revocation } = question;
    const signer = findSigner({ sign1, header, signed, signers, problems });
    const receipts = checkReceipts(sign1, { signers, ...(revocation && { revocation }) });
    const home = judgeHome(header, question.home);
    const made = [question.madeAt?.(content), ...(home.length === 0 ? [question.home?.madeAt] : [])];
    const reasons = [
      ...judgeMetadata(sign1, header, content),
      ...judgeTimes(header, question.now),
      ...judgeMaking(header, made),
      ...judgeSubject(header, question.subject),
      ...home,
      ...judgeRevocation(revocation, signer),
      ...judgeSigner(signers, signer, {
        principal: principalOf(header.issuer),
        namespace: question.namespace ?? NAMESPACE,
        at: header.issuedAt ?? question.now,
      }),
      ...receipts.flatMap((receipt) => (receipt.state === 'wrong' ? [reason('receipt-wrong', receipt.problem)] : [])),
    ];
    const ok = reasons.length === 0;
    const at = header.issuedAt;
    const said = { ...shown, ...(at !== undefined && { at }) };
    return { ok, reasons, ...said, receipts, proven: proven(header, signer), ...(ok && { payload: content }) };
  } catch (error) {
    const found = reasonOf(error);
    if (!found) throw error;
    return { ...refusedSeal(found), ...shown };
  }
}

function showUnproven({ header, unprotected }: Sign1): Pick<SealVerdict, 'kid' | 'claimed' | 'certificates'> {
  const kid = header.get(LABEL.kid);
  const claimed = unprotected.get(LABEL.traceMetadata);
  const chain = header.get(LABEL.x5chain) ?? unprotected.get(LABEL.x5chain);
  return {
    ...(kid instanceof Uint8Array && kid.length === 32 && { kid: printKeyId(kid) }),
    ...(claimed instanceof Map && { claimed }),
    certificates: Array.isArray(chain) ? chain.length : chain === undefined ? 0 : 1,
  };
}

interface FoundPayload {
  /** What the signature is over. */
  readonly signed: Uint8Array;
  /** What was sealed. */
  readonly content: Uint8Array;
}

/** Bytes that the seal carries and others beside it: whoever accepts both verifies one and reads the other. */
function findPayload({ payload }: Sign1, { hashed }: SealHeader, given: Uint8Array | undefined): FoundPayload {
  if (!hashed) {
    if (payload && given) throw refusal('payload-twice');
    const content = payload ?? given;
    if (!content) throw refusal('payload-missing');
    return { signed: content, content };
  }
  if (!given) throw refusal('payload-missing', 'the seal carries only their hash');
  const digest = sha256(given);
  if (payload && Buffer.compare(payload, digest) !== 0) throw refusal('payload-differs');
  return { signed: digest, content: given };
}

/** Seals of others may name no key, or name it in their own way: then every key is tried, up to this many. */
const MAX_TRIED = 256;

interface Search {
  readonly sign1: Sign1;
  readonly header: SealHeader;
  readonly signed: Uint8Array;
  readonly signers: readonly AllowedSigner[];
  readonly problems: readonly SignerProblem[];
}

/** The key whose signature it is. */
function findSigner({ sign1, header, signed, signers, problems }: Search): PublicKey {
  const { kid, alg } = header;
  const named = kid?.length === 32;
  const lines = named ? signers.filter(({ blob }) => Buffer.compare(keyId(blob), kid) === 0) : signers;
  const [first] = lines;
  if (named && !first) throw unknownSigner(kid, problems);
  const fit = new Map(
    lines.flatMap(({ key }) => (key?.type === alg.type ? [[Buffer.from(key.blob).toString('latin1'), key]] : [])),
  );
  if (named && first && fit.size === 0) {
    throw refusal('key-unfit', `${quoted(first.type)} on line ${first.line}, with ${alg.name}`);
  }
  const bytes = sigStructure(sign1.protectedBytes, signed);
  const tried = [...fit.values()].slice(0, MAX_TRIED);
  const found = tried.find((key) => isSignedBy(key, { bytes, signature: sign1.signature }));
  if (found) return found;
  throw named ? refusal('signature-wrong') : refusal('signer-unknown', 'the seal names none, and none fits');
}

function unknownSigner(kid: Uint8Array, problems: readonly SignerProblem[]): Error {
  const meant = problems.find(({ blob }) => blob && Buffer.compare(keyId(blob), kid) === 0);
  return meant
    ? refusal('line-unread', `line ${meant.line}: ${meant.message}`)
    : refusal('signer-unknown', printKeyId(kid));
}

/** Ours are bound to the header; of others at least the hash is compared. */
function judgeMetadata(
  { unprotected }: Sign1,
  { metadataHash }: SealHeader,
  content: Uint8Array,
): readonly SealReason[] {
  const metadata = unprotected.get(LABEL.traceMetadata);
  const differs = [reason('metadata-differs')];
  if (metadataHash) {
    if (metadata === undefined || Buffer.compare(sha256(encodeCbor(metadata)), metadataHash) !== 0) return differs;
  }
  if (!(metadata instanceof Map)) return metadata === undefined ? [] : differs;
  const [hash, alg = 'sha-256'] = [
    metadata.get('content-hash') as unknown,
    metadata.get('content-hash-alg') as unknown,
  ];
  if (hash === undefined || alg !== 'sha-256') return [];
  return hash === Buffer.from(sha256(content)).toString('hex') ? [] : differs;
}

/** Clocks differ. */
const SKEW = 5 * 60_000;

function judgeTimes({ issuedAt, notBefore, expires }: SealHeader, now: number): readonly SealReason[] {
  const iso = (at: number) => new Date(at).toISOString();
  return [
    ...(issuedAt !== undefined && issuedAt > now + SKEW ? [reason('issued-ahead', iso(issuedAt))] : []),
    ...(notBefore !== undefined && notBefore > now + SKEW ? [reason('seal-early', iso(notBefore))] : []),
    ...(expires !== undefined && expires <= now ? [reason('seal-expired', iso(expires))] : []),
  ];
}

/** Of the clocks of one person, or of one team. */
const MAKING_SKEW = 60_000;

/** A key that has run out could seal on by setting its time back: not to before there was anything to seal. */
function judgeMaking({ issuedAt }: SealHeader, made: readonly (number | undefined)[]): readonly SealReason[] {
  if (issuedAt === undefined) return [];
  const iso = (at: number) => new Date(at).toISOString();
  if (issuedAt < 0) return [reason('issued-before', iso(issuedAt))];
  const last = Math.max(...made.filter((at) => at !== undefined), 0);
  return issuedAt < last - MAKING_SKEW ? [reason('issued-before', `${iso(issuedAt)}, and it is of ${iso(last)}`)] : [];
}

function judgeSubject({ subject }: SealHeader, wanted: string | undefined): readonly SealReason[] {
  return wanted === undefined || wanted === subject ? [] : [reason('subject-differs', quoted(subject))];
}

/** What is signed for one commit proves nothing of another, to which anybody can copy it. */
function judgeHome({ commit }: SealHeader, home: Home | undefined): readonly SealReason[] {
  if (!home) return [];
  if (home.named === 'other') return [reason('commit-differs')];
  if (commit !== undefined) return commit === home.commit ? [] : [reason('commit-differs', quoted(commit))];
  return home.named === 'commit' ? [] : [reason('commit-unsaid')];
}

/** What a seal says that has no bytes to be held against; undefined where it is no seal. */
export function readUnproven(cose: Uint8Array): { readonly subject: string; readonly kid?: string } | undefined {
  try {
    const sign1 = decodeSign1(cose);
    const { subject } = readHeader(sign1);
    const { kid } = showUnproven(sign1);
    return { subject, ...(kid !== undefined && { kid }) };
  } catch (error) {
    if (reasonOf(error)) return undefined;
    throw error;
  }
}

function proven(header: SealHeader, key: PublicKey): ProvenSeal {
  const { alg, subject, hashed, contentType } = header;
  return {
    signer: printKeyId(keyId(key.blob)),
    principal: principalOf(header.issuer),
    alg: alg.name,
    subject,
    hashed,
    ...(contentType !== undefined && { contentType }),
  };
}
