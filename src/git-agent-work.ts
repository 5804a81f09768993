import { command as join } from './commands/join.ts';
import { command as work } from './commands/work.ts';
import { runProgram } from './commands/world.ts';

const verbs = [join, work].map((command) => ({ name: command.name, load: async () => command }));

void runProgram(async (args, world) => {
  const [verb, folder = '-', ...more] = args;
  // as hooks call it, it has no options
  const called = verb === work.name && !folder.startsWith('-') && more.length === 0;
  if (called) return work.run({ args: [folder], options: {}, world });
  const { callVerb } = await import('./commands/verb.ts');
  return callVerb(verbs, args, world);
});
