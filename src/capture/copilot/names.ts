import { type JsonObject, parseJson } from '../../json.ts';
import { objectOf, plainId, textOf } from '../fields.ts';

/** VS Code's ids of tools, for the names that models know them by. */
const BY_ID: ReadonlyMap<string, string> = new Map([
  ['copilot_createFile', 'create_file'],
  ['copilot_replaceString', 'replace_string_in_file'],
  ['copilot_multiReplaceString', 'multi_replace_string_in_file'],
  ['copilot_insertEdit', 'insert_edit_into_file'],
  ['copilot_applyPatch', 'apply_patch'],
  ['copilot_editNotebook', 'edit_notebook_file'],
  ['copilot_readFile', 'read_file'],
  ['copilot_findTextInFiles', 'grep_search'],
  ['copilot_findFiles', 'file_search'],
  ['copilot_fetchWebPage', 'fetch_webpage'],
]);

export function plainName(name: string): string {
  return BY_ID.get(name) ?? name;
}

/** Hooks that are named in Claude Code's way are told its names of tools, with the arguments of the tool that it was. */
export function nameBehind(name: string, input: JsonObject): string {
  if (name === 'Bash') return 'bash';
  if (name === 'PowerShell') return 'powershell';
  if (name !== 'Edit' && name !== 'Write') return plainName(name);
  if ('command' in input) return 'str_replace_editor';
  if ('file_text' in input) return 'create';
  return 'old_str' in input ? 'edit' : 'apply_patch';
}

const MAX_INPUT = 64 << 20;

/** What a tool was given: an object, older versions its JSON, apply_patch the patch itself. The same in hook and transcript. */
export function inputOf(value: unknown): JsonObject {
  const text = textOf(value);
  if (text === undefined) return objectOf(value) ?? {};
  const parsed = parseJson(text, MAX_INPUT);
  return ('value' in parsed && objectOf(parsed.value)) || { input: text };
}

/** VS Code adds a number of its own to the ids of calls, in some places. */
export function callId(value: unknown): string | undefined {
  return plainId(textOf(value)?.replace(/__vscode-\d+$/, ''));
}
