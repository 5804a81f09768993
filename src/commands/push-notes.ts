import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import { safe } from '../notes/exchange/transport.ts';
import { pushNotes } from '../notes/exchange.ts';
import { readPlain } from '../plain-file.ts';
import { replaceFile } from '../sessions/disk.ts';
import { logMishap, storeOf } from '../sessions/store.ts';
import type { Call, Command } from './command.ts';
import { finishPending, withPeer } from './exchange.ts';

export const command: Command = {
  name: 'push-notes',
  summary: 'what the pre-push hook starts',
  hidden: true,
  configure(command) {
    command.argument('<remote>', 'a name, a path or an address').argument('<seconds>', 'how long the hook waits');
  },
  run,
};

/** The hook reads this until its end: when we close it, the user's push goes on. */
const LEASH = 3;
/** A connection that hangs is given up in the end. */
const PATIENCE_MS = 120_000;

/** Never fails: what goes wrong is said by `doctor`, and once by us. Whatever takes too long goes on in the background. */
async function run({ args: [asked, seconds], world }: Call): Promise<number> {
  const store = storeOf(await findRepository(world.cwd));
  const refused = path.join(
    store.dir,
    'cache',
    `refused-${createHash('sha256')
      .update(asked ?? '')
      .digest('hex')
      .slice(0, 16)}`,
  );
  const log = (words: string) => logMishap(store, world.now(), `notes not pushed to ${safe(asked ?? '')}: ${words}`);
  setTimeout(letGo, Number(seconds) * 1000).unref();
  const push = withPeer(world, { asked, way: 'push', alone: true, listen: true }, async (exchange) => {
    await finishPending(world, exchange);
    await pushNotes(exchange);
    return true;
  });
  try {
    const done = await Promise.race([push, sleep(PATIENCE_MS, false, { ref: false })]);
    if (done) fs.rmSync(refused, { force: true });
    else log(`no end after ${PATIENCE_MS / 1000} seconds`);
  } catch (cause) {
    log(cause instanceof Error ? cause.message : String(cause));
    if (cause instanceof Fault) tellOnce(refused, cause);
  }
  return 0;
}

/** The user's push goes through; that its notes do not is worth a word, the first time. */
function tellOnce(mark: string, { code, message, data }: Fault): void {
  const left = Array.isArray(data.left) ? data.left.join(' ') : undefined;
  if (left === undefined && !(code === 'refused' && / does not take refs\/notes\//.test(message))) return;
  try {
    if (fs.existsSync(mark) && readPlain(mark, 'utf8') === (left ?? '')) return;
    const advice = left === undefined ? '; git config agent.push false stops trying' : '';
    fs.writeSync(LEASH, `git agent: ${message.replace(/\.$/, '')}. Your push is not affected${advice}.\n`);
    replaceFile(mark, left ?? '');
  } catch {
    // nobody waits, or nothing can be written
  }
}

function letGo(): void {
  try {
    fs.closeSync(LEASH);
  } catch {
    // nobody waits
  }
}
