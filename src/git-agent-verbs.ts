import { agent } from './commands/agent.ts';
import { runProgram } from './commands/world.ts';

void runProgram(agent);
