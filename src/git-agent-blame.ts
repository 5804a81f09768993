import { beginBlame } from './commands/blame-begin.ts';
import { endTogether, runProgram } from './commands/world.ts';

void runProgram(async (args, world) => {
  const begun = beginBlame(args, world.cwd);
  // the full-screen view looks after its terminal itself
  if (!begun.request.switches.has('tui')) endTogether();
  // git is at work while the rest is loaded
  const { blame } = await import('./commands/blame.ts');
  return blame(args, world, begun);
});
