import { findKeyLine, keyId, type PublicKey, printKeyId } from './keys.ts';
import { quoted, reason, type SealReason } from './reason.ts';

/** What git's `gpg.ssh.revocationFile` says of the keys of the allowed signers. */
export interface Revocation {
  /** As the setting has it. */
  readonly file: string;
  /** Fingerprints of the revoked keys. */
  readonly keys: ReadonlySet<string>;
  /** Why not all of it is known: then no key is believed. */
  readonly problem?: string;
}

/** The binary form, a key revocation list, begins so (PROTOCOL.krl of OpenSSH); anything else is a list of public keys. */
const KRL_MAGIC = Buffer.from('SSHKRL\n\0', 'latin1');

export function isKrl(bytes: Uint8Array): boolean {
  return Buffer.compare(bytes.subarray(0, KRL_MAGIC.length), KRL_MAGIC) === 0;
}

/** A public key on each line. One that is not understood may be meant for any key, as for ssh-keygen. */
export function parseRevokedKeys(text: string): Omit<Revocation, 'file'> {
  const keys = new Set<string>();
  let problem: string | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const found = findKeyLine(line);
    if (found) keys.add(printKeyId(keyId(found.blob)));
    else problem ??= `line ${index + 1} is no public key`;
  }
  return { keys, ...(problem !== undefined && { problem }) };
}

/** The answer of `ssh-keygen -Q` about the keys in the files `0.pub`, `1.pub` ..., in the order of `asked`. */
export function parseKrlAnswer(out: string, asked: readonly PublicKey[]): Omit<Revocation, 'file'> {
  const said = new Map(
    [...out.matchAll(/^(\d+)\.pub\b.*: (ok|REVOKED)\r?$/gm)].map(([, index, word]) => [Number(index), word]),
  );
  const names = asked.map(({ blob }) => printKeyId(keyId(blob)));
  const silent = names.find((_, index) => !said.has(index));
  return {
    keys: new Set(names.filter((_, index) => said.get(index) === 'REVOKED')),
    ...(silent !== undefined && { problem: `ssh-keygen says nothing of ${silent}` }),
  };
}

export function judgeRevocation(revocation: Revocation | undefined, { blob }: PublicKey): readonly SealReason[] {
  if (!revocation) return [];
  const { file, keys, problem } = revocation;
  const name = printKeyId(keyId(blob));
  if (keys.has(name)) return [reason('key-revoked', `${name}, by ${quoted(file)}`)];
  return problem === undefined ? [] : [reason('revocation-unread', `${quoted(file)}: ${problem}`)];
}
