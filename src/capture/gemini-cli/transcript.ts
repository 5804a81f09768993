import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { callId, callOf, partsOf, type Ran, typedText } from '../gemini-family.ts';
import { parseJsonFile, parseJsonLines, type Skipped, skip } from '../json-lines.ts';
import { modelsDevId } from '../models-dev.ts';
import { selfAndAbove } from '../near.ts';
import type { Captured } from '../session.ts';
import type { CallEnd, Said, Step } from '../tale.ts';
import { hashOf, type Place, placeOf, rootsOf } from './locate.ts';
import { type Draft, emptyDraft, type Message, readRecord } from './messages.ts';

/** What one file tells: records line by line, or, up to 0.38, one document. */
export function decodeTranscript(file: TranscriptFile): Captured {
  const draft = emptyDraft();
  if (file.path.endsWith('.json')) readDocument(draft, file.text());
  else for (const record of parseJsonLines(file.lines(), draft.skipped)) readRecord(draft, record);
  const place = placeOf(file.path);
  const cwd = rootOf(draft, file, place);
  const messages = [...draft.messages.values()];
  // hooks know a sub-agent's calls as its session's: they are
  const helper = draft.kind === 'subagent' || place?.parent !== undefined;
  const session = helper ? plainId(place?.parent) : draft.session;
  return assemble(
    defined({
      session: session ?? '',
      tool: { name: 'gemini-cli' },
      cwd,
      startedAt: draft.startedAt,
      tokens: helper ? undefined : totalOf(messages),
      steps: messages.flatMap((message) => stepsOf(message, { session, cwd, helper, skipped: draft.skipped })),
      skipped: draft.skipped,
    }),
  );
}

function readDocument(draft: Draft, text: string): void {
  const whole = objectOf(parseJsonFile(text));
  if (whole) readRecord(draft, whole);
  else skip(draft.skipped, 'document');
}

/** A transcript does not name its folder, but has its hash: of the folders in question it is the one that fits. */
function rootOf(
  { hash, directories }: Draft,
  { worktrees, read }: TranscriptFile,
  place: Place | undefined,
): string | undefined {
  const told = place ? rootsOf(place.folder, place.project, read) : [];
  const all = [...told, ...directories, ...worktrees.flatMap(selfAndAbove)];
  return all.find((root) => hashOf(root) === hash) ?? told[0];
}

interface Told {
  readonly session: string | undefined;
  readonly cwd: string | undefined;
  readonly helper: boolean;
  readonly skipped: Skipped;
}

function stepsOf(message: Message, told: Told): Step[] {
  const { id, at, type } = message;
  if (type === 'user') {
    // what a sub-agent is told was its agent's idea; results come as words of the user, too
    const text = told.helper ? undefined : typedText(partsOf(message.displayContent ?? message.content));
    return text === undefined ? [] : [{ kind: 'prompt', id, at, text }];
  }
  // the id that Gemini asked its service for, aliases resolved
  const model = modelsDevId('google', message.model);
  const base = defined({ at, model });
  const text = partsOf(message.content)
    .flatMap((part) => textOf(part.text) ?? [])
    .join('');
  return [
    ...message.thoughts.flatMap((thought, i) => thoughtOf(thought, { ...base, id: `${id}/${i}` })),
    ...(text.trim() === '' ? [] : [{ kind: 'message' as const, id, ...base, text }]),
    ...[...message.calls.values()].flatMap((call) => toldCall(call, base, told)),
  ];
}

function thoughtOf(value: unknown, base: Pick<Said, 'id' | 'at' | 'model'>): Said[] {
  const thought = objectOf(value);
  const text = [textOf(thought?.subject), textOf(thought?.description)].filter(Boolean).join('\n');
  return text === '' ? [] : [{ kind: 'thought', ...base, text }];
}

function toldCall(call: JsonObject, { at, model }: { at: number; model?: string }, told: Told): Step[] {
  const [id, name, input] = [callId(call.id, told.session), textOf(call.name), objectOf(call.args)];
  if (id === undefined || !name || !input) {
    skip(told.skipped, 'call without id, name or arguments');
    return [];
  }
  return [callOf(defined({ id, at, name, input, cwd: told.cwd, model }), ranAs(call, at))];
}

/** All calls of one response are stamped when the last of them has ended. */
function ranAs(call: JsonObject, begun: number): Ran | undefined {
  const response = objectOf(objectOf(objectOf(listOf(call.result)[0])?.functionResponse)?.response) ?? {};
  const [output, error] = [textOf(response.output), textOf(response.error)];
  const text = output ?? error ?? textOf(call.resultDisplay);
  const outcome = outcomeOf(call.status, { output, text: text ?? '' });
  if (!outcome) return undefined;
  const at = Math.max(timeOf(call.timestamp) ?? begun, begun);
  return { end: defined({ at, outcome, text }), display: call.resultDisplay };
}

const NEVER_RAN = /^(?:Tool "[^"]{1,200}" not found|params(?:\/| must )|Command cannot be empty|Path not in workspace)/;

/** A shell command that failed is a success; one that was stopped while it ran has done something. */
function outcomeOf(
  status: unknown,
  { output, text }: { output: string | undefined; text: string },
): CallEnd['outcome'] | undefined {
  switch (status) {
    case 'success':
      return 'done';
    case 'cancelled':
      // it had come to its end when the user stopped everything
      if (output !== undefined) return 'done';
      return /User cancelled tool execution|Operation cancelled\./.test(text) ? 'failed' : 'refused';
    case 'error':
      if (/denied by policy/.test(text.slice(0, 300))) return 'refused';
      return NEVER_RAN.test(text) ? 'invalid' : 'failed';
    default:
      return undefined;
  }
}

/** What was read from the cache is part of Gemini's input. */
function totalOf(messages: readonly Message[]): TokenUsage | undefined {
  const all = messages.flatMap(({ tokens }): JsonObject[] => (tokens ? [tokens] : []));
  if (all.length === 0) return undefined;
  const sum = (key: string) => all.reduce((total, tokens) => total + (countOf(tokens[key]) ?? 0), 0);
  const cached = sum('cached');
  return {
    inputTokens: Math.max(0, sum('input') - cached) + sum('tool'),
    outputTokens: sum('output'),
    cacheReadTokens: cached,
    reasoningTokens: sum('thoughts'),
  };
}
