import { blame } from './commands/blame.ts';
import { runProgram } from './commands/world.ts';

await runProgram(blame);
