import { command as join } from './commands/join.ts';
import { callVerb } from './commands/verb.ts';
import { command as work } from './commands/work.ts';
import { runProgram } from './commands/world.ts';

const verbs = [join, work].map((command) => ({ name: command.name, load: async () => command }));

await runProgram((args, world) => callVerb(verbs, args, world));
