import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AllowedSigner } from '../../src/seal/allowed-signers.ts';
import { encodeCbor } from '../../src/seal/cbor.ts';
import { printReceipt } from '../../src/seal/claim.ts';
import { addReceipt, decodeSign1, encodeSign1, LABEL, sigStructure } from '../../src/seal/cose.ts';
import { keyId, printKeyId } from '../../src/seal/keys.ts';
import { verifySeal } from '../../src/seal/verify.ts';
import { AT, allow, METADATA, newPair, type Pair, RECORD, sealWith } from './ada.ts';

const hash = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 9162 section 2.1.1, word for word: the tree is cut at the largest power of two below its size. */
function root(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (leaves.length === 1 && only) return only;
  const cut = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return hash(Uint8Array.of(1), root(leaves.slice(0, cut)), root(leaves.slice(cut)));
}

/** Section 2.1.3.1. */
function pathTo(index: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return [];
  const cut = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return index < cut
    ? [...pathTo(index, leaves.slice(0, cut)), root(leaves.slice(cut))]
    : [...pathTo(index - cut, leaves.slice(cut)), root(leaves.slice(0, cut))];
}

interface Issue {
  readonly index: number;
  readonly leaves: readonly Uint8Array[];
  readonly size?: number;
  readonly structure?: number;
  /** Instead of those of the key that signs. */
  readonly alg?: number;
  readonly kid?: Uint8Array;
}

function issue(log: Pair, { index, leaves, size = leaves.length, structure = 1, ...header }: Issue): Uint8Array {
  const protectedBytes = encodeCbor(
    new Map<number, unknown>([
      [LABEL.alg, header.alg ?? (log.key.type === 'ssh-ed25519' ? -8 : -7)],
      [LABEL.kid, header.kid ?? keyId(log.key.blob)],
      [LABEL.dataStructure, structure],
    ]),
  );
  const proof = encodeCbor([size, index, pathTo(index, leaves)]);
  const unprotected = new Map([[LABEL.proofs, new Map([[-1, [proof]]])]]);
  const signature = log.sign(sigStructure(protectedBytes, root(leaves)));
  return encodeSign1({ protectedBytes, unprotected, payload: null, signature });
}

describe('receipts', () => {
  const [ada, log] = [newPair('ssh-ed25519'), newPair('ecdsa-sha2-nistp256')];
  const signers = [...allow(ada), ...allow(log, 'namespaces="agent-receipt"', 'log.example.com')];
  const seal = sealWith(ada, RECORD, { form: 'attached', metadata: METADATA });
  const leaf = hash(Uint8Array.of(0), encodeSign1({ ...decodeSign1(seal), unprotected: new Map() }));
  const others = (count: number) => Array.from({ length: count }, (_, i) => hash(Buffer.from(`leaf ${i}`)));
  const tree = (size: number, index: number) => others(size).with(index, leaf);
  const verdict = (receipt: Uint8Array, by: readonly AllowedSigner[] = signers) =>
    verifySeal({ cose: addReceipt(seal, receipt), signers: by, now: AT });

  it('are proven at every place of trees of every size', () => {
    for (let size = 1; size <= 9; size++) {
      for (let index = 0; index < size; index++) {
        expect(verdict(issue(log, { index, leaves: tree(size, index) }))).toMatchObject({
          ok: true,
          receipts: [{ state: 'proven', treeSize: size, leaf: index }],
        });
      }
    }
  });

  it('may stand in the header as they are, too', () => {
    const sign1 = decodeSign1(seal);
    const receipt = issue(log, { index: 0, leaves: tree(2, 0) });
    const bytes = encodeSign1({ ...sign1, unprotected: new Map(sign1.unprotected).set(LABEL.receipts, ['here']) });
    const at = Buffer.from(bytes).indexOf(encodeCbor('here'));
    const cose = Buffer.concat([bytes.subarray(0, at), receipt, bytes.subarray(at + encodeCbor('here').length)]);
    expect(verifySeal({ cose, signers, now: AT })).toMatchObject({ ok: true, receipts: [{ state: 'proven' }] });
  });

  it.each<[string, Uint8Array]>([
    ['of another seal', issue(log, { index: 1, leaves: others(4) })],
    ['for another place', issue(log, { index: 2, leaves: tree(4, 1) })],
    ['of a tree of another size', issue(log, { index: 1, leaves: tree(4, 1), size: 9 })],
    ['of a place beyond the tree', issue(log, { index: 1, leaves: tree(4, 1), size: 1 })],
    ['of another kind of tree', issue(log, { index: 1, leaves: tree(4, 1), structure: 2 })],
    [
      'without a proof',
      encodeSign1({ ...decodeSign1(issue(log, { index: 0, leaves: [leaf] })), unprotected: new Map() }),
    ],
  ])('%s are refused', (_, receipt) => {
    const { ok, reasons, receipts } = verdict(receipt);
    expect({ ok, reasons, receipts }).toMatchObject({
      ok: false,
      reasons: [{ code: 'receipt-wrong' }],
      receipts: [{ state: 'wrong' }],
    });
    // what is wrong is said once
    expect(reasons[0]?.message.match(/does not prove what it claims/g)).toHaveLength(1);
  });

  it.each<[string, string, Pair, Partial<Issue>]>([
    ['a key of another kind', 'it names the key on line 1, "ecdsa-sha2-nistp256", and EdDSA', ada, {}],
    ['another algorithm', 'it names the key on line 1, "ecdsa-sha2-nistp256", and Ed25519', log, { alg: -19 }],
    ['an unknown algorithm', 'the algorithm is not one of EdDSA, Ed25519, ES256 and ESP256', log, { alg: -35 }],
    ['another key', 'the signature is not that of', newPair('ecdsa-sha2-nistp256'), {}],
  ])('that name a log, and are by %s, are refused', (_, problem, pair, header) => {
    const receipt = issue(pair, { index: 1, leaves: tree(4, 1), kid: keyId(log.key.blob), ...header });
    const { ok, reasons, receipts } = verdict(receipt);
    expect({ ok, reasons, receipts }).toMatchObject({
      ok: false,
      reasons: [{ code: 'receipt-wrong', message: expect.stringContaining(problem) }],
      receipts: [{ state: 'wrong', problem: expect.stringContaining(problem) }],
    });
  });

  it('by a log whose key is revoked are refused', () => {
    const name = printKeyId(keyId(log.key.blob));
    const cose = addReceipt(seal, issue(log, { index: 1, leaves: tree(4, 1) }));
    const revocation = { file: 'revoked', keys: new Set([name]) };
    const { ok, receipts } = verifySeal({ cose, signers, revocation, now: AT });
    expect([ok, ...receipts.map(printReceipt)]).toEqual([false, `WRONG: The key is revoked: ${name}, by "revoked"`]);
  });

  it('by a key that no line names for receipts are kept, and prove nothing', () => {
    const wrong = issue(log, { index: 1, leaves: others(4) });
    const told = (by: readonly AllowedSigner[]) => {
      const { ok, receipts } = verdict(wrong, by);
      return [ok, ...receipts.map(printReceipt)];
    };
    const kid = printKeyId(keyId(log.key.blob));
    const rest = 'its key with namespaces="agent-receipt"';
    expect(told(allow(ada))).toEqual([true, `not checked by ${kid}: no line of the allowed signers has ${rest}`]);
    expect(told([...allow(ada), ...allow(log)])).toEqual([true, `not checked by ${kid}: line 1 has not ${rest}`]);
  });

  it('no byte of one can be changed', () => {
    const receipt = Buffer.from(issue(log, { index: 2, leaves: tree(5, 2) }));
    const proven: number[] = [];
    for (let at = 0; at < receipt.length; at++) {
      const was = receipt[at] ?? 0;
      receipt[at] = was ^ (1 << (at % 8));
      const sign1 = decodeSign1(seal);
      const unprotected = new Map(sign1.unprotected).set(LABEL.receipts, [receipt]);
      const { receipts } = verifySeal({ cose: encodeSign1({ ...sign1, unprotected }), signers, now: AT });
      if (receipts.some(({ state }) => state === 'proven')) proven.push(at);
      receipt[at] = was;
    }
    expect(proven).toEqual([]);
  });
});
