import type { HookFile } from '../adapter.ts';
import { claudeSettings, type Wanted } from '../claude-settings.ts';
import { configFolder } from './locate.ts';

/** And tools of MCP servers, which may write files as well; not those of an editor, which are told by the editor. */
const SHELL = 'Bash|PowerShell|mcp__(?!acp__).*';

/** Never WorktreeCreate: a hook for it replaces what Claude Code would do itself. Never async: it is killed when the session ends. */
const WANTED: readonly Wanted[] = [
  { event: 'UserPromptSubmit', mode: 'event', timeout: 10 },
  { event: 'PreToolUse', matcher: SHELL, mode: 'before', timeout: 15 },
  { event: 'PostToolUse', matcher: SHELL, mode: 'after', timeout: 15 },
  { event: 'PostToolUse', matcher: 'Edit|Write|MultiEdit|NotebookEdit', mode: 'event', timeout: 10 },
  { event: 'PostToolUseFailure', matcher: SHELL, mode: 'after', timeout: 15 },
  { event: 'Stop', mode: 'end', timeout: 10 },
  { event: 'SubagentStop', mode: 'event', timeout: 10 },
  { event: 'SessionEnd', mode: 'end', timeout: 10 },
];

/** Only the user's file counts everywhere: a project's is read in the start folder alone. */
export const settings: HookFile = {
  name: 'settings',
  user: (place) => `${configFolder(place)}/settings.json`,
  project: '.claude/settings.json',
  ...claudeSettings(WANTED),
};
