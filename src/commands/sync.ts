import type { Fault } from '../fault.ts';
import { leftFault } from '../notes/exchange/left.ts';
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
  const left = await take(world, asked, dry);
  await withPeer(world, { asked, way: 'push', listen: !dry }, (exchange) => pushOurs(world, exchange, dry));
  if (left) throw left;
  return 0;
}

/** What could not be taken is told when the rest has been pushed. */
function take(world: World, asked: string | undefined, dry: boolean): Promise<Fault | undefined> {
  return withPeer(world, { asked, way: 'fetch', listen: !dry }, async (exchange) => {
    const fetched = await (dry ? foreseeFetch(exchange) : fetchNotes(exchange));
    await world.err.write(sayFetched(exchange.peer, fetched, dry));
    const left = dry ? [] : await takeNotes(exchange);
    return left.length > 0 ? leftFault(exchange.peer, left) : undefined;
  });
}
