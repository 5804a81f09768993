import { findRepository } from '../git/repository.ts';
import type { ReasonCode } from '../seal/reason.ts';
import { plain } from '../terminal/plain.ts';
import type { World } from './command.ts';

export interface SignedVerdict {
  /** The bytes are not those that were signed, or the seal is of a form that no reader may take. */
  readonly unsound: boolean;
  readonly remark: string;
}

/** Reasons that say more than that nobody here knows the key, or that the seal is not made for us. */
const UNSOUND: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  ...(['signature-wrong', 'payload-differs', 'metadata-differs'] as const),
  ...(['too-large', 'not-cbor', 'trailing-bytes', 'not-sign1', 'duplicate-label', 'bad-header'] as const),
  ...(['alg-missing', 'alg-unprotected', 'crit-unknown'] as const),
]);

/** Whether the signature is one of git's allowed signers': said, and no more; policies are for others. */
export async function judgeSigned(world: World, cose: Uint8Array): Promise<SignedVerdict> {
  const [{ verifySeal }, { signersOf }, { vacMadeAt }] = await Promise.all([
    import('../seal/verify.ts'),
    import('./seals.ts'),
    import('../vac/made-at.ts'),
  ]);
  const { allowed } = await signersOf(world, await findRepository(world.cwd));
  const { ok, proven, reasons } = verifySeal({ cose, ...allowed, now: world.now(), madeAt: vacMadeAt });
  if (ok) return { unsound: false, remark: `signed by ${plain(proven?.principal ?? '')}: verified` };
  const why = reasons.map(({ message }) => message).join(' ');
  return { unsound: reasons.some(({ code }) => UNSOUND.has(code)), remark: `signed, not verified: ${plain(why)}` };
}
