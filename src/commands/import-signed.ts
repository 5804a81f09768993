import { findRepository } from '../git/repository.ts';
import { plain } from '../terminal/plain.ts';
import type { World } from './command.ts';

export interface SignedVerdict {
  /** The bytes are not those that were signed. */
  readonly forged: boolean;
  readonly remark: string;
}

/** Reasons that say more than that nobody here knows the key. */
const FORGED = new Set(['signature-wrong', 'payload-differs', 'metadata-differs']);

/** Whether the signature is one of git's allowed signers': said, and no more; policies are for others. */
export async function judgeSigned(world: World, cose: Uint8Array): Promise<SignedVerdict> {
  const [{ verifySeal }, { signersOf }, { vacMadeAt }] = await Promise.all([
    import('../seal/verify.ts'),
    import('./seals.ts'),
    import('../vac/made-at.ts'),
  ]);
  const { allowed } = await signersOf(world, await findRepository(world.cwd));
  const { ok, proven, reasons } = verifySeal({ cose, ...allowed, now: world.now(), madeAt: vacMadeAt });
  if (ok) return { forged: false, remark: `signed by ${plain(proven?.principal ?? '')}: verified` };
  const why = reasons.map(({ message }) => message).join(' ');
  return { forged: reasons.some(({ code }) => FORGED.has(code)), remark: `signed, not verified: ${plain(why)}` };
}
