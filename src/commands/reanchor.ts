import { reanchor } from '../pending/work.ts';
import type { Command } from './command.ts';
import { openDoor } from './door.ts';
import { listCommits, listHistory } from './range.ts';

export const command: Command = {
  name: 'reanchor',
  summary: 'write notes for rewritten commits, from what is known of those they were made of',
  configure(command) {
    command.argument('[range]', 'a range of commits (A..B), or one; without it all that HEAD reaches');
  },
  async run({ args, world }) {
    const place = await openDoor(world);
    const range = args[0];
    const commits = range === undefined ? await listHistory(world.cwd, 'HEAD') : await listCommits(world.cwd, range);
    const { notes, left } = await reanchor(place, commits);
    await world.err.write(`${notes} ${notes === 1 ? 'commit' : 'commits'} re-anchored\n`);
    if (left > 0)
      await world.err.write(`${left} left: of less than half of the lines it is known where they come from\n`);
    return 0;
  },
};
