import { listOf, objectOf, plainId, textOf } from '../fields.ts';
import { type Part, partsOf, saidParts, type TagNames } from '../tagged.ts';

export function askedIn(content: unknown): Part[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  return blocks.flatMap((value): Part[] => {
    const block = objectOf(value) ?? {};
    const name = textOf(block.name);
    if (block.type === 'tool_use')
      return name ? [{ id: plainId(block.id), name, input: objectOf(block.input) ?? {} }] : [];
    const text = textOf(block.type === 'thinking' ? block.thinking : block.text) ?? '';
    if (block.type === 'thinking') return saidParts('thought', text);
    return partsOf(text, TAGS);
  });
}

const TAGS: TagNames = {
  tools: 'write_to_file|replace_in_file|apply_patch|execute_command|read_file|list_files|search_files'.split('|'),
  inputs: ['path', 'absolutePath', 'content', 'diff', 'command', 'input'],
};

export interface ToldResult {
  readonly id?: string | undefined;
  readonly name: string;
  readonly text: string;
}

/** `[write_to_file for 'a.ts'] Result:`, and what follows until the next one or until Cline tells of other things. */
const RESULT = /^\[(\w+)(?: for [\s\S]*?)?\] Result:\n?/;

export function resultsIn(content: unknown): ToldResult[] {
  const results: (ToldResult & { readonly more: string[] })[] = [];
  let open: string[] | undefined;
  for (const value of listOf(content)) {
    const block = objectOf(value) ?? {};
    const text = textOf(block.text) ?? '';
    const head = RESULT.exec(text);
    if (block.type === 'tool_result') {
      results.push({ id: plainId(block.tool_use_id), name: '', text: textOfContent(block.content), more: [] });
      open = undefined;
    } else if (head) {
      open = [];
      results.push({ name: head[1] ?? '', text: text.slice(head[0].length), more: open });
    } else if (/^\s*(?:<environment_details>|# )/.test(text)) open = undefined;
    else open?.push(text);
  }
  return results.map(({ more, ...result }) => ({ ...result, text: [result.text, ...more].filter(Boolean).join('\n') }));
}

function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content.replace(RESULT, '');
  return listOf(content)
    .flatMap((block) => textOf(objectOf(block)?.text) ?? [])
    .join('\n')
    .replace(RESULT, '');
}

const TYPED = /<(task|feedback|user_message|answer)>\n?([\s\S]*?)\n?<\/\1>/g;

/** A person's words stand in tags. */
export function typedIn(content: unknown): string[] {
  const texts = typeof content === 'string' ? [content] : listOf(content).map((block) => textOf(objectOf(block)?.text));
  return texts.flatMap((text) => {
    // a result may show a file that has such tags
    const own = text !== undefined && !(RESULT.test(text) && !/<(?:feedback|answer)>/.test(text));
    return own ? [...text.matchAll(TYPED)].flatMap((match) => (match[2]?.trim() ? [match[2]] : [])) : [];
  });
}
