import { Fault } from '../fault.ts';
import { fetchNotes, foreseeFetch } from '../notes/exchange.ts';
import type { Command } from './command.ts';
import { sayFetched, withPeer } from './exchange.ts';

export const command: Command = {
  name: 'fetch',
  summary: "get a remote's notes and what colleagues have shared; readers see them at once, our own stay as they are",
  configure(command) {
    command
      .argument('[remote]', 'without it the one that git fetch takes')
      .option('-n, --dry-run', 'only say what would be done');
  },
  async run({ args, options, world }) {
    const dry = options.dryRun === true;
    return withPeer(world, { asked: args[0], way: 'fetch', listen: !dry }, async (exchange) => {
      const { peer } = exchange;
      if (peer.passing) {
        throw new Fault('usage', `${peer.name} is no remote of this repository: git agent sync takes an address.`);
      }
      const fetched = await (dry ? foreseeFetch(exchange) : fetchNotes(exchange));
      await world.err.write(sayFetched(peer, fetched, dry));
      return 0;
    });
  },
};
