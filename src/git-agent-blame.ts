import { beginBlame } from './commands/blame-begin.ts';
import { runProgram } from './commands/world.ts';

await runProgram(async (args, world) => {
  const begun = beginBlame(args, world.cwd);
  // git is at work while the rest is loaded
  const { blame } = await import('./commands/blame.ts');
  return blame(args, world, begun);
});
