import type { Call, Command } from './command.ts';
import { pushOurs, withPeer } from './exchange.ts';

export const command: Command = {
  name: 'push',
  summary: 'push our notes, united with those that a remote has',
  configure(command) {
    command
      .argument('[remote]', 'a name, a path or an address; without it the one that git push takes')
      .option('-n, --dry-run', 'only say what would be done');
  },
  run,
};

async function run({ args: [asked], options, world }: Call): Promise<number> {
  const dry = options.dryRun === true;
  return withPeer(world, { asked, way: 'push', listen: !dry }, async (exchange) => {
    await pushOurs(world, exchange, dry);
    return 0;
  });
}
