import { objectOf, textOf } from './fields.ts';

const OTHERS =
  /[\\/]\.(?:cursor|codex|gemini|factory|qwen|continue|copilot)[\\/]|GitHub\.copilot-chat|workspaceStorage/i;

/**
 * Whose payload it is. Cursor, Copilot and Continue also run hooks found in Claude Code's settings, so the place a hook was installed
 * in says nothing. Undefined: an agent that we have no adapter for.
 */
export function whoIs(payload: unknown): 'claude-code' | undefined {
  const fields = objectOf(payload);
  if (!fields || textOf(fields.session_id) === undefined || textOf(fields.hook_event_name) === undefined)
    return undefined;
  if ('cursor_version' in fields || 'conversation_id' in fields) return undefined;
  // VS Code's Copilot names tool calls and stamps them, and knows no permission modes
  if ('tool_use_id' in fields && 'timestamp' in fields && !('permission_mode' in fields)) return undefined;
  const transcript = textOf(fields.transcript_path) ?? '';
  if (OTHERS.test(transcript)) return undefined;
  // the folder above `projects` may be any: CLAUDE_CONFIG_DIR
  return /[\\/]projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/.test(transcript) ? 'claude-code' : undefined;
}
