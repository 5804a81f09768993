import readline from 'node:readline/promises';
import { Fault } from '../fault.ts';
import { wantsColour } from '../terminal/colour.ts';
import { makePlace } from '../tour/place.ts';
import { playStory, type Stage } from '../tour/story.ts';
import type { Call, Command, World } from './command.ts';

export const command: Command = {
  name: 'tour',
  summary: 'show in a throw-away repository, step by step, what all this does',
  configure(sub) {
    sub.option('--fast', 'without stopping between the steps');
  },
  run,
};

/** As shells tell of a program that was interrupted. */
const INTERRUPTED = 130;

/** Nothing of the user's is touched: a home and a repository of their own in the temporary folder, gone at the end, also of half a tour. */
async function run({ options, world }: Call): Promise<number> {
  const colour = wantsColour({ asked: undefined, configured: undefined, isTTY: world.out.isTTY, env: world.env });
  const end = new AbortController();
  const leave = () => end.abort();
  process.once('SIGINT', leave).once('SIGTERM', leave);
  const place = makePlace(world.program, { colour, columns: world.out.columns });
  const pauses = options.fast !== true && world.out.isTTY && process.stdin.isTTY;
  const steps = pauses ? openSteps(world, end) : undefined;
  try {
    await playStory({ ...stageOf(world, colour, end.signal), place, pause: async () => steps?.wait() });
    return 0;
  } catch (cause) {
    if (end.signal.aborted) return INTERRUPTED;
    throw cause;
  } finally {
    process.off('SIGINT', leave).off('SIGTERM', leave);
    steps?.close();
    await place.remove();
  }
}

function stageOf(world: World, colour: boolean, end: AbortSignal): Omit<Stage, 'place' | 'pause'> {
  const paint = (code: number, text: string) => `\x1b[${code}m${text}\x1b[0m`;
  const stay = () => {
    if (end.aborted) throw new Fault('refused', 'The tour was left.');
  };
  const say = async (text: string) => {
    stay();
    await world.out.write(`${text}\n`);
    // a signal that came while a command ran is heard only now
    await new Promise((resolve) => setImmediate(resolve));
    stay();
  };
  return {
    say,
    heading: (text) => say(`\n${colour ? paint(1, text) : `== ${text}`}`),
    typed: (text) => say(colour ? `${paint(2, '$')} ${text}` : `$ ${text}`),
    now: world.now,
  };
}

function openSteps(world: World, end: AbortController) {
  const lines = readline.createInterface({ input: process.stdin, output: process.stdout });
  const gone = new AbortController();
  // while it listens, Ctrl-C is a key and no signal
  lines.once('SIGINT', () => end.abort()).once('close', () => gone.abort());
  const signal = AbortSignal.any([end.signal, gone.signal]);
  return {
    wait: async () => {
      await world.out.write('\n');
      // at the end of the input nobody is there to press a key: the rest is played at once
      if (!signal.aborted) await lines.question('Enter goes on ', { signal }).catch(() => '');
    },
    close: () => lines.close(),
  };
}
