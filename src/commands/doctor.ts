import fs from 'node:fs';
import path from 'node:path';
import { findRepository, type Repository } from '../git/repository.ts';
import { readState } from '../notes/index/store.ts';
import { readSoundness } from '../sessions/soundness.ts';
import { isInitialised, storeOf } from '../sessions/store.ts';
import { checkAccess, findClosed } from '../setup/access.ts';
import { checkHealth, printChecks } from '../setup/doctor.ts';
import { gatherHealth, type Health } from '../setup/health.ts';
import { checkStoreFiles, type StoreHealth } from '../setup/store-health.ts';
import type { Check } from '../setup/verdict.ts';
import { plainText } from '../terminal/plain.ts';
import type { Call, Command, World } from './command.ts';
import { mend } from './doctor-fix.ts';

export const command: Command = {
  name: 'doctor',
  summary: 'check every part of the set-up and say how to mend it',
  configure(command) {
    command
      .option('--fix', 'mend what can be mended here: hooks, the store, locks and logs left behind')
      .option('--json', 'for programs');
  },
  run,
};

interface Found {
  readonly health: Health;
  readonly store: StoreHealth;
  readonly checks: readonly Check[];
}

async function run({ options, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd, world.env);
  const closed = findClosed(repository.commonDir);
  // what may not be read cannot be judged: nothing else is said until it can
  const blind = closed.some(({ to }) => to === 'read');
  const checks = [...checkAccess(closed), ...(blind ? [] : await lookAndMend(repository, world, options.fix === true))];
  const json = () => `${JSON.stringify({ schema: 'git-agent-blame/doctor@1', checks }, null, 2)}\n`;
  await world.out.write(options.json === true ? json() : plainText(printChecks(checks)));
  return checks.some((check) => check.level === 'fail') ? 1 : 0;
}

async function lookAndMend(repository: Repository, world: World, fix: boolean): Promise<readonly Check[]> {
  const found = await look(repository, world);
  if (!fix) return found.checks;
  for (const said of await mend(repository, world, found)) await world.err.write(`mended: ${plainText(said)}\n`);
  return (await look(repository, world)).checks;
}

async function look(repository: Repository, world: World): Promise<Found> {
  const health = await gatherHealth(repository, world);
  const store = storeOf(repository);
  const { newer, damaged } = readSoundness(store);
  const cache = path.join(store.dir, 'cache', 'index');
  const broken = isBroken(cache, repository.objectFormat === 'sha256' ? 32 : 20);
  const files = {
    newer,
    damaged: [...damaged, ...(broken ? [{ kind: 'cache' as const, file: cache, count: 1 }] : [])],
  };
  const recorded = health.mode !== null && (isInitialised(store) || newer !== undefined);
  return { health, store: files, checks: [...checkHealth(health), ...(recorded ? checkStoreFiles(files) : [])] };
}

/** An index that cannot be used. Whoever finds a segment broken takes the manifest away, as every reader does. */
function isBroken(folder: string, idBytes: number): boolean {
  if (!fs.existsSync(path.join(folder, 'manifest.json'))) return false;
  const state = readState(folder, idBytes);
  return state === undefined || state.pieces.some((piece) => piece.load() === undefined);
}
