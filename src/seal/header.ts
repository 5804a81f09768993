import { type HeaderMap, LABEL, type Sign1 } from './cose.ts';
import { type Algorithm, findAlgorithm } from './keys.ts';
import { quoted, refusal } from './reason.ts';

/** A protected header that keeps to the profile: its words are the signer's once the signature has been checked. */
export interface SealHeader {
  readonly alg: Algorithm;
  readonly kid?: Uint8Array;
  /** Of the sealed bytes, also where only their hash is signed. */
  readonly contentType?: string | number;
  /** Only the SHA-256 of the bytes is signed. */
  readonly hashed: boolean;
  readonly issuer: string;
  readonly subject: string;
  /** Times in milliseconds. */
  readonly issuedAt?: number;
  readonly notBefore?: number;
  readonly expires?: number;
  /** SHA-256 of the trace metadata, deterministically encoded; only in our seals. */
  readonly metadataHash?: Uint8Array;
  /** The commit whose record is sealed; only in our seals of notes. */
  readonly commit?: string;
}

/** Our one label of our own in a protected header. */
export const OWN_LABEL = 'dev.git-agent-blame';
export const SHA_256 = -16;

const UNDERSTOOD = new Set<unknown>([
  LABEL.alg,
  LABEL.contentType,
  LABEL.kid,
  LABEL.claims,
  LABEL.hashAlg,
  LABEL.preimageType,
  LABEL.location,
  OWN_LABEL,
]);

export function readHeader({ header, unprotected }: Sign1): SealHeader {
  checkPlaces(header, unprotected);
  checkCritical(header);
  const kid = header.get(LABEL.kid);
  if (kid !== undefined && !(kid instanceof Uint8Array)) throw refusal('bad-header', 'the key id is not bytes');
  const contentType = readContentType(header);
  return {
    alg: readAlgorithm(header),
    hashed: header.has(LABEL.hashAlg),
    ...readClaims(header),
    ...(kid && { kid }),
    ...(contentType !== undefined && { contentType }),
    ...readOwn(header),
  };
}

/** What has to be protected is, and nothing is said in both headers (RFC 9052 section 3). */
function checkPlaces(header: HeaderMap, unprotected: HeaderMap): void {
  if (unprotected.has(LABEL.alg)) throw refusal('alg-unprotected');
  for (const label of header.keys()) {
    if (unprotected.has(label)) throw refusal('duplicate-label', `${quoted(String(label))} is in both headers`);
  }
  for (const label of [LABEL.crit, LABEL.claims, LABEL.hashAlg, LABEL.preimageType, LABEL.location, OWN_LABEL]) {
    if (unprotected.has(label)) throw refusal('bad-header', `label ${label} stands outside the protected header`);
  }
}

function checkCritical(header: HeaderMap): void {
  const critical = header.get(LABEL.crit);
  if (critical === undefined) return;
  if (!Array.isArray(critical) || critical.length === 0) throw refusal('bad-header', 'crit is no list of labels');
  for (const label of critical as unknown[]) {
    if (!UNDERSTOOD.has(label)) throw refusal('crit-unknown', `label ${quoted(String(label))}`);
    if (!header.has(label)) throw refusal('bad-header', `crit names ${quoted(String(label))}, which is not there`);
  }
}

function readAlgorithm(header: HeaderMap): Algorithm {
  const id = header.get(LABEL.alg);
  if (id === undefined) throw refusal('alg-missing');
  const alg = findAlgorithm(id);
  if (!alg) throw refusal('alg-unknown', quoted(String(id)));
  return alg;
}

/** RFC 9995: with a hash, label 3 would speak of the hash, and must not be there at all. */
function readContentType(header: HeaderMap): string | number | undefined {
  const hashAlg = header.get(LABEL.hashAlg);
  if (hashAlg !== undefined && hashAlg !== SHA_256) throw refusal('hash-unknown', quoted(String(hashAlg)));
  const [own, other] =
    hashAlg === undefined ? [LABEL.contentType, LABEL.preimageType] : [LABEL.preimageType, LABEL.contentType];
  if (header.has(other)) throw refusal('bad-header', `label ${other} has no place in such a seal`);
  const type = header.get(own);
  if (type === undefined || typeof type === 'string') return type;
  if (typeof type === 'number' && Number.isSafeInteger(type) && type >= 0) return type;
  throw refusal('bad-header', 'the content type is neither text nor number');
}

function readOwn(header: HeaderMap): Pick<SealHeader, 'metadataHash' | 'commit'> {
  const own = header.get(OWN_LABEL);
  if (own === undefined) return {};
  if (!(own instanceof Map)) throw refusal('bad-header', `${OWN_LABEL} is no map`);
  const [hash, commit] = [own.get('trace-metadata') as unknown, own.get('commit') as unknown];
  if (hash !== undefined && (!(hash instanceof Uint8Array) || hash.length !== 32)) {
    throw refusal('bad-header', 'the hash of the trace metadata is not 32 bytes');
  }
  if (commit !== undefined && typeof commit !== 'string') throw refusal('bad-header', 'the commit is no text');
  return { ...(hash && { metadataHash: hash }), ...(commit !== undefined && { commit }) };
}

type Claims = Pick<SealHeader, 'issuer' | 'subject' | 'issuedAt' | 'notBefore' | 'expires'>;

/** RFC 8392: 1 issuer, 2 subject, 4 expires, 5 not before, 6 issued at. */
function readClaims(header: HeaderMap): Claims {
  const claims = header.get(LABEL.claims);
  if (!(claims instanceof Map)) throw refusal('claims-missing');
  const [issuer, subject] = [claims.get(1) as unknown, claims.get(2) as unknown];
  if (typeof issuer !== 'string' || typeof subject !== 'string') throw refusal('claims-missing');
  const [expires, notBefore, issuedAt] = [readTime(claims.get(4)), readTime(claims.get(5)), readTime(claims.get(6))];
  return {
    issuer,
    subject,
    ...(issuedAt !== undefined && { issuedAt }),
    ...(notBefore !== undefined && { notBefore }),
    ...(expires !== undefined && { expires }),
  };
}

/** The last second that a date can tell. */
const MAX_SECONDS = 8.64e12;

function readTime(seconds: unknown): number | undefined {
  if (seconds === undefined) return undefined;
  if (typeof seconds === 'number' && Math.abs(seconds) <= MAX_SECONDS) return seconds * 1000;
  throw refusal('bad-header', 'a claim of time is no number of seconds');
}
