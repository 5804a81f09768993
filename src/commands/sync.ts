import { fetchNotes, foreseeFetch, takeNotes } from '../notes/exchange.ts';
import type { Call, Command, World } from './command.ts';
import { pushOurs, sayFetched, withPeer } from './exchange.ts';

export const command: Command = {
  name: 'sync',
  summary: "get a remote's notes, take them into ours, push the whole",
  configure(command) {
    command
      .argument('[remote]', 'without it those that git fetch and git push take')
      .option('-n, --dry-run', 'only say what would be done');
  },
  run,
};

/** Whoever fetches from one remote and pushes to another has notes from the first and brings them to the second. */
async function run({ args: [asked], options, world }: Call): Promise<number> {
  const dry = options.dryRun === true;
  await take(world, asked, dry);
  return withPeer(world, { asked, way: 'push' }, async (exchange) => {
    await pushOurs(world, exchange, dry);
    return 0;
  });
}

function take(world: World, asked: string | undefined, dry: boolean): Promise<void> {
  return withPeer(world, { asked, way: 'fetch' }, async (exchange) => {
    const fetched = await (dry ? foreseeFetch(exchange) : fetchNotes(exchange));
    await world.err.write(sayFetched(exchange.peer, fetched, dry));
    if (!dry) await takeNotes(exchange);
  });
}
