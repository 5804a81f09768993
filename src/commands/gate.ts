import { checkBegun } from './check.ts';
import type { BegunCheck } from './check-begin.ts';
import type { World } from './command.ts';
import { command as report } from './report.ts';
import { callVerb } from './verb.ts';

/** `git agent check` and `git agent report`, in a program of their own. */
export function gate(args: readonly string[], world: World, begun: BegunCheck | undefined): Promise<number> {
  const verbs = [checkBegun(begun), report].map((command) => ({ name: command.name, load: async () => command }));
  return callVerb(verbs, args, world);
}
