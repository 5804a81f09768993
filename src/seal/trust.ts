import type { AllowedSigner } from './allowed-signers.ts';
import { type PublicKey, printKey } from './keys.ts';
import { matchesList } from './pattern.ts';
import { quoted, reason, type SealReason } from './reason.ts';

export interface Use {
  readonly principal: string;
  readonly namespace: string;
  /** When the key was used, in milliseconds: as with git, what the signed thing says itself. */
  readonly at: number;
}

/** Longer than any address; patterns are tried against it. */
const MAX_PRINCIPAL = 1024;

export function principalOf(issuer: string): string {
  return issuer.replace(/^mailto:/i, '');
}

/** Empty where one line allows the use; else what each line with the key has against it. */
export function judgeSigner(signers: readonly AllowedSigner[], key: PublicKey, use: Use): readonly SealReason[] {
  const lines = signers.filter(({ blob }) => Buffer.compare(blob, key.blob) === 0);
  const judged = lines.map((line) => judgeLine(line, use));
  if (judged.some((reasons) => reasons.length === 0)) return [];
  return lines.length > 0 ? judged.flat() : [reason('signer-unknown', printKey(key))];
}

function judgeLine(signer: AllowedSigner, { principal, namespace, at }: Use): SealReason[] {
  const { line, authority, namespaces, validAfter, validBefore, principals } = signer;
  const reasons: SealReason[] = [];
  const where = `line ${line} of the allowed signers`;
  const iso = (time: number) => new Date(time).toISOString();
  if (authority) reasons.push(reason('authority', where));
  if (namespaces !== undefined && !matchesList(namespace, namespaces)) {
    reasons.push(reason('namespace', `${where} has namespaces=${quoted(namespaces)}, and ${namespace} is not in it`));
  }
  if (validAfter !== undefined && at < validAfter)
    reasons.push(reason('key-early', `${where}, from ${iso(validAfter)}`));
  if (validBefore !== undefined && at > validBefore) {
    reasons.push(reason('key-expired', `${where}, until ${iso(validBefore)}`));
  }
  if (principal.length > MAX_PRINCIPAL || !matchesList(principal, principals)) {
    reasons.push(reason('principal', `${quoted(principal)}, and ${where} has ${quoted(principals)}`));
  }
  return reasons;
}

/** Whether a line names the namespace itself: a line without any is for people, not for logs. */
export function isNamedFor({ namespaces, authority }: AllowedSigner, namespace: string): boolean {
  return !authority && namespaces !== undefined && matchesList(namespace, namespaces);
}
