import { findRepository } from '../git/repository.ts';
import { checkHealth, printChecks } from '../setup/doctor.ts';
import { gatherHealth } from '../setup/health.ts';
import type { Call, Command } from './command.ts';

export const command: Command = {
  name: 'doctor',
  summary: 'check every part of the set-up and say how to mend it',
  configure(command) {
    command.option('--json', 'for programs');
  },
  run,
};

async function run({ options, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd, world.env);
  const checks = checkHealth(await gatherHealth(repository, world));
  const json = () => `${JSON.stringify({ schema: 'git-agent-blame/doctor@1', checks }, null, 2)}\n`;
  await world.out.write(options.json === true ? json() : printChecks(checks));
  return checks.some((check) => check.level === 'fail') ? 1 : 0;
}
