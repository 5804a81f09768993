import type { JsonObject } from '../json.ts';
import { objectOf, textOf } from './fields.ts';

/** By where an agent keeps its transcripts. Claude Code's last: the folder above `projects` may be any (CLAUDE_CONFIG_DIR). */
const BY_TRANSCRIPT: readonly (readonly [RegExp, string])[] = [
  [/[\\/]\.cursor[\\/]/, 'cursor'],
  [/GitHub\.copilot-chat|workspaceStorage|[\\/]\.copilot[\\/]/i, 'copilot'],
  [/[\\/]\.codex[\\/]|[\\/]rollout-[^\\/]+\.jsonl$/, 'codex'],
  [/[\\/]\.qwen[\\/]|[\\/]projects[\\/][^\\/]+[\\/]chats[\\/][^\\/]+\.jsonl$/, 'qwen-code'],
  [/[\\/]\.gemini[\\/]/, 'gemini-cli'],
  [/[\\/]\.factory[\\/]/, 'droid'],
  [/[\\/]\.continue[\\/]/, 'continue'],
  [/[\\/]projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/, 'claude-code'],
];

/**
 * Whose payload it is: several agents run hooks found in each other's settings, so that the place a hook was installed in says little.
 * `installed`: the agent whose settings named us; it counts only where the payload speaks no language of its own. Undefined: nobody we know.
 */
export function whoIs(payload: unknown, installed = ''): string | undefined {
  const fields = objectOf(payload);
  if (!fields) return undefined;
  // our own plug-ins say who they are
  const own = textOf(fields.git_agent);
  if (own !== undefined) return own;
  return bySpeech(fields) ?? byTranscript(fields) ?? (fits(fields, installed) ? installed : undefined);
}

/** Names of fields that one agent alone has. */
function bySpeech(fields: JsonObject): string | undefined {
  if ('cursor_version' in fields || 'conversation_id' in fields) return 'cursor';
  if ('agent_action_name' in fields && 'trajectory_id' in fields) return 'windsurf';
  if ('hookName' in fields && ('taskId' in fields || 'workspaceRoots' in fields)) return 'cline';
  if (textOf(fields.sessionId) !== undefined && typeof fields.timestamp === 'number') return 'copilot';
  // VS Code's Copilot names tool calls and stamps them, and knows no permission modes
  return 'tool_use_id' in fields && 'timestamp' in fields && !('permission_mode' in fields) ? 'copilot' : undefined;
}

function byTranscript(fields: JsonObject): string | undefined {
  const transcript = textOf(fields.transcript_path);
  if (transcript === undefined || textOf(fields.session_id) === undefined) return undefined;
  return BY_TRANSCRIPT.find(([pattern]) => pattern.test(transcript))?.[1];
}

/** Agents whose payloads have neither a transcript's path nor words of their own; in all others one of them must speak. */
const TRUSTED = new Set(['codex', 'gemini-cli', 'qwen-code', 'droid', 'windsurf', 'copilot']);

function fits(fields: JsonObject, installed: string): boolean {
  return TRUSTED.has(installed) && Object.keys(fields).length > 0 && !textOf(fields.transcript_path);
}
