import type { JsonObject } from '../../json.ts';
import { countOf, listOf, objectOf, plainId, textOf } from '../fields.ts';
import { parseJsonFile, skip } from '../json-lines.ts';
import { isServerTool } from '../server-tool.ts';
import type { Said } from '../tale.ts';
import { parseAnswer } from './answers.ts';
import { callAt, modelOf } from './calls.ts';
import type { Draft, Line } from './draft.ts';
import { isTyped, typedText } from './prompts.ts';

/** Items of the model's side that say nothing of who wrote what. */
const IGNORED = new Set(
  (
    'additional_tools agent_message compaction compaction_trigger context_compaction ghost_snapshot image_generation_call ' +
    'tool_search_call tool_search_output web_search_call'
  ).split(' '),
);

/** What the model said and was told, in the words of its API. */
export function readItem(draft: Draft, line: Line): void {
  const type = textOf(line.payload.type) ?? 'none';
  switch (type) {
    case 'message':
      readMessage(draft, line);
      return;
    case 'reasoning':
      readThought(draft, line);
      return;
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      readCall(draft, line, type);
      return;
    case 'function_call_output':
    case 'custom_tool_call_output':
      readAnswer(draft, line);
      return;
    default:
      if (!IGNORED.has(type)) skip(draft.skipped, `item ${type}`);
  }
}

function readMessage(draft: Draft, line: Line): void {
  const { role, content } = line.payload;
  const text = contentText(content);
  if (text.trim() === '') return;
  if (role === 'assistant') draft.steps.push(said(draft, line, { kind: 'message', text }));
  if (role === 'user' && isTyped(line.payload, text))
    draft.maybePrompts.push(said(draft, line, { kind: 'prompt', text: typedText(text) }));
}

function readThought(draft: Draft, line: Line): void {
  const text = contentText(line.payload.summary);
  if (text.trim() !== '') draft.steps.push(said(draft, line, { kind: 'thought', text }));
}

function said(draft: Draft, { payload, at, number }: Line, what: Pick<Said, 'kind' | 'text'>): Said {
  const model = what.kind === 'prompt' ? undefined : modelOf(draft);
  const id = plainId(payload.id) ?? `line-${number}`;
  return { ...what, id, at, ...(model !== undefined && { model }) };
}

/** The texts of a content: a string, or parts of it. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .flatMap((part) => textOf(objectOf(part)?.text) ?? [])
    .join('\n');
}

function readCall(draft: Draft, { payload, at }: Line, type: string): void {
  const id = plainId(payload.call_id) ?? plainId(payload.id);
  const name = type === 'local_shell_call' ? 'local_shell' : nameOf(payload);
  if (id === undefined || !name) {
    skip(draft.skipped, 'call without id or name');
    return;
  }
  draft.askedAt = at;
  const call = callAt(draft, id);
  call.asked ??= { name, input: inputOf(payload, type), at };
}

/** Tools of an MCP server stand together under its name. */
function nameOf({ namespace, name }: JsonObject): string | undefined {
  const [whose, own] = [textOf(namespace), textOf(name)?.replace(/^functions\./, '')];
  return whose && isServerTool(whose) && own ? `${whose}__${own}` : own;
}

/** Functions are given JSON as a text, tools of their own kind a plain text. */
function inputOf(payload: JsonObject, type: string): JsonObject {
  if (type === 'local_shell_call') return objectOf(payload.action) ?? {};
  const text = textOf(type === 'function_call' ? payload.arguments : payload.input);
  const parsed = text?.trimStart().startsWith('{') ? objectOf(parseJsonFile(text)) : undefined;
  return parsed ?? (text === undefined ? {} : { input: text });
}

function readAnswer(draft: Draft, { payload, at }: Line): void {
  const id = plainId(payload.call_id);
  if (id === undefined) {
    skip(draft.skipped, 'answer without id');
    return;
  }
  const call = callAt(draft, id);
  const text = contentText(payload.output) || (textOf(objectOf(payload.output)?.content) ?? '');
  call.answer ??= { text, at };
  followProcess(draft, id, { text, at });
}

/** A command may go on after its call has returned; the model then asks how it fares, by the number of its process. */
function followProcess(draft: Draft, id: string, answer: { readonly text: string; readonly at: number }): void {
  const { running, exitCode } = parseAnswer(answer.text);
  const asked = draft.calls.get(id)?.asked;
  const first = asked?.name === 'write_stdin' ? draft.running.get(`${countOf(asked.input.session_id)}`) : undefined;
  const call = first === undefined ? undefined : draft.calls.get(first);
  if (call && exitCode !== undefined) call.answer = answer;
  else if (running !== undefined && first === undefined) draft.running.set(running, id);
}
