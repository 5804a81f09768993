import type { AllowedSigner, AllowedSigners } from './allowed-signers.ts';
import { decodeCbor } from './cbor.ts';
import { decodeSign1, encodeSign1, LABEL, parseSign1, type Sign1, sigStructure } from './cose.ts';
import { findAlgorithm, isSignedBy, keyId, type PublicKey, printKeyId } from './keys.ts';
import { detailOf, quoted, refusal } from './reason.ts';
import { judgeRevocation } from './revoked.ts';
import { sha256 } from './seal.ts';
import { isNamedFor } from './trust.ts';

/** In `namespaces=` of a line of the allowed signers: the key of a log, whose receipts are believed. */
export const RECEIPT_NAMESPACE = 'agent-receipt';

/** A receipt of a transparency log (RFC 9942): that the seal is in the log. */
export type ReceiptVerdict =
  | { readonly state: 'proven'; readonly signer: string; readonly treeSize: number; readonly leaf: number }
  /** Kept, and neither good nor bad; `line` is one of the allowed signers that has the key, but not for receipts. */
  | { readonly state: 'unknown-key'; readonly kid?: string; readonly line?: number }
  | { readonly state: 'wrong'; readonly problem: string };

const MAX_RECEIPTS = 64;
/** RFC9162_SHA256, the one verifiable data structure that is registered. */
const RFC9162_SHA256 = 1;
const INCLUSION = -1;

/** Whose receipts are believed. */
type Trusted = Pick<AllowedSigners, 'signers' | 'revocation'>;

export function checkReceipts(seal: Sign1, trusted: Trusted): ReceiptVerdict[] {
  const list = seal.unprotected.get(LABEL.receipts);
  if (list === undefined) return [];
  if (!Array.isArray(list) || list.length === 0) throw refusal('bad-header', 'receipts are no list');
  if (list.length > MAX_RECEIPTS) throw refusal('bad-header', `more than ${MAX_RECEIPTS} receipts`);
  const leaf = leafHash(seal);
  return list.map((item: unknown) => checkReceipt(item, leaf, trusted));
}

/** The seal as it was before anything was added to it, as a leaf of the tree. */
function leafHash(seal: Sign1): Uint8Array {
  return sha256(Buffer.concat([Uint8Array.of(0), encodeSign1({ ...seal, unprotected: new Map() })]));
}

function checkReceipt(item: unknown, leaf: Uint8Array, trusted: Trusted): ReceiptVerdict {
  try {
    // the draft has it both ways: bytes, or the message itself
    const receipt = item instanceof Uint8Array ? decodeSign1(item) : parseSign1(item);
    const lines = linesFor(receipt, trusted.signers);
    const logs = lines.filter((line) => isNamedFor(line, RECEIPT_NAMESPACE));
    if (logs.length === 0) return unknownKey(receipt, lines);
    const known = fitting(receipt, logs);
    return prove(receipt, leaf, { known, ...trusted });
  } catch (error) {
    const problem = detailOf(error, 'receipt-wrong');
    if (problem === undefined) throw error;
    return { state: 'wrong', problem };
  }
}

/** The lines whose key may have signed the receipt: the one that it names, whatever its kind; else all of the kind that it needs. */
function linesFor({ header }: Sign1, signers: readonly AllowedSigner[]): AllowedSigner[] {
  const kid = header.get(LABEL.kid);
  if (kid instanceof Uint8Array) return signers.filter(({ blob }) => Buffer.compare(keyId(blob), kid) === 0);
  const type = findAlgorithm(header.get(LABEL.alg))?.type;
  return signers.filter(({ key }) => key !== undefined && key.type === type);
}

/** A receipt that names the key of a log, and an algorithm that this key has not, is not by that log. */
function fitting({ header }: Sign1, logs: readonly AllowedSigner[]): PublicKey[] {
  const alg = findAlgorithm(header.get(LABEL.alg));
  if (!alg) throw refusal(header.has(LABEL.alg) ? 'alg-unknown' : 'alg-missing');
  const fit = logs.flatMap(({ key }) => (key?.type === alg.type ? [key] : []));
  const [first] = logs;
  if (fit.length > 0 || !first) return fit;
  throw refusal('receipt-wrong', `it names the key on line ${first.line}, ${quoted(first.type)}, and ${alg.name}`);
}

function unknownKey({ header }: Sign1, [line]: readonly AllowedSigner[]): ReceiptVerdict {
  const kid = header.get(LABEL.kid);
  if (!(kid instanceof Uint8Array) || kid.length !== 32) return { state: 'unknown-key' };
  return { state: 'unknown-key', kid: printKeyId(kid), ...(line && { line: line.line }) };
}

function prove(
  receipt: Sign1,
  leaf: Uint8Array,
  { known, revocation }: Trusted & { readonly known: readonly PublicKey[] },
): ReceiptVerdict {
  if (receipt.header.has(LABEL.crit)) throw refusal('crit-unknown');
  if (receipt.header.get(LABEL.dataStructure) !== RFC9162_SHA256)
    throw refusal('receipt-wrong', 'an unknown kind of tree');
  const proofs = receipt.unprotected.get(LABEL.proofs);
  const inclusion: unknown = proofs instanceof Map ? proofs.get(INCLUSION) : undefined;
  const [first]: unknown[] = Array.isArray(inclusion) ? inclusion : [];
  const proof = parseProof(first);
  const root = rootOf(leaf, proof);
  if (receipt.payload && Buffer.compare(receipt.payload, root) !== 0) throw refusal('receipt-wrong', 'another root');
  const bytes = sigStructure(receipt.protectedBytes, root);
  const key = known.find((one) => isSignedBy(one, { bytes, signature: receipt.signature }));
  if (!key) throw refusal('signature-wrong');
  const [revoked] = judgeRevocation(revocation, key);
  if (revoked) throw refusal('receipt-wrong', revoked.message.replace(/\.$/, ''));
  return { state: 'proven', signer: printKeyId(keyId(key.blob)), treeSize: proof.size, leaf: proof.index };
}

interface InclusionProof {
  readonly size: number;
  readonly index: number;
  readonly path: readonly Uint8Array[];
}

function parseProof(bytes: unknown): InclusionProof {
  const value = bytes instanceof Uint8Array ? decodeCbor(bytes) : undefined;
  const [size, index, path]: unknown[] = Array.isArray(value) ? value : [];
  const wrong = refusal('receipt-wrong', 'there is no proof of inclusion in it');
  if (!isCount(size) || !isCount(index) || index >= size || !Array.isArray(path) || path.length > 64) throw wrong;
  const hashes = path.filter((one: unknown): one is Uint8Array => one instanceof Uint8Array && one.length === 32);
  if (hashes.length !== path.length) throw wrong;
  return { size, index, path: hashes };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** RFC 9162 section 2.1.3.2. Halves by division: sizes may be beyond 32 bits. */
function rootOf(leaf: Uint8Array, { size, index, path }: InclusionProof): Uint8Array {
  let [place, last, root] = [index, size - 1, leaf];
  const up = () => {
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  };
  for (const hash of path) {
    if (last === 0) throw refusal('receipt-wrong', 'its path is too long');
    if (place % 2 === 1 || place === last) {
      root = nodeHash(hash, root);
      while (place % 2 === 0 && place !== 0) up();
    } else root = nodeHash(root, hash);
    up();
  }
  if (last !== 0) throw refusal('receipt-wrong', 'its path is too short');
  return root;
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Uint8Array.of(1), left, right]));
}
