import type { EventBase } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import { countOf, defined, isoOf, listOf, objectOf, plainId, textOf } from '../fields.ts';
import { contentText } from './calls.ts';
import type { Draft } from './draft.ts';
import { editorTool } from './editor-tools.ts';
import { type Line, skip } from './lines.ts';
import { modelId, SYNTHETIC } from './model.ts';
import { isPrompt } from './prompts.ts';

/** Tool results, prompts and summaries all come as `user` lines. */
export function readUser(draft: Draft, line: Line): void {
  const content = objectOf(line.fields.message)?.content;
  const blocks = listOf(content).map((block) => objectOf(block) ?? {});
  const results = blocks.filter((block) => block.type === 'tool_result');
  for (const block of results) readResult(draft, line, block);
  if (results.length > 0 || line.sidechain || line.fields.isMeta === true) return;
  const text = contentText(content);
  if (line.fields.isCompactSummary === true) {
    draft.steps.push({ ...eventBase(draft, line), type: 'message', role: 'system', content: text });
  } else if (isPrompt(text)) {
    addPrompt(draft, line, text);
  }
}

function readResult(draft: Draft, line: Line, block: JsonObject): void {
  const id = plainId(block.tool_use_id);
  if (id === undefined) skip(draft.skipped, 'result without id');
  if (id === undefined || draft.answers.has(id)) return;
  draft.answers.set(id, {
    at: line.at ?? draft.place.now,
    error: block.is_error,
    text: contentText(block.content),
    data: line.fields.toolUseResult,
    denial: line.fields.toolDenialKind,
  });
}

/** A prompt's id is that of its turn, where there is one: the hook that saw it knows no other. */
function addPrompt(draft: Draft, line: Line, text: string): void {
  const turn = plainId(line.fields.promptId);
  const fresh = turn !== undefined && !draft.prompts.has(turn);
  if (fresh) draft.prompts.add(turn);
  const base = eventBase(draft, line);
  draft.steps.push({ ...base, id: fresh ? turn : base.id, type: 'message', role: 'user', content: text });
}

export function readAssistant(draft: Draft, line: Line): void {
  const message = objectOf(line.fields.message) ?? {};
  const model = textOf(message.model);
  if (model === SYNTHETIC) {
    readOwnText(draft, line, contentText(message.content));
    return;
  }
  if (model !== undefined) draft.models.add(model);
  const key = plainId(message.id) ?? line.id;
  const before = draft.steps.length;
  readUsage(draft, key, objectOf(message.usage));
  const base = eventBase(draft, line, model);
  listOf(message.content).forEach((item, index) => {
    const block = objectOf(item) ?? {};
    readBlock(draft, block, { line, model, base: index === 0 ? base : { ...base, id: `${base.id}/${index}` } });
  });
  // the first step, whatever is said later: a transcript is read while it grows, and what was told of an event stays with it
  if (key !== undefined && !draft.payers.has(key) && draft.steps.length > before) draft.payers.set(key, before);
}

/** Claude Code's own words: only those about a failed request are news. */
function readOwnText(draft: Draft, line: Line, text: string): void {
  if (line.fields.isApiErrorMessage !== true) return;
  const code = textOf(line.fields.error);
  draft.steps.push(
    defined({
      ...eventBase(draft, line),
      type: 'error' as const,
      message: text,
      code,
      category: 'network',
      resolved: false,
    }),
  );
}

interface Spoken {
  readonly line: Line;
  readonly model: string | undefined;
  readonly base: EventBase;
}

function readBlock(draft: Draft, block: JsonObject, { line, model, base }: Spoken): void {
  switch (block.type) {
    case 'text':
      if (textOf(block.text))
        draft.steps.push({ ...base, type: 'message', role: 'assistant', content: textOf(block.text) ?? '' });
      return;
    case 'thinking': {
      const thought = textOf(block.thinking);
      // the format wants both; one text serves for what was meant and why
      if (thought) draft.steps.push({ ...base, type: 'reasoning', intent: firstLine(thought), rationale: thought });
      return;
    }
    case 'tool_use':
      addCall(draft, block, { line, model, base });
      return;
    case 'redacted_thinking':
    case 'server_tool_use':
    case 'web_search_tool_result':
    case 'fallback':
      return;
    default:
      skip(draft.skipped, 'content block');
  }
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.slice(0, 200) ?? '';
}

function addCall(draft: Draft, block: JsonObject, { line, model, base }: Spoken): void {
  const id = plainId(block.id);
  const name = textOf(block.name);
  if (id === undefined || !name) skip(draft.skipped, 'call without id or name');
  if (id === undefined || !name || draft.calls.has(id)) return;
  const at = line.at ?? draft.place.now;
  const cwd = textOf(line.fields.cwd) ?? draft.place.cwd;
  const properties = base.properties ?? {};
  const input = objectOf(block.input) ?? {};
  const own = editorTool(name);
  const tool = own === undefined ? { name } : { name: own, byEditor: true };
  draft.calls.set(id, defined({ id, ...tool, input, at, cwd, model: modelId(model), properties }));
  draft.steps.push(id);
}

function readUsage(draft: Draft, message: string | undefined, usage: JsonObject | undefined): void {
  if (!usage || message === undefined) return;
  const had = draft.usage.get(message);
  const most = (key: string, before: number | undefined) => Math.max(countOf(usage[key]) ?? 0, before ?? 0);
  draft.usage.set(message, {
    inputTokens: most('input_tokens', had?.inputTokens),
    outputTokens: most('output_tokens', had?.outputTokens),
    cacheReadTokens: most('cache_read_input_tokens', had?.cacheReadTokens),
    cacheWriteTokens: most('cache_creation_input_tokens', had?.cacheWriteTokens),
  });
}

export function readAttachment(draft: Draft, line: Line): void {
  const attachment = objectOf(line.fields.attachment);
  if (attachment?.type === 'queued_command') {
    const text = contentText(attachment.prompt);
    if (isPrompt(text) && !line.sidechain)
      draft.steps.push({ ...eventBase(draft, line), type: 'message', role: 'user', content: text });
  } else if (attachment?.type === 'file') {
    const query = textOf(attachment.displayPath) ?? textOf(attachment.filename);
    draft.steps.push(
      defined({ ...eventBase(draft, line), type: 'contextLoad' as const, source: 'file' as const, query }),
    );
  }
}

export function readSystem(draft: Draft, line: Line): void {
  const base = eventBase(draft, line);
  if (line.fields.subtype === 'compact_boundary') {
    const trigger = textOf(objectOf(line.fields.compactMetadata)?.trigger) ?? 'unknown';
    draft.steps.push({
      ...base,
      type: 'checkpoint',
      checkpointType: 'memory_flush',
      label: `compaction (${trigger})`,
      restorable: false,
    });
  } else if (line.fields.subtype === 'api_error') {
    const error = objectOf(line.fields.error);
    const message = textOf(error?.message) ?? textOf(line.fields.content) ?? 'request failed';
    draft.steps.push({ ...base, type: 'error', message, category: 'network', recovery: 'retry', resolved: true });
  }
}

function eventBase(draft: Draft, line: Line, model?: string): EventBase {
  const known = modelId(model);
  const properties = {
    ...(line.agentId ? { 'claude-code:agentId': line.agentId } : {}),
    ...(model !== undefined && !known ? { 'claude-code:model': model.slice(0, 200) } : {}),
  };
  return defined({
    id: line.id ?? `line-${draft.steps.length + 1}`,
    timestamp: isoOf(line.at ?? draft.place.now),
    model: known,
    properties: Object.keys(properties).length > 0 ? properties : undefined,
  });
}
