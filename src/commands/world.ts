import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import { Fault, type FaultCode } from '../fault.ts';
import { nameOfBytes } from '../git/paths.ts';
import { endGits } from '../git/run.ts';
import { plainText } from '../terminal/plain.ts';
import type { Sink, World } from './command.ts';

const EXIT_CODES: Readonly<Record<FaultCode, number>> = { refused: 1, usage: 2, surroundings: 3, git: 3, bug: 70 };

/** The one place that looks at the process: arguments, surroundings, exit code. */
export async function runProgram(run: (args: readonly string[], world: World) => Promise<number>): Promise<void> {
  tune();
  const cwd = findHere();
  const world = realWorld(cwd ?? path.sep);
  let code: number;
  try {
    if (cwd === undefined) throw new Fault('surroundings', GONE);
    code = await run(processWords(), world);
  } catch (error) {
    code = await report(error, world);
  }
  // nothing is left to wait for: what was written has been taken
  process.exit(code);
}

const GONE = 'The current folder is not there any more: go into another one.';

/** Undefined: somebody has removed it. */
function findHere(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Who ends the program alone, and not all that its terminal runs, ends the gits that work for it too. */
export function endTogether(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const end = () => {
      // while a pager is up, ^C is the pager's
      if (process.listenerCount(signal) > 1) return;
      endGits();
      process.off(signal, end);
      process.kill(process.pid, signal);
    };
    process.on(signal, end);
  }
}

/**
 * A program that lives for a second should not spend a tenth of it copying what is young about, nor a third of two processors on compiling
 * what it is done with by then: room grows at once to the size it reaches anyway, and only what is really hot is compiled well. A version of
 * Node that does not know a flag would say so aloud.
 */
function tune(): void {
  for (const flag of FLAGS[Number.parseInt(process.versions.node, 10)] ?? []) v8.setFlagsFromString(flag);
}

const ROOM = '--semi-space-growth-factor=16';
const LATER = '--invocation-count-for-turbofan=20000';
const FLAGS: Readonly<Record<number, readonly string[]>> = {
  20: [ROOM, '--interrupt-budget=500000'],
  22: [ROOM, LATER],
  // its young objects take twice the room at most: given at once, it is no faster, and an index is built in 60 MB more
  24: [LATER],
};

/** Node decodes arguments, and loses names of files that are no text: Linux still has their bytes. */
function processWords(): string[] {
  const words = process.argv.slice(2);
  if (!words.some((word) => word.includes('\uFFFD')) || !fs.existsSync(COMMAND_LINE)) return words;
  const raw = fs.readFileSync(COMMAND_LINE, 'latin1').split('\0').slice(0, -1);
  return raw.slice(-words.length).map((word) => nameOfBytes(Buffer.from(word, 'latin1')));
}

const COMMAND_LINE = '/proc/self/cmdline';

/** One sentence on standard error, and the exit code that goes with it. */
export async function report(error: unknown, world: World): Promise<number> {
  const debug = world.env.AGENT_DEBUG === '1' && error instanceof Error ? `${error.stack}\n` : '';
  if (error instanceof Fault && error.code !== 'bug') {
    // git fails where nobody did anything wrong: something is broken
    const advice = error.code === 'git' ? ' (git agent doctor looks for the cause)' : '';
    await world.err.write(`${debug}${world.name}: ${plainText(error.message)}${advice}\n`);
    return EXIT_CODES[error.code];
  }
  const what = error instanceof Error ? error.message : String(error);
  const more = debug ? '' : ' (AGENT_DEBUG=1 shows where)';
  await world.err.write(
    `${debug}${world.name}: this is a mistake of ours, please report it: ${plainText(what)}${more}\n`,
  );
  return EXIT_CODES.bug;
}

/** The reader went away (`| head`): nothing is wrong. */
function isClosedPipe(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

/** A disk that is full is nobody's mistake. Node says `ENOSPC: no space left on device, write`. */
function unwritable({ message }: Error): Fault {
  const why = /^[A-Z]+: (.*?), \w+/.exec(message)?.[1] ?? message;
  return new Fault('surroundings', `The output cannot be written, ${why}: make room, or send it elsewhere.`);
}

function realWorld(cwd: string): World {
  const script = process.argv[1] ?? '';
  return {
    name: path.basename(script, '.js').replace(/^git-/, 'git '),
    cwd,
    env: process.env,
    home: process.env.HOME || os.homedir(),
    out: sinkOf(process.stdout),
    err: sinkOf(process.stderr),
    get program() {
      return { node: process.execPath, script: path.join(path.dirname(fs.realpathSync(script)), 'git-agent.js') };
    },
    version: process.env.GIT_AGENT_BLAME_VERSION ?? 'development',
    now: () => Date.now(),
  };
}

/** What a verb finds does not depend on who reads it: with the reader gone it goes on, and its own exit code counts. */
function sinkOf(stream: NodeJS.WriteStream): Sink {
  // errors reach whoever writes; without a listener they would end the program with a stack
  stream.on('error', () => {});
  return {
    isTTY: stream.isTTY === true,
    columns: findColumns(stream),
    rows: stream.rows || undefined,
    write: (text) =>
      new Promise((resolve, reject) =>
        stream.write(text, (error) => (error && !isClosedPipe(error) ? reject(unwritable(error)) : resolve(!error))),
      ),
  };
}

/** A terminal that does not know its width says 0. Git tells those who write to its pager how wide the screen behind it is. */
function findColumns({ columns }: NodeJS.WriteStream): number | undefined {
  const { GIT_PAGER_IN_USE, COLUMNS } = process.env;
  if (columns || GIT_PAGER_IN_USE !== 'true') return columns || undefined;
  return /^[1-9]\d{0,4}$/.test(COLUMNS ?? '') ? Number(COLUMNS) : undefined;
}
