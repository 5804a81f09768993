import type { Command } from './command.ts';

export const command: Command = {
  name: 'version',
  summary: 'print the version',
  configure() {},
  async run({ world }) {
    await world.out.write(`git-agent-blame ${world.version}\n`);
    return 0;
  },
};
