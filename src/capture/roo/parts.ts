import { resultsIn, type ToldResult } from '../cline/classic-text.ts';
import { listOf, objectOf, plainId, textOf } from '../fields.ts';
import { type Part, partsOf, saidParts, type TagNames } from '../tagged.ts';

export function partsIn(content: unknown): Part[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  return blocks.flatMap((value): Part[] => {
    const block = objectOf(value) ?? {};
    const [name, id] = [textOf(block.name) ?? textOf(block.toolName), plainId(block.id) ?? plainId(block.toolCallId)];
    if (block.type === 'tool_use' || block.type === 'tool-call')
      return name ? [{ id, name, input: objectOf(block.input) ?? {} }] : [];
    const text = textOf(block.thinking) ?? textOf(block.text) ?? '';
    if (block.type === 'thinking' || block.type === 'reasoning') return saidParts('thought', text);
    return block.type === 'text' ? partsOf(text, TAGS) : [];
  });
}

/** Until the end of 2025 calls were tags among the words. */
const TAGS: TagNames = {
  tools:
    'write_to_file|apply_diff|insert_content|search_and_replace|edit_file|execute_command|read_file|list_files|search_files'.split(
      '|',
    ),
  inputs: ['args', 'path', 'content', 'diff', 'line', 'search', 'replace', 'command', 'cwd'],
};

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
