import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { parseJsonLines, type Skipped, skip } from '../json-lines.ts';
import type { CallEnd, Said } from '../tale.ts';
import { noProviders, type Providers, readAnswer, readUsage } from './model.ts';
import { callId, inputOf, plainName } from './names.ts';

/** One event of a file, in the envelope that the CLI and VS Code share. */
interface Event {
  readonly type: string;
  readonly data: JsonObject;
  readonly id: string;
  readonly at: number;
}

/** A call as far as it has been read. */
export interface CallDraft {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly at: number;
  readonly cwd: string | undefined;
  readonly model: string | undefined;
  readonly end?: CallEnd | undefined;
  /** The diff of what was done. */
  readonly shown?: string | undefined;
  /** The tool says that it changed files. */
  readonly changed?: boolean;
}

/** Words, with the model as the record names it. */
export type Words = Omit<Said, 'model'> & { readonly model: string | undefined };

/** A session, or a sub-agent of it: their events stand in one file, hooks know them by ids of their own. */
export interface Draft {
  readonly session: string | undefined;
  readonly words: Words[];
  readonly calls: Map<string, CallDraft>;
  readonly usage: Map<string, JsonObject>;
}

export interface Stream {
  readonly root: Draft;
  readonly agents: Map<string, Draft>;
  readonly providers: Providers;
  readonly skipped: Skipped;
  session: string | undefined;
  version: string | undefined;
  cwd: string | undefined;
  /** Where it was started. */
  firstCwd: string | undefined;
  branch: string | undefined;
  startedAt: number | undefined;
  endedAt: number | undefined;
  ended: boolean;
  /** What the program itself counted, over all of the session: only where there is no record of each call. */
  total: TokenUsage | undefined;
}

export function readEvents(lines: Iterable<string>, cwd: string | undefined): Stream {
  const stream = emptyStream(cwd);
  for (const line of parseJsonLines(lines, stream.skipped)) {
    const [type, at] = [textOf(line.type), timeOf(line.timestamp)];
    if (type === undefined || at === undefined) {
      skip(stream.skipped, 'event without type or time');
      continue;
    }
    stream.startedAt ??= at;
    stream.endedAt = Math.max(stream.endedAt ?? at, at);
    const id = plainId(line.id) ?? `${type}-${at}`;
    readEvent(stream, agentOf(stream, plainId(line.agentId)), { type, data: objectOf(line.data) ?? {}, id, at });
  }
  return stream;
}

function emptyStream(cwd: string | undefined): Stream {
  return {
    root: draftOf(undefined),
    agents: new Map(),
    providers: noProviders(),
    skipped: {},
    session: undefined,
    version: undefined,
    cwd,
    firstCwd: cwd,
    branch: undefined,
    startedAt: undefined,
    endedAt: undefined,
    ended: false,
    total: undefined,
  };
}

function draftOf(session: string | undefined): Draft {
  return { session, words: [], calls: new Map(), usage: new Map() };
}

function agentOf({ root, agents }: Stream, id: string | undefined): Draft {
  if (id === undefined) return root;
  const draft = agents.get(id) ?? draftOf(id);
  agents.set(id, draft);
  return draft;
}

type Reader = (stream: Stream, draft: Draft, event: Event) => void;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['session.start', readStart],
  ['session.resume', readStart],
  ['session.context_changed', readStart],
  ['session.shutdown', readShutdown],
  ['session.usage_record', readUsageRecord],
  ['session.snapshot_rewind', readRewind],
  ['user.message', readPrompt],
  ['assistant.message', readAnswerEvent],
  ['assistant.reasoning', readThought],
  ['tool.execution_start', takeCall],
  ['tool.execution_complete', readEnd],
]);

/** Kinds of events that say nothing of who wrote what. */
const IGNORED = /^(?:session|hook|system|subagent|skill|assistant|permission|tool|external_tool|command)\.|^abort$/;

function readEvent(stream: Stream, draft: Draft, event: Event): void {
  const reader = READERS.get(event.type);
  if (reader) reader(stream, draft, event);
  else if (!IGNORED.test(event.type)) skip(stream.skipped, `event ${event.type}`);
}

function readStart(stream: Stream, _draft: Draft, { type, data }: Event): void {
  const context = objectOf(data.context) ?? data;
  stream.session ??= plainId(data.sessionId);
  stream.version = textOf(data.copilotVersion) ?? stream.version;
  stream.cwd = textOf(context.cwd) ?? stream.cwd;
  stream.firstCwd ??= stream.cwd;
  stream.branch ??= textOf(context.branch);
  if (type !== 'session.context_changed') stream.ended = false;
}

function readShutdown(stream: Stream, _draft: Draft, { data }: Event): void {
  stream.ended = true;
  const metrics = objectOf(data.modelMetrics) ?? objectOf(objectOf(data.accountingSnapshot)?.modelMetrics) ?? {};
  const usages = Object.values(metrics).flatMap((one): JsonObject[] => {
    const usage = objectOf(objectOf(one)?.usage);
    return usage ? [usage] : [];
  });
  stream.total = sumOf(usages) ?? stream.total;
}

function readUsageRecord({ providers }: Stream, { usage: all }: Draft, { data, id }: Event): void {
  const usage = objectOf(data.usage);
  if (!usage) return;
  readUsage(providers, usage);
  all.set(textOf(usage.apiCallId) ?? id, usage);
}

/** What is read from the cache is counted as input too: apart, so that nothing is counted twice. */
export function sumOf(usages: readonly JsonObject[]): TokenUsage | undefined {
  if (usages.length === 0) return undefined;
  const sum = (key: string) => usages.reduce((total, usage) => total + (countOf(usage[key]) ?? 0), 0);
  const [input, cached] = [sum('inputTokens'), sum('cacheReadTokens')];
  return {
    inputTokens: Math.max(input - cached, 0),
    outputTokens: sum('outputTokens'),
    cacheReadTokens: cached,
    cacheWriteTokens: sum('cacheWriteTokens'),
  };
}

/** The user went back: files were put as they had been, nobody says which. */
function readRewind(stream: Stream, { calls }: Draft, { id, at }: Event): void {
  const call = { id, name: 'rewind', input: {}, at, cwd: stream.cwd, model: undefined };
  calls.set(id, { ...call, end: { at, outcome: 'done' }, changed: true });
}

/** Texts in the place of a prompt that the program wrote itself. */
const NOT_TYPED = /^(?:skill|system|autopilot|hook|agent)/;

function readPrompt({ skipped }: Stream, { session, words }: Draft, { data, id, at }: Event): void {
  const text = textOf(data.content);
  if (text === undefined) skip(skipped, 'prompt without text');
  // a sub-agent's is another agent's
  else if (text.trim() === '' || session !== undefined || NOT_TYPED.test(textOf(data.source) ?? '')) return;
  else words.push({ kind: 'prompt', id, at, text, model: undefined });
}

function readAnswerEvent(stream: Stream, draft: Draft, { data, id, at }: Event): void {
  readAnswer(stream.providers, data);
  const [text, thought, model] = [textOf(data.content), textOf(data.reasoningText), textOf(data.model)];
  const said = plainId(data.messageId) ?? id;
  if (thought?.trim()) draft.words.push({ kind: 'thought', id: `${said}/thought`, at, text: thought, model });
  if (text?.trim()) draft.words.push({ kind: 'message', id: said, at, text, model });
  for (const value of listOf(data.toolRequests)) {
    const request = objectOf(value) ?? {};
    takeCall(stream, draft, { at, data: { ...request, toolName: request.name, model } });
  }
}

function readThought(_stream: Stream, { words }: Draft, { data, id, at }: Event): void {
  const text = textOf(data.content);
  const thought = { kind: 'thought' as const, id: plainId(data.reasoningId) ?? id, at, model: undefined };
  if (text?.trim()) words.push({ ...thought, text });
}

/** Told when it is asked for and again when it begins; then it counts. */
function takeCall(stream: Stream, { calls }: Draft, { data, at }: Pick<Event, 'data' | 'at'>): void {
  const [id, name] = [callId(data.toolCallId), textOf(data.toolName)];
  if (id === undefined || !name) {
    skip(stream.skipped, 'call without id or name');
    return;
  }
  const had = calls.get(id);
  const fresh = { name: plainName(name), input: inputOf(data.arguments), at };
  calls.set(id, { ...had, id, ...fresh, cwd: stream.cwd, model: textOf(data.model) ?? had?.model });
}

function readEnd(stream: Stream, { calls }: Draft, { data, at }: Event): void {
  const id = callId(data.toolCallId);
  const call = id === undefined ? undefined : calls.get(id);
  if (!call) {
    skip(stream.skipped, 'end of a call that was not told');
    return;
  }
  const [result, error] = [objectOf(data.result), objectOf(data.error)];
  const text = textOf(result?.content) ?? textOf(result?.text_result_for_llm) ?? textOf(error?.message);
  const exitCode = countOf(objectOf(data.shellExecution)?.exitCode);
  calls.set(call.id, {
    ...call,
    model: call.model ?? textOf(data.model),
    end: defined({ at, outcome: outcomeOf(data, error), text, exitCode }),
    shown: textOf(result?.detailedContent),
    changed: listOf(data.fileEdits).length > 0,
  });
}

function outcomeOf({ success, result }: JsonObject, error: JsonObject | undefined): CallEnd['outcome'] {
  if (success === true || (success === undefined && objectOf(result)?.result_type === 'success')) return 'done';
  return /denied|rejected|permission/i.test(textOf(error?.code) ?? '') ? 'refused' : 'failed';
}
