import { beginEarly } from './commands/check-begin.ts';
import { runProgram } from './commands/world.ts';

void runProgram(async (args, world) => {
  const begun = beginEarly(args, world.cwd);
  // git is at work while the rest is loaded
  const { gate } = await import('./commands/gate.ts');
  return gate(args, world, begun);
});
