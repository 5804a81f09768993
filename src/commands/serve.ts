import { spawn } from 'node:child_process';
import { Fault } from '../fault.ts';
import { type Served, startServer } from '../serve/server.ts';
import { openBrowser } from './browse.ts';
import type { Call, Command, World } from './command.ts';

export const command: Command = {
  name: 'serve',
  summary: 'browse files, blame and conversations in a local page',
  configure(sub) {
    sub
      .option('--port <number>', 'the port of 127.0.0.1 (any that is free)')
      .option('--open', 'open the page in the browser, from a terminal')
      .option('--no-open', 'only print the address, as without --open');
  },
  run,
};

async function run({ options, world }: Call): Promise<number> {
  const served = await startServing(world, options.port === undefined ? 0 : parsePort(String(options.port)));
  const ended = untilSignal();
  await world.out.write(`${addressOf(served)}\n`);
  await world.err.write('Only this machine can open it. Ctrl-C ends it.\n');
  if (options.open === true && world.out.isTTY) openPage(`${served.origin}/?token=${served.door.ticket()}`, world);
  await ended;
  await served.close();
  return 0;
}

/** Serves the repository that the world is in, until it is closed. */
export async function startServing(world: World, port: number): Promise<Served> {
  const answer = await openBrowser(world);
  const onMistake = (error: unknown) => {
    const said = error instanceof Error ? (world.env.AGENT_DEBUG === '1' ? error.stack : error.message) : String(error);
    void world.err.write(`${world.name}: a page could not be made: ${said}\n`);
  };
  return startServer({ port, answer, onMistake });
}

/** With the key in it. */
export function addressOf({ origin, door }: Served): string {
  return `${origin}/?token=${door.token}`;
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new Fault('usage', `--port needs a number up to 65535, not ${text}.`);
  return Number(text);
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Others on this machine can read the arguments of programs: the address has a key that works once. */
function openPage(address: string, world: World): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(program, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => void world.err.write(`${world.name}: no browser could be started; open the address yourself.\n`))
    .unref();
}
