import type { JsonObject } from '../../json.ts';
import { resultsIn, type ToldResult } from '../cline/classic-text.ts';
import { listOf, objectOf, plainId, textOf } from '../fields.ts';
import { findTagged } from '../tagged.ts';

/** What stands in a message of the model: words, or a call. */
export type Part =
  | { readonly kind: 'message' | 'thought'; readonly text: string }
  | { readonly id: string | undefined; readonly name: string; readonly input: JsonObject };

export function partsIn(content: unknown): Part[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  return blocks.flatMap((value): Part[] => {
    const block = objectOf(value) ?? {};
    const [name, id] = [textOf(block.name) ?? textOf(block.toolName), plainId(block.id) ?? plainId(block.toolCallId)];
    if (block.type === 'tool_use' || block.type === 'tool-call')
      return name ? [{ id, name, input: objectOf(block.input) ?? {} }] : [];
    const text = textOf(block.thinking) ?? textOf(block.text) ?? '';
    if (block.type === 'thinking' || block.type === 'reasoning') return said('thought', text);
    return block.type === 'text' ? taggedIn(text) : [];
  });
}

function said(kind: 'message' | 'thought', text: string): Part[] {
  return text.trim() === '' ? [] : [{ kind, text: text.trim() }];
}

const TOOLS =
  'write_to_file|apply_diff|insert_content|search_and_replace|edit_file|execute_command|read_file|list_files|search_files'.split(
    '|',
  );

/** No model answers with more. */
const MAX_TAGGED = 4 << 20;

/** Until the end of 2025 calls were tags among the words. */
function taggedIn(text: string): Part[] {
  if (text.length > MAX_TAGGED) return said('message', text);
  const parts: Part[] = [];
  let from = 0;
  for (const { name, inside, start, end } of findTagged(text, TOOLS)) {
    parts.push(...said('message', text.slice(from, start)));
    parts.push({ id: undefined, name, input: inputOf(inside) });
    from = end;
  }
  return [...parts, ...said('message', text.slice(from))];
}

/** A text may have tags of its own: it ends with the last of its kind. */
function inputOf(text: string): JsonObject {
  const input: Record<string, string> = {};
  for (const key of ['args', 'path', 'content', 'diff', 'line', 'search', 'replace', 'command', 'cwd']) {
    const [start, end] = [text.indexOf(`<${key}>`), text.lastIndexOf(`</${key}>`)];
    if (start >= 0 && end > start) input[key] = text.slice(start + key.length + 2, end).replace(/^\n|\n$/g, '');
  }
  return input;
}

/** The answers in the message after; for a short time in 2026 they had one of their own. */
export function answersIn(content: unknown): ToldResult[] {
  const own = listOf(content).flatMap((value): ToldResult[] => {
    const block = objectOf(value) ?? {};
    const output = objectOf(block.output);
    const text = textOf(output?.value) ?? textOf(block.output);
    return block.type === 'tool-result' && text !== undefined
      ? [{ id: plainId(block.toolCallId), name: '', text }]
      : [];
  });
  return [...own, ...resultsIn(content)];
}
