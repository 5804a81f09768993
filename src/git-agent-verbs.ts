import { agent } from './commands/agent.ts';
import { runProgram } from './commands/world.ts';

await runProgram(agent);
