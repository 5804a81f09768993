import { findRepository } from '../git/repository.ts';
import { deinit } from '../setup/deinit.ts';
import { plainText } from '../terminal/plain.ts';
import type { Call, Command } from './command.ts';

export const command: Command = {
  name: 'deinit',
  summary: 'take back what init did; notes stay',
  configure(command) {
    command
      .option('--purge', 'also remove the sessions recorded in this repository')
      .option('--global', 'also the git hooks of init --global, though other repositories may use them');
  },
  run,
};

async function run({ options, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd, world.env);
  const { said, left } = await deinit(repository, world, {
    purge: options.purge === true,
    global: options.global === true,
  });
  const lines =
    said.length > 0
      ? ['Taken back:', ...said.map((line) => `  ${line}`)]
      : [left.length > 0 ? 'Nothing was taken back.' : 'Nothing to take back: init was not run here.'];
  await world.out.write(`${plainText(lines.join('\n'))}\n`);
  for (const line of left) await world.err.write(`${world.name}: ${plainText(line)}\n`);
  return left.length > 0 ? 1 : 0;
}
