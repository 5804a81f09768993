import { command as check } from './commands/check.ts';
import { command as report } from './commands/report.ts';
import { callVerb } from './commands/verb.ts';
import { runProgram } from './commands/world.ts';

const verbs = [check, report].map((command) => ({ name: command.name, load: async () => command }));

await runProgram((args, world) => callVerb(verbs, args, world));
