import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, objectOf, plainId, textOf } from '../fields.ts';
import { type Skipped, skip } from '../json-lines.ts';
import type { Captured } from '../session.ts';
import type { Said, Step } from '../tale.ts';
import { callId, isOneOfAKind } from './call-id.ts';
import { readDatabase } from './database.ts';
import { modelOf } from './model.ts';
import { promptText } from './prompt.ts';
import { readDocument } from './storage.ts';
import { callOf, type Result } from './tools.ts';

/** A session as it is stored, in a database, in files or in one document. */
export interface Stored {
  readonly info: JsonObject;
  readonly messages: readonly StoredMessage[];
  /** Ids of sessions that its sub-agents have. */
  readonly children: readonly string[];
  readonly skipped: Skipped;
}

export interface StoredMessage {
  readonly id: string;
  readonly info: JsonObject;
  readonly parts: readonly { readonly id: string; readonly part: JsonObject }[];
}

export function decodeTranscript(name: string, file: TranscriptFile): Captured[] {
  const stored = file.path.endsWith('.db') ? readDatabase(file) : readDocument(file);
  return stored.map((session) => decodeStored(name, session));
}

function decodeStored(name: string, { info, messages, children, skipped }: Stored): Captured {
  const [session, time] = [plainId(info.id) ?? '', objectOf(info.time)];
  const [cwd, version, parentSession] = [textOf(info.directory), textOf(info.version), plainId(info.parentID)];
  const began = countOf(time?.created);
  const whole: Whole = defined({ session, began, cwd, skipped, typed: typedCommands(messages) });
  return assemble(
    defined({
      session,
      tool: defined({ name, version: version?.slice(0, 40) }),
      cwd,
      startedAt: began,
      parentSession,
      childSessions: children.length > 0 ? children : undefined,
      tokens: totalOf(messages, began),
      steps: messages.flatMap((message) => stepsOf(message, whole)),
      skipped,
    }),
  );
}

/** What a message needs to know of its session. */
interface Whole {
  readonly session: string;
  readonly began?: number;
  readonly cwd?: string;
  readonly skipped: Skipped;
  /** Ids of messages that stand for a command which the person typed; the answer to one holds it as if it were a call. */
  readonly typed: ReadonlySet<string>;
}

const TYPED = 'The following tool was executed by the user';

function typedCommands(messages: readonly StoredMessage[]): Set<string> {
  const typed = messages.filter(({ parts }) =>
    parts.some(({ part }) => part.synthetic === true && textOf(part.text)?.startsWith(TYPED)),
  );
  return new Set(typed.map(({ id }) => id));
}

function stepsOf(message: StoredMessage, whole: Whole): Step[] {
  const at = countOf(objectOf(message.info.time)?.created);
  if (at === undefined) {
    skip(whole.skipped, 'message without time');
    return [];
  }
  switch (message.info.role) {
    case 'user': {
      const text = promptText(message.parts.map(({ part }) => part));
      return text === undefined ? [] : [{ kind: 'prompt', id: message.id, at, text }];
    }
    case 'assistant':
      return whole.typed.has(textOf(message.info.parentID) ?? '') ? [] : answerSteps(message, at, whole);
    default:
      skip(whole.skipped, 'message of nobody known');
      return [];
  }
}

/** Parts that say nothing of who wrote what. */
const IGNORED = new Set('step-start step-finish patch snapshot file agent subtask compaction retry'.split(' '));

function answerSteps({ info, parts }: StoredMessage, at: number, whole: Whole): Step[] {
  const model = modelOf(textOf(info.providerID), textOf(info.modelID));
  return parts.flatMap(({ id, part }): Step[] => {
    const type = textOf(part.type) ?? 'none';
    const began = countOf(objectOf(part.time)?.start) ?? at;
    if (type === 'text' || type === 'reasoning') return saidSteps(part, defined({ id, at: began, model }));
    if (type === 'tool') return callSteps(part, { at, model, whole });
    if (!IGNORED.has(type)) skip(whole.skipped, `part type ${type}`);
    return [];
  });
}

function saidSteps(part: JsonObject, base: Pick<Said, 'id' | 'at' | 'model'>): Said[] {
  const text = textOf(part.text);
  if (!text?.trim() || part.synthetic === true) return [];
  return [{ kind: part.type === 'text' ? 'message' : 'thought', ...base, text }];
}

function callSteps(
  part: JsonObject,
  { at, model, whole }: { at: number; model: string | undefined; whole: Whole },
): Step[] {
  const [call, name, state] = [textOf(part.callID), textOf(part.tool), objectOf(part.state)];
  if (!call || !name || !state) {
    skip(whole.skipped, 'call without id, name or state');
    return [];
  }
  // a forked session has copies of what was before it: under ids that only count they cannot be told to be copies
  if (!isOneOfAKind(call) && whole.began !== undefined && at < whole.began) return [];
  const began = countOf(objectOf(state.time)?.start) ?? at;
  const input = objectOf(state.input) ?? {};
  const cwd = folderOf(input, whole.cwd);
  const base = defined({ id: callId(whole.session, call), at: began, name, input, cwd, model });
  return [callOf(base, resultOf(state, began))];
}

/** Shell tools may be told another folder; a relative one counts from the session's. */
export function folderOf({ workdir }: JsonObject, cwd: string | undefined): string | undefined {
  const folder = textOf(workdir);
  if (!folder) return cwd;
  return /^(?:[\\/]|[A-Za-z]:)/.test(folder) || cwd === undefined ? folder : `${cwd}/${folder}`;
}

function resultOf(state: JsonObject, began: number): Result | undefined {
  if (state.status !== 'completed' && state.status !== 'error') return undefined;
  const error = state.status === 'error';
  return {
    at: Math.max(countOf(objectOf(state.time)?.end) ?? began, began),
    error,
    text: textOf(error ? state.error : state.output) ?? '',
    metadata: objectOf(state.metadata) ?? {},
  };
}

/** Of messages that were copied from another session that one has paid. What a model thinks is not counted as its output here. */
function totalOf(messages: readonly StoredMessage[], began = 0): TokenUsage | undefined {
  const own = messages.filter(({ info }) => (countOf(objectOf(info.time)?.created) ?? 0) >= began);
  const usages = own.flatMap(({ info }): JsonObject[] => {
    const usage = objectOf(info.tokens);
    return usage ? [usage] : [];
  });
  if (usages.length === 0) return undefined;
  const sum = (of: (usage: JsonObject) => unknown) => usages.reduce((all, usage) => all + (countOf(of(usage)) ?? 0), 0);
  const reasoningTokens = sum((usage) => usage.reasoning);
  return {
    inputTokens: sum((usage) => usage.input),
    outputTokens: sum((usage) => usage.output) + reasoningTokens,
    cacheReadTokens: sum((usage) => objectOf(usage.cache)?.read),
    cacheWriteTokens: sum((usage) => objectOf(usage.cache)?.write),
    reasoningTokens,
  };
}
