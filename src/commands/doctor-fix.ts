import fs from 'node:fs';
import path from 'node:path';
import { restoreRef } from '../git/broken-refs.ts';
import { withLock } from '../git/lock.ts';
import type { Repository } from '../git/repository.ts';
import { work } from '../pending/work.ts';
import { setAside, sizeOf } from '../sessions/disk.ts';
import { keepTexts } from '../sessions/drop-texts.ts';
import { sortTexts } from '../sessions/soundness.ts';
import { readState, writeState } from '../sessions/state.ts';
import { findSince, isInitialised, type Store, storeOf } from '../sessions/store.ts';
import type { Health } from '../setup/health.ts';
import { removeLeftPayloads } from '../setup/left-payloads.ts';
import { clearTheWay } from '../setup/odd-files.ts';
import type { StoreDamage, StoreHealth } from '../setup/store-health.ts';
import { type Check, INIT, UPGRADE } from '../setup/verdict.ts';
import type { World } from './command.ts';
import { openDoor } from './door.ts';
import { command as init } from './init.ts';

interface Found {
  readonly health: Health;
  readonly store: StoreHealth;
  readonly checks: readonly Check[];
}

/** Carries out the mends that `doctor` names, where they are ours to make; tells what was done, one line each. */
export async function mend(repository: Repository, world: World, { health, store, checks }: Found): Promise<string[]> {
  // what a newer program keeps is left alone, and init was never run is not a damage
  if (health.mode === null || checks.some((check) => check.mend === UPGRADE)) return [];
  const place = storeOf(repository);
  const said = clearTheWay(health.inTheWay, setAside);
  if (health.damage !== null) said.push(`kept aside as ${setAside(path.join(place.dir, 'installed.json'))}`);
  if (checks.some(({ level, mend: how }) => level !== 'ok' && how?.includes(INIT)))
    said.push(...(await initAgain(place, world)));
  said.push(...(await mendRefs(repository, health)));
  if (isInitialised(place)) {
    // taking the lock removes one that was left behind
    await withLock(repository.commonDir, async () => {
      if (health.lock === 'stale') said.push(`${place.dir}/lock, left by a process that is gone, is removed`);
      for (const damage of store.damaged) said.push(...mendDamage(place, damage));
    });
    const { notes } = await work(await openDoor(world, repository));
    if (notes > 0) said.push(`${notes} ${notes === 1 ? 'commit' : 'commits'} joined`);
  }
  const torn = (health.journal?.torn ?? 0) > 0;
  if (torn) said.push(...passOver(place));
  said.push(...removeLeftPayloads(health.leftPayloads));
  // the work has logged it once more
  if (health.log.length > 0 || torn) said.push(...rotateLog(place));
  return said;
}

/** A ref update takes a moment; a hook that watches it may take longer. */
const SURELY_LEFT = 600_000;

async function mendRefs(repository: Repository, { notes, refLocks }: Health): Promise<string[]> {
  const said: string[] = [];
  for (const { file, age } of refLocks) {
    if (age < SURELY_LEFT) continue;
    fs.rmSync(file, { force: true });
    said.push(`${file}, left by a git that is gone, is removed`);
  }
  for (const { ref } of notes.filter(({ readable, id }) => !readable && id === '')) {
    const aside = path.join(storeOf(repository).dir, `${ref.replaceAll('/', '-')}.damaged`);
    const id = await restoreRef(repository, ref, aside);
    if (id !== undefined) said.push(`${ref} is ${id} again, as its reflog tells; what was there is kept as ${aside}`);
  }
  return said;
}

/** The agents that were captured stay those. */
async function initAgain(store: Store, world: World): Promise<string[]> {
  const since = findSince(store);
  const agents = since === undefined ? {} : { agents: since.agents.join(',') || 'none' };
  const quiet = { isTTY: false, columns: undefined, write: async () => {} };
  await init.run({ args: [], options: agents, world: { ...world, out: quiet } });
  return ['git agent init was run again'];
}

function mendDamage(store: Store, { kind, file }: StoreDamage): string[] {
  switch (kind) {
    case 'since':
    case 'lines':
      return []; // written anew by init; passed over by readers
    case 'state':
      return [`kept aside as ${setAside(file)}; everything is worked in again`];
    case 'session': {
      const aside = setAside(file);
      readTranscriptsAgain(store);
      return [`kept aside as ${aside}; transcripts are read again`];
    }
    case 'texts': {
      const { whole, broken } = sortTexts(store);
      keepTexts(store, whole);
      readTranscriptsAgain(store);
      return [`${broken.length} texts that cannot be read are taken out of ${file}; transcripts are read again`];
    }
    case 'draft':
    case 'cache':
      fs.rmSync(file, { recursive: true, force: true });
      return [`${file} is removed`];
  }
}

/** As if none had been read yet: what was lost may be told there. */
function readTranscriptsAgain(store: Store): void {
  writeState(store, { ...readState(store), transcripts: {} });
}

/** What cannot be read in the journal stays there; it was told. */
function passOver(store: Store): string[] {
  const file = path.join(store.dir, 'journal');
  writeState(store, { ...readState(store), told: sizeOf(file) });
  return [`what cannot be read in ${file} is passed over`];
}

function rotateLog(store: Store): string[] {
  const file = path.join(store.dir, 'hooks.log');
  if (!fs.existsSync(file)) return [];
  fs.renameSync(file, `${file}.1`);
  return [`${file} is put aside as hooks.log.1`];
}
