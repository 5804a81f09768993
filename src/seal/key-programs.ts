import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Fault } from '../fault.ts';
import type { AllowedSigner } from './allowed-signers.ts';
import { findKeyLine, type PublicKey, printKey } from './keys.ts';
import { quoted } from './reason.ts';
import { isKrl, parseKrlAnswer, parseRevokedKeys, type Revocation } from './revoked.ts';

/** Where a program runs, and what it sees. */
export interface ProgramPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ProgramAnswer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Undefined where the program cannot be started. */
export function askProgram(words: readonly string[], { cwd, env }: ProgramPlace): Promise<ProgramAnswer | undefined> {
  const [program = '', ...args] = words;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', () => resolve(undefined));
    child.on('close', (code) =>
      resolve({
        code: code ?? 128,
        out: Buffer.concat(out).toString('utf8'),
        err: Buffer.concat(err).toString('utf8'),
      }),
    );
  });
}

export const DEFAULT_KEY_COMMAND = 'gpg.ssh.defaultKeyCommand';

/** The key that the command of `gpg.ssh.defaultKeyCommand` prints. One that fails is a mistake: another key must not seal in its place. */
export async function askDefaultKey(command: string, place: ProgramPlace): Promise<string> {
  const words = splitCommand(command);
  const wrong = (why: string) =>
    new Fault('surroundings', `${DEFAULT_KEY_COMMAND} ${why}: mend it, or set user.signingkey.`);
  if (!words?.[0]) throw wrong('is no command');
  const answer = await askProgram(words, place);
  if (!answer) throw wrong(`cannot be started (${quoted(words[0])})`);
  const { code, out, err } = answer;
  if (code !== 0) throw wrong(`failed (${quoted(err.split('\n')[0] || `exit code ${code}`)})`);
  const key = out
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line.startsWith('key::') || findKeyLine(line));
  if (key === undefined) throw wrong('prints no key');
  return key;
}

/** Into words as git does it (`split_cmdline`): by quotes and backslashes, and no shell. Undefined where a quote is left open. */
export function splitCommand(command: string): string[] | undefined {
  const words: string[] = [];
  let [word, quote]: [string | undefined, string] = [undefined, ''];
  for (let i = 0; i < command.length; i++) {
    const letter = command[i] ?? '';
    if (quote === '' && /\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '' && (letter === '"' || letter === "'")) [quote, word] = [letter, word ?? ''];
    else if (letter === quote) quote = '';
    else {
      const escaped = letter === '\\' && quote !== "'";
      if (escaped && ++i === command.length) return undefined;
      word = (word ?? '') + (command[i] ?? '');
    }
  }
  if (word !== undefined) words.push(word);
  return quote === '' ? words : undefined;
}

export interface RevocationQuestion {
  /** `gpg.ssh.revocationFile`, and where that is. */
  readonly setting: string;
  readonly file: string;
  readonly signers: readonly AllowedSigner[];
  readonly env: ProgramPlace['env'];
}

const MAX_REVOCATION_FILE = 64 * 1024 * 1024;

/** Which of the signers' keys are revoked. Git only warns of a list that is not there; a proof needs to know. */
export async function readRevocation({ setting, file, signers, env }: RevocationQuestion): Promise<Revocation> {
  try {
    const status = fs.statSync(file);
    if (!status.isFile() || status.size > MAX_REVOCATION_FILE)
      return { file: setting, keys: new Set(), problem: 'it is too large, or no file' };
    const bytes = fs.readFileSync(file);
    if (!isKrl(bytes)) return { file: setting, ...parseRevokedKeys(bytes.toString('utf8')) };
    const keys = new Map(signers.flatMap(({ key }) => (key ? [[printKey(key), key]] : [])));
    return { file: setting, ...(await askKrl(file, [...keys.values()], env)) };
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === undefined) throw cause;
    return { file: setting, keys: new Set(), problem: `it cannot be read (${code})` };
  }
}

/** The binary form has sections of many kinds: OpenSSH reads it itself. */
async function askKrl(krl: string, keys: readonly PublicKey[], env: ProgramPlace['env']) {
  if (keys.length === 0) return { keys: new Set<string>() };
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'agent-revoked-'));
  try {
    const names = keys.map((key, index) => {
      fs.writeFileSync(path.join(folder, `${index}.pub`), `${printKey(key)}\n`);
      return `${index}.pub`;
    });
    const answer = await askProgram(['ssh-keygen', '-Q', '-f', krl, ...names], { cwd: folder, env });
    if (!answer) return { keys: new Set<string>(), problem: 'ssh-keygen, which reads it, cannot be started' };
    // 1: at least one is revoked
    if (answer.code === 0 || answer.code === 1) return parseKrlAnswer(answer.out, keys);
    const said = quoted(answer.err.split('\n')[0] || `exit code ${answer.code}`);
    return { keys: new Set<string>(), problem: `ssh-keygen cannot read it (${said})` };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
