import { LISTENERS } from '../capture/index.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { listWorktrees } from '../git/worktrees.ts';
import { type Surroundings, surroundingsOf } from '../pending/world.ts';
import { readSettings } from '../setup/settings.ts';
import type { World } from './command.ts';

/** What the pending work sees of the world a verb was called in. */
export async function openDoor(world: World, found?: Repository): Promise<Surroundings> {
  const repository = found ?? (await findRepository(world.cwd));
  const [settings, worktrees] = await Promise.all([readSettings(repository.place), listWorktrees(repository.place)]);
  const { home, env, version, now } = world;
  return surroundingsOf(repository, { home, env, agents: LISTENERS, settings, version, now }, worktrees);
}
