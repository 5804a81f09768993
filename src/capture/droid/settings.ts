import type { HookFile } from '../adapter.ts';
import { claudeSettings, type Wanted } from '../claude-settings.ts';
import { droidFolder } from './locate.ts';
import { EDIT_TOOLS } from './tools.ts';

/** And tools of MCP servers, which may write files as well. */
const SHELL = 'Execute|mcp_.*|.*___.*';

/**
 * No hook tells of a command that failed: its beginning has a snapshot, and the next that comes is of its end. That is why there is one
 * at the end of a turn.
 */
const WANTED: readonly Wanted[] = [
  { event: 'PreToolUse', matcher: SHELL, mode: 'before', timeout: 15 },
  { event: 'PostToolUse', matcher: SHELL, mode: 'after', timeout: 15 },
  { event: 'PostToolUse', matcher: [...EDIT_TOOLS].join('|'), mode: 'event', timeout: 10 },
  { event: 'Stop', mode: 'after', timeout: 15 },
  { event: 'Stop', mode: 'end', timeout: 10 },
  { event: 'SessionEnd', mode: 'end', timeout: 10 },
];

/** A `hooks.json` beside it is not looked at by the versions that we know of. */
export const settings: HookFile = {
  name: 'settings',
  user: (place) => `${droidFolder(place)}/settings.json`,
  project: '.factory/settings.json',
  ...claudeSettings(WANTED, { comments: true }),
};
