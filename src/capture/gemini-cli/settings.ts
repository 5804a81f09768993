import type { HookFile } from '../adapter.ts';
import { claudeSettings, type Wanted } from '../claude-settings.ts';
import { geminiFolder } from './locate.ts';

/** And tools of MCP servers, which may write files as well. */
const SHELL = '^(run_shell_command|mcp_.*)$';
const more = { name: 'git-agent-blame' };

/** Prompts are in the transcript, under ids of their own. Times are in milliseconds. */
const WANTED: readonly Wanted[] = [
  { event: 'BeforeTool', matcher: SHELL, mode: 'before', timeout: 15_000, more },
  { event: 'AfterTool', matcher: SHELL, mode: 'after', timeout: 15_000, more },
  { event: 'AfterTool', matcher: '^(write_file|replace)$', mode: 'event', timeout: 10_000, more },
  { event: 'AfterAgent', mode: 'end', timeout: 10_000, more },
  { event: 'SessionEnd', mode: 'end', timeout: 10_000, more },
];

/** A project's hooks run only in folders that the user trusts. */
export const settings: HookFile = {
  name: 'settings',
  user: (place) => `${geminiFolder(place)}/settings.json`,
  project: '.gemini/settings.json',
  ...claudeSettings(WANTED, { comments: true }),
};
