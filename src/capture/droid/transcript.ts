import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { parseJsonFile, parseJsonLines, type Skipped, skip } from '../json-lines.ts';
import type { Captured } from '../session.ts';
import type { Said, Step, Tale } from '../tale.ts';
import { modelId } from './model.ts';
import { callOf, type Result } from './tools.ts';

/** A session as it is read line by line. */
interface Draft {
  start: JsonObject | undefined;
  readonly messages: Map<string, Message>;
  readonly results: Map<string, Result>;
  readonly skipped: Skipped;
}

interface Message {
  readonly id: string;
  readonly at: number;
  readonly role: string;
  readonly fields: JsonObject;
}

/** Lines that say nothing of who wrote what. */
const IGNORED = new Set(
  'agent_turn_outcome todo_state compaction_state compaction session_end title_update settings_update'.split(' '),
);

/** What one session file, and the file of its settings beside it, tells. */
export function decodeTranscript(file: TranscriptFile): Captured {
  const draft: Draft = { start: undefined, messages: new Map(), results: new Map(), skipped: {} };
  for (const line of parseJsonLines(file.lines(), draft.skipped)) {
    const type = textOf(line.type) ?? 'none';
    if (type === 'session_start') draft.start ??= line;
    else if (type === 'message') readMessage(draft, line);
    else if (!IGNORED.has(type)) skip(draft.skipped, `line type ${type}`);
  }
  const settings = file.read(file.path.replace(/\.jsonl$/, '.settings.json'));
  return assemble(taleOf(draft, objectOf(parseJsonFile(settings ?? '')) ?? {}));
}

function readMessage({ messages, results, skipped }: Draft, line: JsonObject): void {
  const fields = objectOf(line.message);
  const [id, at, role] = [plainId(line.id), timeOf(line.timestamp), textOf(fields?.role)];
  if (!fields || id === undefined || at === undefined || role === undefined) {
    skip(skipped, 'message without id, time or role');
    return;
  }
  // words of the vendor for the model, and of our own hooks
  if (fields.visibility === 'llm_only' || fields.visibility === 'user_only') return;
  messages.set(id, { id, at, role, fields });
  for (const value of listOf(fields.content)) {
    const block = objectOf(value);
    const call = block?.type === 'tool_result' ? plainId(block.tool_use_id) : undefined;
    if (!block || call === undefined) continue;
    const error = typeof block.is_error === 'boolean' ? block.is_error : undefined;
    results.set(call, { at, error, text: textOfContent(block.content) });
  }
}

function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .flatMap((block) => textOf(objectOf(block)?.text) ?? [])
    .join('\n');
}

function taleOf({ start = {}, messages, results, skipped }: Draft, settings: JsonObject): Tale {
  const cwd = textOf(start.cwd);
  const parent = plainId(start.parent);
  return defined({
    session: plainId(start.id) ?? '',
    tool: { name: 'droid' },
    cwd,
    // of the session as a whole, where its messages do not say: it may have been another before
    model: [...messages.values()].some(({ fields }) => textOf(fields.modelId))
      ? undefined
      : modelId(textOf(settings.model)),
    parentSession: plainId(start.callingSessionId),
    forkedFrom: textOf(start.forkedAtMessageId) === undefined ? undefined : parent,
    tokens: tokensOf(objectOf(settings.tokenUsage)),
    steps: [...messages.values()].flatMap((message) => stepsOf(message, results, { cwd, skipped })),
    skipped,
  });
}

function tokensOf(usage: JsonObject | undefined): TokenUsage | undefined {
  const [inputTokens, outputTokens] = [countOf(usage?.inputTokens), countOf(usage?.outputTokens)];
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return defined({
    inputTokens,
    outputTokens,
    cacheReadTokens: countOf(usage?.cacheReadTokens),
    cacheWriteTokens: countOf(usage?.cacheCreationTokens),
    reasoningTokens: countOf(usage?.thinkingTokens),
  });
}

function stepsOf(
  { id, at, role, fields }: Message,
  results: ReadonlyMap<string, Result>,
  { cwd, skipped }: { cwd: string | undefined; skipped: Skipped },
): Step[] {
  if (role === 'user') {
    const text = promptOf(fields.content);
    return text === undefined ? [] : [{ kind: 'prompt', id, at, text }];
  }
  const model = modelId(textOf(fields.modelId));
  const content = typeof fields.content === 'string' ? [{ type: 'text', text: fields.content }] : fields.content;
  return listOf(content).flatMap((value, i): Step[] => {
    const block = objectOf(value) ?? {};
    if (block.type !== 'tool_use') return saidOf(block, defined({ id: `${id}/${i}`, at, model }));
    const [call, name, input] = [plainId(block.id), textOf(block.name), objectOf(block.input)];
    if (call === undefined || !name || !input) {
      skip(skipped, 'call without id, name or input');
      return [];
    }
    return [callOf(defined({ id: call, at, name, input, cwd, model }), results.get(call))];
  });
}

const REMINDER = /^\s*<system-reminder>[\s\S]*?<\/system-reminder>\s*/;

/** The first text that a person typed: files that it speaks of come in blocks behind it, older versions' reminders in front. */
function promptOf(content: unknown): string | undefined {
  const texts = typeof content === 'string' ? [content] : listOf(content).map((block) => textOf(objectOf(block)?.text));
  return texts.map((text) => stripped(text ?? '')).find((text) => text.trim() !== '');
}

function stripped(text: string): string {
  let rest = text;
  while (REMINDER.test(rest)) rest = rest.replace(REMINDER, '');
  return rest;
}

function saidOf(block: JsonObject, base: Pick<Said, 'id' | 'at' | 'model'>): Said[] {
  const thought = block.type === 'thinking';
  const text = textOf(thought ? block.thinking : block.text);
  return text?.trim() ? [{ kind: thought ? 'thought' : 'message', ...base, text }] : [];
}
