import { LISTENERS } from '../capture/index.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { type Surroundings, surroundingsOf } from '../pending/world.ts';
import { readSettings } from '../setup/settings.ts';
import type { World } from './command.ts';

/** What the pending work sees of the world a verb was called in. */
export async function openDoor(world: World, found?: Repository): Promise<Surroundings> {
  const repository = found ?? (await findRepository(world.cwd));
  const settings = await readSettings(repository.place);
  return surroundingsOf(repository, {
    home: world.home,
    env: world.env,
    agents: LISTENERS,
    settings,
    version: world.version,
    now: world.now,
  });
}
