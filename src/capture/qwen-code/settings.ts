import type { HookFile } from '../adapter.ts';
import { claudeSettings, type Wanted } from '../claude-settings.ts';
import { qwenFolder } from './locate.ts';

/** And tools of MCP servers, which may write files as well. */
const SHELL = '^(run_shell_command|mcp__.*)$';

/** Prompts are in the transcript. Times are in milliseconds: newer versions count in seconds, and read what is large as it was meant. */
const WANTED: readonly Wanted[] = [
  { event: 'PreToolUse', matcher: SHELL, mode: 'before', timeout: 15_000 },
  { event: 'PostToolUse', matcher: SHELL, mode: 'after', timeout: 15_000 },
  { event: 'PostToolUse', matcher: '^(write_file|edit|notebook_edit)$', mode: 'event', timeout: 10_000 },
  { event: 'PostToolUseFailure', matcher: SHELL, mode: 'after', timeout: 15_000 },
  { event: 'Stop', mode: 'end', timeout: 10_000 },
  { event: 'SubagentStop', mode: 'event', timeout: 10_000 },
  { event: 'SessionEnd', mode: 'end', timeout: 10_000 },
];

export const settings: HookFile = {
  name: 'settings',
  user: (place) => `${qwenFolder(place)}/settings.json`,
  project: '.qwen/settings.json',
  ...claudeSettings(WANTED, { comments: true }),
};
