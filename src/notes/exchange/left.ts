import { Fault } from '../../fault.ts';
import type { Peer } from './peer.ts';
import { safe } from './transport.ts';

/** A ref of ours that an exchange leaves alone, and why. */
export type Left =
  | { readonly ref: string; readonly kind: 'odd here' | 'odd there' }
  | { readonly ref: string; readonly kind: 'lacking' /** The commit of a note. */; readonly note: string };

interface Types {
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

/** What anybody can put in the place of notes: a ref that is no history. Where we have nothing to push, nothing is left. */
export function whatIsOdd(ref: string, { ours, theirs }: Types): Left | undefined {
  if (ours === undefined) return undefined;
  if (isOdd(ours)) return { ref, kind: 'odd here' };
  return theirs !== undefined && isOdd(theirs) ? { ref, kind: 'odd there' } : undefined;
}

/** What cannot be read is damaged, and whoever reads it says so. */
export function isOdd(type: string): boolean {
  return type !== 'commit' && type !== 'missing';
}

export function leftFault(peer: Peer, left: readonly Left[]): Fault {
  const who = safe(peer.name);
  const words = left.map((one) => sayLeft(one, who)).join('; ');
  return new Fault('refused', `${words}; then run git agent sync ${who}. Everything else is there.`, {
    left: left.map(({ ref }) => ref),
  });
}

function sayLeft(left: Left, who: string): string {
  const { ref } = left;
  switch (left.kind) {
    case 'odd here':
      return `${ref} was not pushed, it is no history here: git update-ref -d ${ref} takes it away`;
    case 'odd there':
      return `${ref} was not pushed, ${who} has something else there: git push ${who} --delete ${ref} takes that away`;
    case 'lacking':
      return `${ref} was not pushed, the note of ${left.note} is neither here nor at ${who}: git fsck names the damage, git agent fetch REMOTE gets it from another remote`;
  }
}
