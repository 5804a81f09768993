import type { HookFile } from '../adapter.ts';
import { claudeSettings, type Wanted } from '../claude-settings.ts';
import { codexFolder } from './locate.ts';

/** Also tools of MCP servers, which may write files as well. */
const SHELL = 'Bash|mcp__.*';

/** `Bash` is every shell tool, by whatever name the model knows it. At the end of a session Codex waits for three seconds at most. */
const WANTED: readonly Wanted[] = [
  { event: 'UserPromptSubmit', mode: 'event', timeout: 10 },
  { event: 'PreToolUse', matcher: SHELL, mode: 'before', timeout: 15 },
  { event: 'PostToolUse', matcher: SHELL, mode: 'after', timeout: 15 },
  { event: 'PostToolUse', matcher: 'apply_patch', mode: 'event', timeout: 10 },
  { event: 'Stop', mode: 'end', timeout: 10 },
  { event: 'SubagentStop', mode: 'event', timeout: 10 },
  { event: 'SessionEnd', mode: 'end', timeout: 3 },
];

export const settings: HookFile = {
  name: 'hooks',
  user: (place) => `${codexFolder(place)}/hooks.json`,
  project: '.codex/hooks.json',
  ...claudeSettings(WANTED),
};
