import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { parseJsonFile, type Skipped, skip } from '../json-lines.ts';
import type { Captured } from '../session.ts';
import type { Said, Step } from '../tale.ts';
import { modelOf } from './model.ts';
import { callOf, type Result } from './tools.ts';
import { filePath } from './uri.ts';

/** A thread as Amp wrote it in February 2026 (version 0.0.1772237000): one document, rewritten as it grows. */
export function decodeThread(file: TranscriptFile): Captured {
  const skipped: Skipped = {};
  const thread = objectOf(parseJsonFile(file.text()));
  if (!thread) skip(skipped, 'broken file');
  const messages = listOf(thread?.messages).map((value) => objectOf(value) ?? {});
  const initial = objectOf(objectOf(thread?.env)?.initial);
  const session = plainId(thread?.id) ?? '';
  const about: About = {
    session,
    cwd: filePath(objectOf(listOf(initial?.trees)[0])?.uri),
    ran: toolTimes(thread ?? {}),
    results: resultsIn(messages),
    skipped,
  };
  let telling: Telling = { now: countOf(thread?.created) ?? file.modified, steps: [] };
  for (const message of messages) telling = tell(telling, message, about);
  return assemble(
    defined({
      session,
      tool: defined({ name: 'amp', version: textOf(objectOf(initial?.platform)?.clientVersion) }),
      cwd: about.cwd,
      startedAt: countOf(thread?.created),
      tokens: tokensOf(messages),
      steps: telling.steps,
      skipped,
    }),
  );
}

interface About {
  readonly session: string;
  readonly cwd: string | undefined;
  /** When the tools of a message ran, by its number. */
  readonly ran: ReadonlyMap<number, { readonly from: number; readonly to: number }>;
  readonly results: ReadonlyMap<string, JsonObject>;
  readonly skipped: Skipped;
}

function toolTimes(thread: JsonObject): Map<number, { from: number; to: number }> {
  return new Map(
    listOf(objectOf(thread.meta)?.traces).flatMap((value) => {
      const trace = objectOf(value);
      const [message, from, to] = [
        countOf(objectOf(trace?.context)?.messageId),
        timeOf(trace?.startTime),
        timeOf(trace?.endTime),
      ];
      const whole = trace?.name === 'tools' && message !== undefined && from !== undefined && to !== undefined;
      return whole ? [[message, { from, to }] as const] : [];
    }),
  );
}

function resultsIn(messages: readonly JsonObject[]): Map<string, JsonObject> {
  const results = new Map<string, JsonObject>();
  for (const block of messages.flatMap(({ content }) => listOf(content).map((one) => objectOf(one) ?? {}))) {
    const [id, run] = [plainId(block.toolUseID), objectOf(block.run)];
    if (block.type === 'tool_result' && id !== undefined && run) results.set(id, run);
  }
  return results;
}

interface Telling {
  /** Messages that do not say when they were are as old as the one before. */
  readonly now: number;
  readonly steps: Step[];
}

function tell({ now, steps }: Telling, message: JsonObject, about: About): Telling {
  const usage = objectOf(message.usage);
  const at = countOf(objectOf(message.meta)?.sentAt) ?? timeOf(usage?.timestamp) ?? now;
  const number = countOf(message.messageId) ?? -1;
  const model = modelOf(textOf(usage?.model));
  listOf(message.content).forEach((value, i) => {
    const block = objectOf(value) ?? {};
    const id = `${about.session}-${number}-${i}`;
    if (block.type === 'tool_use') steps.push(...toolStep(block, defined({ at, model, number }), about));
    else steps.push(...saidStep(block, message.role, defined({ id, at, model })));
  });
  return { now: Math.max(at, about.ran.get(number)?.to ?? 0), steps };
}

function saidStep(block: JsonObject, role: unknown, base: Pick<Said, 'id' | 'at' | 'model'>): Said[] {
  const thought = block.type === 'thinking';
  const text = textOf(thought ? block.thinking : block.type === 'text' ? block.text : undefined);
  if (!text?.trim()) return [];
  return [{ kind: thought ? 'thought' : role === 'user' ? 'prompt' : 'message', ...base, text }];
}

function toolStep(
  block: JsonObject,
  { at, model, number }: { readonly at: number; readonly model?: string; readonly number: number },
  { cwd, ran, results, skipped }: About,
): Step[] {
  const [id, name, input] = [plainId(block.id), textOf(block.name), objectOf(block.input)];
  if (id === undefined || !name || !input) {
    skip(skipped, 'call without id, name or input');
    return [];
  }
  const [times, run] = [ran.get(number), results.get(id)];
  const result: Result | undefined = run && { at: times?.to ?? at, run };
  return [callOf(defined({ id, at: times?.from ?? at, name, input, cwd, model }), result)];
}

function tokensOf(messages: readonly JsonObject[]): TokenUsage | undefined {
  const usages = messages.map(({ usage }) => objectOf(usage)).filter((usage) => usage !== undefined);
  if (usages.length === 0) return undefined;
  const sum = (key: string) => usages.reduce((total, usage) => total + (countOf(usage[key]) ?? 0), 0);
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheReadTokens: sum('cacheReadInputTokens'),
    cacheWriteTokens: sum('cacheCreationInputTokens'),
  };
}
