import { Fault } from '../fault.ts';
import { joinAgain, work } from '../pending/work.ts';
import { isInitialised, refuseNewer } from '../sessions/store.ts';
import type { Command } from './command.ts';
import { openDoor } from './door.ts';
import { listCommits } from './range.ts';

export const command: Command = {
  name: 'join',
  summary: 'join recorded sessions to commits: what is pending, or a range again',
  configure(command) {
    command.argument('[range]', 'a range of commits (A..B) to join again, or one');
  },
  async run({ args, world }) {
    const place = await openDoor(world);
    refuseNewer(place.store);
    if (!isInitialised(place.store))
      throw new Fault('surroundings', 'Nothing is recorded here: run git agent init first.');
    const range = args[0];
    const { notes, failures } =
      range === undefined ? await work(place) : await joinAgain(place, await listCommits(world.cwd, range));
    await world.err.write(
      `${notes} ${notes === 1 ? 'commit' : 'commits'} joined${failures > 0 ? `, ${failures} failed (see git agent doctor)` : ''}\n`,
    );
    return failures > 0 ? 1 : 0;
  },
};
