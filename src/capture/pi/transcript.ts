import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { parseJsonLines, type Skipped, skip } from '../json-lines.ts';
import { modelsDevId } from '../models-dev.ts';
import type { Captured } from '../session.ts';
import type { Said, Step, Tale } from '../tale.ts';
import { callOf, contentText, type Result } from './tools.ts';

/** A session as it is read line by line. */
interface Draft {
  header: JsonObject | undefined;
  readonly entries: Entry[];
  readonly results: Map<string, Result>;
  readonly usages: Usage[];
  readonly skipped: Skipped;
}

/** A message with what stands around it; versions before 2 have no ids. */
interface Entry {
  readonly id: string;
  readonly at: number;
  readonly role: string;
  readonly message: JsonObject;
}

/** Lines that say nothing of who wrote what. */
const IGNORED = new Set(
  (
    'model_change thinking_level_change compaction branch_summary custom custom_message label session_info context_edit usage ' +
    'branchSummary compactionSummary'
  ).split(' '),
);
/** `bashExecution` is a command that the person typed. */
const IGNORED_ROLES = new Set('system bashExecution custom hookMessage branchSummary compactionSummary'.split(' '));

/** What one session file tells. It is a tree, of which one branch is active: what other branches did to files was done all the same. */
export function decodeTranscript(lines: Iterable<string>): Captured {
  const draft: Draft = { header: undefined, entries: [], results: new Map(), usages: [], skipped: {} };
  for (const line of parseJsonLines(lines, draft.skipped)) {
    const type = textOf(line.type) ?? 'none';
    if (type === 'session') draft.header ??= line;
    else if (type === 'message') readMessage(draft, line);
    else if (!IGNORED.has(type)) skip(draft.skipped, `line type ${type}`);
    const usage = usageOf(line);
    if (usage) draft.usages.push(usage);
  }
  return assemble(taleOf(draft));
}

function readMessage({ entries, results, skipped }: Draft, line: JsonObject): void {
  const message = objectOf(line.message);
  const [role, at] = [textOf(message?.role), timeOf(line.timestamp) ?? countOf(message?.timestamp)];
  const result = role === 'toolResult' ? plainId(message?.toolCallId) : undefined;
  const id = plainId(line.id) ?? `line-${at}-${entries.length}`;
  if (!message || role === undefined || at === undefined) skip(skipped, 'message without role or time');
  else if (role === 'user' || role === 'assistant') entries.push({ id, at, role, message });
  else if (result !== undefined) results.set(result, resultOf(message, at));
  else if (!IGNORED_ROLES.has(role)) skip(skipped, `message of ${role}`);
}

/** What does not say that it went well did not. */
function resultOf({ isError, content, details }: JsonObject, at: number): Result {
  return { at, error: isError !== false, content, details: objectOf(details) ?? {} };
}

function taleOf({ header = {}, entries, results, usages, skipped }: Draft): Tale {
  const forkedFrom = sessionOf(textOf(header.parentSession) ?? textOf(header.branchedFrom));
  const [cwd, began, first] = [textOf(header.cwd), timeOf(header.timestamp), entries[0]?.at];
  // of lines that were copied from another session that one has paid
  const own = forkedFrom === undefined ? usages : usages.filter(({ at }) => began === undefined || at >= began);
  return defined({
    session: plainId(header.id) ?? '',
    tool: { name: 'pi' },
    cwd,
    startedAt: forkedFrom === undefined && first !== undefined ? Math.min(began ?? first, first) : began,
    forkedFrom,
    tokens: totalOf(own),
    steps: entries.flatMap((entry) => stepsOf(entry, results, { cwd, skipped })),
    skipped,
  });
}

/** `<time>_<session>.jsonl` */
function sessionOf(file: string | undefined): string | undefined {
  return plainId(/_([^_\\/]+)\.jsonl$/.exec(file ?? '')?.[1]);
}

function stepsOf(
  { id, at, role, message }: Entry,
  results: ReadonlyMap<string, Result>,
  { cwd, skipped }: { cwd: string | undefined; skipped: Skipped },
): Step[] {
  if (role === 'user') {
    const text = contentText(message.content);
    return text.trim() === '' ? [] : [{ kind: 'prompt', id: promptId(message.timestamp) ?? id, at, text }];
  }
  const model = modelsDevId(textOf(message.provider), textOf(message.responseModel) ?? textOf(message.model));
  const content = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  return listOf(content).flatMap((value, i): Step[] => {
    const block = objectOf(value) ?? {};
    if (block.type !== 'toolCall') return saidOf(block, defined({ id: `${id}/${i}`, at, model }));
    const [call, name, input] = [plainId(block.id), textOf(block.name), objectOf(block.arguments)];
    if (call === undefined || !name || !input) {
      skip(skipped, 'call without id, name or arguments');
      return [];
    }
    return [callOf(defined({ id: call, at, name, input, cwd, model }), results.get(call))];
  });
}

function saidOf(block: JsonObject, base: Pick<Said, 'id' | 'at' | 'model'>): Said[] {
  const thought = block.type === 'thinking';
  const text = textOf(thought ? block.thinking : block.text);
  return text?.trim() ? [{ kind: thought ? 'thought' : 'message', ...base, text }] : [];
}

/** The same in our extension, which does not know the line's id. */
export function promptId(timestamp: unknown): string | undefined {
  const at = countOf(timestamp);
  return at === undefined ? undefined : `prompt-${at}`;
}

interface Usage {
  readonly at: number;
  readonly usage: JsonObject;
}

/** Messages of the model have it, and lines for what Pi asked a model by the way: summaries, tools that ask one. */
function usageOf(line: JsonObject): Usage | undefined {
  const usage = objectOf(objectOf(line.message)?.usage) ?? objectOf(line.usage);
  return usage && { at: timeOf(line.timestamp) ?? 0, usage };
}

function totalOf(usages: readonly Usage[]): TokenUsage | undefined {
  if (usages.length === 0) return undefined;
  const sum = (key: string) => usages.reduce((total, { usage }) => total + (countOf(usage[key]) ?? 0), 0);
  return {
    inputTokens: sum('input'),
    outputTokens: sum('output'),
    cacheReadTokens: sum('cacheRead'),
    cacheWriteTokens: sum('cacheWrite'),
  };
}
