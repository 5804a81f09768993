import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { parseJsonFile, type Skipped, skip } from '../json-lines.ts';
import type { Captured } from '../session.ts';
import type { Said, Step } from '../tale.ts';
import { modelId } from './model.ts';
import { callOf, type Result } from './tools.ts';

interface Message {
  readonly id: string;
  readonly at: number;
  readonly fields: JsonObject;
}

/** A session of the CLI and the SDK: its messages in one file, what it is in another beside it. */
export function decodeSession(file: TranscriptFile): Captured {
  const skipped: Skipped = {};
  const whole = objectOf(parseJsonFile(file.text()));
  const manifest = objectOf(parseJsonFile(file.read(file.path.replace(/\.messages\.json$/, '.json')) ?? '')) ?? {};
  if (!whole) skip(skipped, 'broken file');
  const messages = listOf(whole?.messages).flatMap((value) => messageOf(value, skipped) ?? []);
  const results = new Map(messages.flatMap(resultsOf));
  const cwd = textOf(manifest.cwd) ?? textOf(manifest.workspace_root);
  const version = textOf(objectOf(whole?.origin)?.version);
  return assemble(
    defined({
      session: plainId(whole?.sessionId) ?? plainId(manifest.session_id) ?? '',
      tool: defined({ name: 'cline', version }),
      cwd,
      branch: textOf(objectOf(objectOf(manifest.metadata)?.git)?.branch),
      startedAt: timeOf(manifest.started_at),
      parentSession: plainId(manifest.parent_session_id),
      tokens: tokensOf(messages),
      steps: messages.flatMap((message) => stepsOf(message, { results, cwd, skipped })),
      skipped,
    }),
  );
}

function messageOf(value: unknown, skipped: Skipped): Message | undefined {
  const fields = objectOf(value);
  const [id, at] = [plainId(fields?.id), countOf(fields?.ts)];
  if (fields && id !== undefined && at !== undefined) return { id, at, fields };
  skip(skipped, 'message without id or time');
  return undefined;
}

function resultsOf({ at, fields }: Message): (readonly [string, Result])[] {
  return listOf(fields.content).flatMap((value) => {
    const block = objectOf(value);
    const call = block?.type === 'tool_result' ? plainId(block.tool_use_id) : undefined;
    return block && call !== undefined
      ? [[call, { at, output: block.content, error: block.is_error === true }] as const]
      : [];
  });
}

function tokensOf(messages: readonly Message[]): TokenUsage | undefined {
  const all = messages.map(({ fields }) => objectOf(fields.metrics)).filter((metrics) => metrics !== undefined);
  const sum = (key: string) => all.reduce((total, metrics) => total + (countOf(metrics[key]) ?? 0), 0);
  if (all.length === 0) return undefined;
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
  };
}

interface Around {
  readonly results: ReadonlyMap<string, Result>;
  readonly cwd: string | undefined;
  readonly skipped: Skipped;
}

function stepsOf({ id, at, fields }: Message, { results, cwd, skipped }: Around): Step[] {
  const blocks = typeof fields.content === 'string' ? [{ type: 'text', text: fields.content }] : listOf(fields.content);
  const info = objectOf(fields.modelInfo);
  const model = modelId(textOf(info?.provider), textOf(info?.id));
  return blocks.flatMap((value, i): Step[] => {
    const block = objectOf(value) ?? {};
    if (block.type !== 'tool_use') return saidOf(block, defined({ id: `${id}/${i}`, at, model }), fields.role);
    const [call, name, input] = [plainId(block.id), textOf(block.name), objectOf(block.input)];
    if (call === undefined || !name || !input) {
      skip(skipped, 'call without id, name or input');
      return [];
    }
    return [callOf(defined({ id: call, at, name, input, cwd, model }), results.get(call))];
  });
}

function saidOf(block: JsonObject, base: Pick<Said, 'id' | 'at' | 'model'>, role: unknown): Said[] {
  const thought = block.type === 'thinking';
  const text = thought ? (textOf(block.thinking) ?? textOf(block.text)) : textOf(block.text);
  if (!text?.trim() || (block.type !== 'text' && !thought)) return [];
  if (role !== 'user') return [{ kind: thought ? 'thought' : 'message', ...base, text }];
  // the person's words stand in a tag; what stands in none is an old version's, or Cline's own
  const typed = /<user_input[^>]*>([\s\S]*)<\/user_input>/.exec(text)?.[1] ?? text;
  return /^\s*<(?:environment|system|workspace)/.test(typed) ? [] : [{ kind: 'prompt', ...base, text: typed }];
}
