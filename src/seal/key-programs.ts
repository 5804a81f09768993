import { spawn } from 'node:child_process';
import { Fault } from '../fault.ts';
import { findKeyLine } from './keys.ts';
import { quoted } from './reason.ts';

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
