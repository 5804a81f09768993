import { LISTENERS } from '../capture/index.ts';
import { placeAt } from '../git/apart.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { listWorktrees } from '../git/worktrees.ts';
import { type Surroundings, surroundingsOf } from '../pending/world.ts';
import { readSettings } from '../setup/settings.ts';
import type { World } from './command.ts';

/** What the pending work sees of the world a verb was called in. */
export async function openDoor(world: World, found?: Repository): Promise<Surroundings> {
  const place = found?.place ?? (await placeAt(world.cwd));
  const asked = Promise.all([readSettings(place), listWorktrees(place)]);
  asked.catch(() => {}); // where there is no repository, that is what to say
  const repository = found ?? (await findRepository(world.cwd));
  const [settings, worktrees] = await asked;
  const { home, env, version, now } = world;
  return surroundingsOf(repository, { home, env, agents: LISTENERS, settings, version, now }, worktrees);
}
