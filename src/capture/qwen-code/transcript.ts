import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { callId, callOf, isThought, partsOf, type Ran, typedText } from '../gemini-family.ts';
import { parseJsonLines, type Skipped, skip } from '../json-lines.ts';
import type { Captured } from '../session.ts';
import type { Step } from '../tale.ts';
import { resultOf } from './results.ts';

/** A session as it is read line by line. */
interface Draft {
  session: string | undefined;
  cwd: string | undefined;
  branch: string | undefined;
  version: string | undefined;
  /** The file is a sub-agent's; its session is that of the agent it worked for. */
  helper: boolean;
  readonly lines: Line[];
  readonly results: Map<string, Ran>;
  readonly usages: JsonObject[];
  readonly skipped: Skipped;
}

interface Line {
  readonly id: string;
  readonly at: number;
  readonly fields: JsonObject;
}

/** What one transcript tells: a session's, or one of its sub-agents'. */
export function decodeTranscript(lines: Iterable<string>): Captured {
  const draft: Draft = {
    session: undefined,
    cwd: undefined,
    branch: undefined,
    version: undefined,
    helper: false,
    lines: [],
    results: new Map(),
    usages: [],
    skipped: {},
  };
  const seen = new Set<string>();
  for (const fields of parseJsonLines(lines, draft.skipped)) {
    const id = plainId(fields.uuid);
    // lines of a session that this one goes on from may be there again
    if (id !== undefined && seen.has(id)) continue;
    if (id !== undefined) seen.add(id);
    readLine(draft, id, fields);
  }
  const { session, cwd, branch, version, helper, usages, skipped } = draft;
  return assemble(
    defined({
      session: session ?? '',
      tool: defined({ name: 'qwen-code', version }),
      cwd,
      branch,
      tokens: helper ? undefined : totalOf(usages),
      steps: draft.lines.flatMap((line) => stepsOf(draft, line)),
      skipped,
    }),
  );
}

function readLine(draft: Draft, id: string | undefined, fields: JsonObject): void {
  const [type, at] = [textOf(fields.type), timeOf(fields.timestamp)];
  draft.session ??= plainId(fields.sessionId);
  draft.cwd ??= textOf(fields.cwd);
  draft.branch ??= textOf(fields.gitBranch);
  draft.version = textOf(fields.version) ?? draft.version;
  draft.helper ||= fields.isSidechain === true;
  const usage = type === 'assistant' ? objectOf(fields.usageMetadata) : undefined;
  if (usage) draft.usages.push(usage);
  if (type === 'system') return;
  if (at === undefined) skip(draft.skipped, 'line without time');
  else if (type === 'user' || type === 'assistant')
    draft.lines.push({ id: id ?? `line-${at}-${draft.lines.length}`, at, fields });
  else if (type === 'tool_result') readResult(draft, fields, at);
  else skip(draft.skipped, `line type ${type ?? 'none'}`);
}

function readResult({ results, session, skipped }: Draft, fields: JsonObject, at: number): void {
  const { id: told, ran } = resultOf(fields, at);
  const id = callId(told, session);
  if (id === undefined) skip(skipped, 'result without id');
  else if (!results.has(id)) results.set(id, ran);
}

/** Which service a model's name is to be found at, the lines do not say: Qwen Code is used with many. So no models.dev id is certain. */
function stepsOf(draft: Draft, { id, at, fields }: Line): Step[] {
  const parts = partsOf(objectOf(fields.message)?.parts);
  if (fields.type === 'user') {
    const own = fields.subtype === undefined && (fields.provenance ?? 'real_user') === 'real_user';
    const text = own && fields.isSidechain !== true ? typedText(parts) : undefined;
    return text === undefined ? [] : [{ kind: 'prompt', id, at, text }];
  }
  return parts.flatMap((part, i): Step[] => {
    const call = objectOf(part.functionCall);
    if (call) return toldCall(draft, call, { at, cwd: textOf(fields.cwd) });
    const text = textOf(part.text);
    if (!text?.trim()) return [];
    return [{ kind: isThought(part) ? 'thought' : 'message', id: i === 0 ? id : `${id}/${i}`, at, text }];
  });
}

function toldCall(draft: Draft, call: JsonObject, { at, cwd }: { at: number; cwd: string | undefined }): Step[] {
  const [id, name, input] = [callId(call.id, draft.session), textOf(call.name), objectOf(call.args)];
  if (id === undefined || !name || !input) {
    skip(draft.skipped, 'call without id, name or arguments');
    return [];
  }
  return [callOf(defined({ id, at, name, input, cwd: cwd ?? draft.cwd }), draft.results.get(id))];
}

/** What was read from the cache is part of the prompt. */
function totalOf(usages: readonly JsonObject[]): TokenUsage | undefined {
  if (usages.length === 0) return undefined;
  const sum = (key: string) => usages.reduce((total, usage) => total + (countOf(usage[key]) ?? 0), 0);
  const cached = sum('cachedContentTokenCount');
  return {
    inputTokens: Math.max(0, sum('promptTokenCount') - cached),
    outputTokens: sum('candidatesTokenCount'),
    cacheReadTokens: cached,
    reasoningTokens: sum('thoughtsTokenCount'),
  };
}
