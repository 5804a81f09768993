import { Fault } from '../fault.ts';
import { work } from '../pending/work.ts';
import { isInitialised, logMishap } from '../sessions/store.ts';
import { mendHooks } from '../setup/mend.ts';
import type { Command } from './command.ts';
import { openDoor } from './door.ts';
import { tellAhead } from './tell-ahead.ts';

/** What hooks start in the background: it prints nothing, and says in `agent/hooks.log` what went wrong. */
export const command: Command = {
  name: 'work',
  summary: 'work in what hooks have recorded',
  hidden: true,
  configure(command) {
    command.argument('[folder]', 'the common git dir');
  },
  async run({ args, world }) {
    const place = await openDoor({ ...world, cwd: args[0] ?? world.cwd });
    try {
      const mended = mendHooks(place.repository); // meanwhile: neither needs the other
      mended.catch(() => {}); // told below
      const { notes, failures } = await work(place);
      for (const said of await mended) logMishap(place.store, world.now(), `put back: ${said}`);
      if (isInitialised(place.store)) await tellAhead(world, place.repository, notes);
      return failures > 0 ? 1 : 0;
    } catch (cause) {
      logMishap(place.store, world.now(), `work: ${cause instanceof Error ? cause.message : String(cause)}`);
      if (cause instanceof Fault) return 3;
      throw cause;
    }
  },
};
