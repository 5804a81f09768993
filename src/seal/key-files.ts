import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../fault.ts';
import { agentSigner, readAgentKeys } from './agent.ts';
import { type AllowedSigners, parseAllowedSigners } from './allowed-signers.ts';
import { findKey, findKeyLine, keyId, type PublicKey, printKeyId } from './keys.ts';
import { decodePrivateKey, isPrivateKey } from './private-key.ts';
import { quoted } from './reason.ts';
import type { Signer } from './seal.ts';

/** Where a key may be: from git's settings and the environment. */
export interface KeyPlaces {
  /** `user.signingkey`, only where `gpg.format` is `ssh`; or what `gpg.ssh.defaultKeyCommand` printed. */
  readonly signingKey?: string;
  /** The setting that it is from. */
  readonly setting?: string;
  /** SSH_AUTH_SOCK. */
  readonly socket?: string;
  readonly home: string;
  /** Where paths that do not begin at the root begin. */
  readonly folder: string;
}

const MAX_KEY_FILE = 64 * 1024;
const MAX_SIGNERS_FILE = 8 * 1024 * 1024;

/** Git's signing key, else the agent's first: through the agent where it has the key, else from the file. */
export async function openSigner(places: KeyPlaces): Promise<Signer> {
  const { socket, signingKey } = places;
  const held = await readAgentKeys(socket);
  if (!signingKey) {
    const [first] = held;
    if (first && socket) return agentSigner(socket, first);
    throw new Fault(
      'surroundings',
      'There is no key to seal with: set gpg.format to ssh and user.signingkey to a key, or add one with ssh-add.',
    );
  }
  const { key, file } = readSigningKey(signingKey, places);
  const known = key && held.find(({ blob }) => Buffer.compare(blob, key.blob) === 0);
  if (known && socket) return agentSigner(socket, known);
  if (file !== undefined) return fileSigner(file, key);
  const name = key ? printKeyId(keyId(key.blob)) : quoted(signingKey);
  throw new Fault(
    'surroundings',
    `No ssh-agent has the signing key ${name}: start one, and run ssh-add with the key's file.`,
  );
}

interface NamedKey {
  readonly key?: PublicKey;
  /** Where the private half may be. */
  readonly file?: string;
}

/** The forms of `user.signingkey` with ssh: `key::ssh-... AAAA...`, the same without `key::`, or a path to either half. */
function readSigningKey(setting: string, places: KeyPlaces): NamedKey {
  const literal = /^key::/.test(setting) ? setting.slice(5) : setting;
  if (literal !== setting || findKeyLine(literal))
    return { key: sealingKey(literal, places.setting ?? 'user.signingkey') };
  const file = fullPath(setting, places);
  const text = readText(file, MAX_KEY_FILE);
  if (isPrivateKey(text)) {
    const { key } = { key: undefined, ...decodePrivateKey(text) };
    return { file, ...(key && { key }) };
  }
  const privateFile = file.replace(/\.pub$/, '');
  const key = sealingKey(text, file);
  return privateFile !== file && fs.existsSync(privateFile) ? { key, file: privateFile } : { key };
}

function sealingKey(text: string, where: string): PublicKey {
  const key = findKey(text);
  if (key) return key;
  const type = findKeyLine(text)?.type;
  const what = type === undefined ? 'holds no key of OpenSSH' : `holds a key of type ${quoted(type)}`;
  throw new Fault('surroundings', `${where} ${what}: seals need ssh-ed25519 or ecdsa-sha2-nistp256.`);
}

function fileSigner(file: string, wanted: PublicKey | undefined): Signer {
  checkPermissions(file);
  const found = decodePrivateKey(readText(file, MAX_KEY_FILE));
  switch (found.kind) {
    case 'locked':
      throw new Fault(
        'surroundings',
        `${file} is locked with a passphrase: run ssh-add ${file}, and the agent will seal.`,
      );
    case 'unfit':
      throw new Fault('surroundings', `${file} cannot seal: ${found.problem}.`);
    case 'key': {
      if (wanted && Buffer.compare(wanted.blob, found.key.blob) !== 0) {
        throw new Fault('surroundings', `${file} is not the private half of ${file}.pub: mend the pair.`);
      }
      return { key: found.key, from: 'file', sign: async (bytes) => found.sign(bytes) };
    }
  }
}

/** As ssh does: a private key that others can read is not used. */
function checkPermissions(file: string): void {
  const { mode, uid } = fs.statSync(file);
  if (process.platform === 'win32' || uid !== process.getuid?.() || (mode & 0o077) === 0) return;
  throw new Fault('surroundings', `${file} can be read by others: run chmod 600 ${file}.`);
}

/** `gpg.ssh.allowedSignersFile`. A setting that points nowhere is a mistake; none at all allows nobody. */
export function readAllowedSigners(
  setting: string | undefined,
  places: Pick<KeyPlaces, 'home' | 'folder'>,
): AllowedSigners {
  if (!setting) return { signers: [], problems: [] };
  return parseAllowedSigners(readText(fullPath(setting, places), MAX_SIGNERS_FILE));
}

export function fullPath(setting: string, { home, folder }: Pick<KeyPlaces, 'home' | 'folder'>): string {
  return /^~(?:\/|$)/.test(setting) ? path.join(home, setting.slice(1)) : path.resolve(folder, setting);
}

function readText(file: string, maxBytes: number): string {
  let handle: number | undefined;
  try {
    handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const status = fs.fstatSync(handle);
    if (!status.isFile() || status.size > maxBytes) {
      throw new Fault('surroundings', `${file} is no file of keys: it is too large, or no file.`);
    }
    return fs.readFileSync(handle, 'utf8');
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    throw new Fault('surroundings', `${file} cannot be read (${code}): check git's settings for keys.`);
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}
