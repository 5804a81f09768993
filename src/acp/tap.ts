import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { LineCutter } from './lines.ts';
import { type Message, parseMessages, type Side } from './message.ts';

export interface TapOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A message has gone by; it has been passed on already. */
  onMessage(side: Side, message: Message): void;
}

/** The agent's exit code; 128 and its number for a signal; 127 where it could not be started, and why. */
export interface TapEnd {
  readonly code: number;
  readonly failure?: NodeJS.ErrnoException;
}

/** The way to the client, for a word of our own between two of the agent's lines. */
export interface Tap {
  readonly ended: Promise<TapEnd>;
  say(line: string): void;
}

/** Messages are looked at up to this size; larger ones pass by. */
const MAX_LINE = 64 << 20;
/**
 * What somebody may send to the agent by way of us: neither what cannot be caught, nor what tells of a fault of our own. Listening to
 * SIGUSR1 keeps Node from opening its debugger.
 */
const SIGNALS: readonly NodeJS.Signals[] = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT', 'SIGTSTP'] as const),
  ...(['SIGALRM', 'SIGVTALRM', 'SIGURG', 'SIGIO', 'SIGPWR'] as const),
];

/** Runs an agent with its standard input and output passed on byte for byte; a copy of each line is looked at afterwards. */
export function openTap({ command, cwd, env, onMessage }: TapOptions): Tap {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const out = passOn(child.stdout, process.stdout, (message) => onMessage('agent', message));
  passOn(process.stdin, child.stdin, (message) => onMessage('client', message));
  process.stdin.on('end', () => child.stdin.end());
  // the agent has gone, and the client has not heard of it yet: its words go nowhere
  child.stdin.on('error', () => {});
  process.stdout.on('error', () => {});
  passSignals(child);
  const ended = new Promise<TapEnd>((resolve) => {
    child.on('error', (failure) => {
      // a signal that did not reach it is no end
      if (child.pid === undefined) resolve({ code: 127, failure });
    });
    child.on('close', (code, signal) =>
      resolve({ code: signal ? 128 + (os.constants.signals[signal] ?? 0) : (code ?? 1) }),
    );
  });
  return { ended, say: (line) => out.say(line) };
}

function passSignals(child: ChildProcess): void {
  for (const signal of SIGNALS.filter((name) => os.constants.signals[name] !== undefined)) {
    process.on(signal, () => {
      child.kill(signal);
      // whoever listens is not stopped any more
      if (signal === 'SIGTSTP') process.kill(process.pid, 'SIGSTOP');
    });
  }
}

/** Forward first: what is done with the copy can neither change nor hold up what goes by. */
function passOn(from: Readable, to: Writable, onMessage: (message: Message) => void): { say(line: string): void } {
  const cutter = new LineCutter(MAX_LINE);
  const waiting: string[] = [];
  let atLineEnd = true;
  const speak = () => {
    if (atLineEnd) for (const line of waiting.splice(0)) to.write(`${line}\n`);
  };
  from.on('data', (chunk: Buffer) => {
    if (!to.write(chunk)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
    atLineEnd = chunk.at(-1) === 10;
    speak();
    setImmediate(() => listen(cutter, chunk, onMessage));
  });
  return {
    say: (line) => {
      waiting.push(line);
      speak();
    },
  };
}

function listen(cutter: LineCutter, chunk: Buffer, onMessage: (message: Message) => void): void {
  try {
    for (const line of cutter.take(chunk)) if (line) for (const message of parseMessages(line)) onMessage(message);
  } catch {
    // a listener that fails must not be noticed by those who talk
  }
}
