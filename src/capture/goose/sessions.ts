import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { parseJsonFile, type Skipped, skip } from '../json-lines.ts';
import { isNear } from '../near.ts';
import type { Captured } from '../session.ts';
import type { Said, Step } from '../tale.ts';
import { callOf, type Result } from './tools.ts';

/** The sessions of a database (schema 5 to 9) that were begun near the work trees. */
export function decodeDatabase(file: TranscriptFile): Captured[] {
  return file
    .rows('SELECT * FROM sessions')
    .filter((row) => isNear(textOf(row.working_dir) ?? '', file.worktrees))
    .map((row) => decodeSession(file, row));
}

function decodeSession(file: TranscriptFile, row: JsonObject): Captured {
  const [session, cwd, skipped] = [textOf(row.id) ?? '', textOf(row.working_dir), {} as Skipped];
  const rows = file.rows('SELECT * FROM messages WHERE session_id = ? ORDER BY id', [session]);
  const messages = inOrder(rows.flatMap((message) => messageOf(message, skipped) ?? []));
  const results = new Map(messages.flatMap((message) => resultsIn(message)));
  return assemble(
    defined({
      session: plainId(session) ?? '',
      tool: { name: 'goose' },
      cwd,
      startedAt: sqlTime(row.created_at),
      tokens: tokensOf(row),
      steps: messages.flatMap((message) => stepsOf(message, { results, cwd, skipped })),
      skipped,
    }),
  );
}

interface Message {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  /** Begun, to the second. */
  readonly at: number;
  /** Stored: by then what it tells of was over. */
  readonly stored: number;
  /** Not what goose tells the model behind the person's back: summaries and the like. */
  readonly shown: boolean;
  readonly content: readonly JsonObject[];
}

function messageOf(row: JsonObject, skipped: Skipped): Message | undefined {
  const [seconds, content] = [countOf(row.created_timestamp), parseJsonFile(textOf(row.content_json) ?? '')];
  const { role } = row;
  if (seconds === undefined || !Array.isArray(content) || (role !== 'user' && role !== 'assistant')) {
    skip(skipped, 'broken message');
    return undefined;
  }
  const at = seconds * 1000;
  const id = plainId(row.message_id) ?? `${textOf(row.session_id)}-${countOf(row.id)}`;
  const stored = Math.max(at, sqlTime(row.timestamp) ?? 0);
  const shown = objectOf(parseJsonFile(textOf(row.metadata_json) ?? ''))?.userVisible !== false;
  return { id, role, at, stored, shown, content: content.map((one) => objectOf(one) ?? {}) };
}

/** Within one second they keep their order, a moment for each part. */
function inOrder(messages: readonly Message[]): Message[] {
  let next = 0;
  return messages.map((message) => {
    const at = Math.max(message.at, Math.min(next, message.at + 999));
    next = at + message.content.length;
    return { ...message, at };
  });
}

/** `2026-01-02 10:00:00`, in UTC. */
function sqlTime(value: unknown): number | undefined {
  return timeOf(typeof value === 'string' && /^[\d-]{10} [\d:.]+$/.test(value) ? `${value.replace(' ', 'T')}Z` : value);
}

function resultsIn({ at, stored, content }: Message): [string, Result][] {
  return content.flatMap((block, i): [string, Result][] => {
    const [id, result] = [plainId(block.id), objectOf(block.toolResult)];
    return block.type === 'toolResponse' && id !== undefined && result ? [[id, { at: at + i, stored, result }]] : [];
  });
}

interface About {
  readonly results: ReadonlyMap<string, Result>;
  readonly cwd: string | undefined;
  readonly skipped: Skipped;
}

function stepsOf({ id, role, at, shown, content }: Message, { results, cwd, skipped }: About): Step[] {
  return content.flatMap((block, i): Step[] => {
    if (block.type !== 'toolRequest') return shown ? saidStep(block, role, { id: `${id}/${i}`, at: at + i }) : [];
    const [call, asked] = [plainId(block.id), objectOf(block.toolCall)];
    const value = objectOf(asked?.value);
    const name = textOf(value?.name);
    if (call === undefined || !name) {
      skip(skipped, 'call without id or name');
      return [];
    }
    return [
      callOf(defined({ id: call, at: at + i, name, input: objectOf(value?.arguments) ?? {}, cwd }), results.get(call)),
    ];
  });
}

function saidStep(block: JsonObject, role: Message['role'], base: Pick<Said, 'id' | 'at'>): Said[] {
  const thought = block.type === 'thinking';
  const text = textOf(thought ? block.thinking : block.type === 'text' ? block.text : undefined);
  if (!text?.trim()) return [];
  return [{ kind: thought ? 'thought' : role === 'user' ? 'prompt' : 'message', ...base, text }];
}

function tokensOf(row: JsonObject): TokenUsage | undefined {
  const [input, output] = [countOf(row.accumulated_input_tokens), countOf(row.accumulated_output_tokens)];
  return input === undefined || output === undefined ? undefined : { inputTokens: input, outputTokens: output };
}
