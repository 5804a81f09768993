import type { World } from './command.ts';
import { VERBS } from './index.ts';
import { callVerb } from './verb.ts';

/** `git agent`, with all its verbs. */
export function agent(args: readonly string[], world: World): Promise<number> {
  return callVerb(VERBS, args, world);
}
