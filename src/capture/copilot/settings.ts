import type { HookFile, HookMode } from '../adapter.ts';
import { OWN_MARK, ownFile } from '../own-file.ts';
import { copilotHome } from './locate.ts';

/**
 * The CLI's names of events; VS Code reads the same file, by the same names. A hook before a tool that fails would keep the tool from
 * running: ours never does. Settings cannot tell tools apart: `pre` and `post` look at the payload.
 */
const WANTED: readonly (readonly [event: string, mode: HookMode, seconds: number])[] = [
  ['preToolUse', 'pre', 15],
  ['postToolUse', 'post', 15],
  ['postToolUseFailure', 'post', 15],
  ['agentStop', 'end', 10],
  ['sessionEnd', 'end', 10],
];

/** A file of its own in a folder of such files. */
export const settings: HookFile = {
  name: 'hooks',
  user: (place) => `${copilotHome(place)}/hooks/git-agent-blame.json`,
  project: '.github/hooks/git-agent-blame.json',
  ...ownFile((command) => {
    const hooks = WANTED.map(([event, mode, timeoutSec]) => [
      event,
      [{ type: 'command', bash: command(mode), timeoutSec }],
    ]);
    return `${JSON.stringify({ version: 1, comment: OWN_MARK, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
  }),
};
