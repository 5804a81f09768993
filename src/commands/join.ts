import { Fault } from '../fault.ts';
import { joinAgain, type Worked, work } from '../pending/work.ts';
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
    const commits = range === undefined ? undefined : await listCommits(world.cwd, range);
    const worked = commits ? await joinAgain(place, commits) : await work(place);
    await world.err.write(`${tell(worked, commits?.length)}\n`);
    return worked.failures > 0 ? 1 : 0;
  },
};

/** `asked`: how many commits were named. */
function tell({ notes, failures }: Worked, asked = notes + failures): string {
  const failed = failures > 0 ? `, ${failures} failed (see git agent doctor)` : '';
  const same = asked - notes - failures;
  const others = same > 0 ? `; ${same === 1 ? 'the note of 1 says' : `the notes of ${same} say`} it all already` : '';
  return `${notes} ${notes === 1 ? 'commit' : 'commits'} joined${failed}${others}`;
}
