import type { JsonObject } from '../../json.ts';
import { listOf, objectOf } from '../fields.ts';

/** Texts that stand where a prompt would, and that no person typed. */
const NOT_TYPED = [
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md instructions',
  '<INSTRUCTIONS>',
  '<turn_aborted>',
  '<skill>',
  '<subagent_notification>',
  '<user_shell_command>',
  '<permissions instructions>',
];

/** Whether a message in the user's name is one that a person typed. */
export function isTyped(payload: JsonObject, text: string): boolean {
  const kinds = listOf(objectOf(payload.internal_chat_message_metadata_passthrough)?.content_item_kinds);
  if (kinds.length > 0) return kinds.includes('user.text');
  return !NOT_TYPED.some((mark) => text.trimStart().startsWith(mark));
}

const REQUEST = '## My request for Codex:';

/** The prompt without what editors put in front of it: open files, a selection. */
export function typedText(text: string): string {
  const at = text.startsWith('# Context from my IDE setup:') ? text.lastIndexOf(REQUEST) : -1;
  return at < 0 ? text : text.slice(at + REQUEST.length).trim();
}
