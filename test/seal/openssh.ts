import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Undefined where all of OpenSSH's programs are there; else what to put into a title. */
export const missing = ['ssh-keygen', 'ssh-agent', 'ssh-add'].find((name) => spawnSync(name, ['-?']).error);

export const titled = (title: string) => (missing ? `${title} (skipped: ${missing} is not on PATH)` : title);

export function makeFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'seal-'));
}

export interface NewKey {
  readonly folder: string;
  readonly name: string;
  /** Arguments of `-t`. */
  readonly type: readonly string[];
  readonly passphrase?: string;
}

/** A new key; its private half is in the file that is told. */
export function makeKey({ folder, name, type, passphrase = '' }: NewKey): string {
  const file = path.join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', ...type, '-N', passphrase, '-C', 'ada', '-f', file]);
  return file;
}

export interface Agent {
  readonly socket: string;
  add(file: string): void;
  removeAll(): void;
  stop(): Promise<void>;
}

/** A real agent, ours alone. */
export async function startAgent(folder: string): Promise<Agent> {
  const socket = path.join(folder, 'agent.sock');
  const child: ChildProcess = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  for (let tries = 0; !fs.existsSync(socket); tries++) {
    if (tries > 500) throw new Error('ssh-agent does not start');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const sshAdd = (...args: string[]) =>
    execFileSync('ssh-add', ['-q', ...args], { env: { ...process.env, SSH_AUTH_SOCK: socket }, stdio: 'pipe' });
  return {
    socket,
    add: (file) => sshAdd(file),
    removeAll: () => sshAdd('-D'),
    stop: () => {
      child.kill();
      return ended;
    },
  };
}
