import type { CommandFor, HookFile, HookMode } from '../adapter.ts';
import { OWN_MARK, ownFile } from '../own-file.ts';
import { clineFolder } from './locate.ts';

/**
 * A hook is a file with the name of its event. Cline runs those of four folders, all of them: ours are in one. Before and after a tool it
 * waits for them; what they print is taken for JSON.
 */
const EVENTS: readonly (readonly [string, HookMode])[] = [
  ['PreToolUse', 'pre'],
  ['PostToolUse', 'post'],
  ['TaskComplete', 'end'],
  ['TaskCancel', 'end'],
];

export const hookFiles: readonly HookFile[] = EVENTS.map(([event, mode]) => ({
  name: event,
  user: (place) => `${clineFolder(place)}/hooks/${event}`,
  project: `.cline/hooks/${event}`,
  executable: true,
  ...ownFile((command) => print(command, mode)),
}));

function print(command: CommandFor, mode: HookMode): string {
  return `#!/bin/sh\n# ${OWN_MARK}\n(\n${command(mode)}\n)\necho '{"cancel":false}'\n`;
}
