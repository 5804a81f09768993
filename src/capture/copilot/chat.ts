import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf } from '../fields.ts';
import { parseJsonFile, type Skipped, skip } from '../json-lines.ts';
import type { Captured } from '../session.ts';
import type { Call, CallEnd, Said, Step } from '../tale.ts';
import { callOf, judge } from './calls.ts';
import { readJournal } from './journal.ts';
import { hostedModel } from './model.ts';
import { callId, inputOf, plainName } from './names.ts';
import { placeOf } from './tools.ts';
import { pathOfUri, type Workspace } from './workspace.ts';

/** One question and all that was done about it. */
interface Request {
  readonly id: string;
  readonly at: number;
  readonly end: number | undefined;
  readonly model: string | undefined;
  readonly fields: JsonObject;
  readonly metadata: JsonObject;
}

/** What VS Code keeps of a chat: a document, or the journal of one. */
export function decodeChat(file: TranscriptFile, workspace: Workspace | undefined): Captured[] {
  const skipped: Skipped = {};
  const chat = file.path.endsWith('.jsonl') ? readJournal(file.lines(), skipped) : objectOf(parseJsonFile(file.text()));
  if (!chat) skip(skipped, 'chat that is none');
  const requests = listOf(chat?.requests).flatMap((value) => requestOf(objectOf(value), skipped) ?? []);
  // hooks and the other transcript know the conversation by this id, not by the chat's
  const ids = [...requests.map(({ metadata }) => metadata.sessionId), chat?.sessionId, nameIn(file.path)];
  const session = requests.length > 0 ? ids.map(plainId).find(Boolean) : undefined;
  const other =
    session !== undefined && workspace && `${workspace.storage}/GitHub.copilot-chat/transcripts/${session}.jsonl`;
  const told = Boolean(other && file.read(other));
  const version = requests.map(({ fields }) => textOf(objectOf(fields.agent)?.extensionVersion)).findLast(Boolean);
  const steps = requests.flatMap((request) => [
    // words have ids of their own in each of the two: they are told once
    ...(told ? [] : wordsOf(request)),
    ...callsOf(request, workspace?.folder),
  ]);
  const tool = defined({ name: 'copilot', version });
  return [assemble(defined({ session: session ?? '', tool, cwd: workspace?.folder, steps, skipped }))];
}

function nameIn(path: string): string | undefined {
  return /([^\\/]+)\.jsonl?$/.exec(path)?.[1];
}

/** Other chats of VS Code stand there too. */
function requestOf(fields: JsonObject | undefined, skipped: Skipped): Request | undefined {
  const [id, at] = [plainId(fields?.requestId), countOf(fields?.timestamp)];
  if (!fields || id === undefined || at === undefined) {
    skip(skipped, 'request without id or time');
    return undefined;
  }
  const extension = textOf(objectOf(objectOf(fields.agent)?.extensionId)?.value);
  if (extension !== undefined && !/^github\.copilot/i.test(extension)) return undefined;
  const result = objectOf(fields.result);
  const lasted = countOf(objectOf(result?.timings)?.totalElapsed);
  const end = countOf(objectOf(fields.modelState)?.completedAt) ?? (lasted === undefined ? undefined : at + lasted);
  const [, name] = /^copilot\/(.+)$/.exec(textOf(fields.modelId) ?? '') ?? [];
  return { id, at, end, model: hostedModel(name), fields, metadata: objectOf(result?.metadata) ?? {} };
}

function wordsOf({ id, at, end, model, fields, metadata }: Request): Said[] {
  const prompt = textOf(objectOf(fields.message)?.text);
  const asked: Said[] = prompt?.trim() ? [{ kind: 'prompt', id, at, text: prompt }] : [];
  const answers = roundsOf(metadata).flatMap((round, i): Said[] => {
    const text = textOf(round.response);
    if (!text?.trim()) return [];
    return [defined({ kind: 'message', id: plainId(round.id) ?? `${id}/${i}`, at: end ?? at, text, model })];
  });
  return [...asked, ...answers];
}

function roundsOf(metadata: JsonObject): JsonObject[] {
  return listOf(metadata.toolCallRounds).flatMap((round): JsonObject[] => [objectOf(round) ?? {}]);
}

/** Of a call only the question's beginning and end are known: it was made between the two, in this order. */
function callsOf(request: Request, cwd: string | undefined): Step[] {
  const results = objectOf(request.metadata.toolCallResults) ?? {};
  const calls = roundsOf(request.metadata).flatMap((round) => listOf(round.toolCalls));
  return calls.flatMap((value, i): Call[] => {
    const { id: raw, name, arguments: given } = objectOf(value) ?? {};
    const [id, result] = [callId(raw), objectOf(results[textOf(raw) ?? ''])];
    if (id === undefined || !textOf(name) || !result) return [];
    const draft = { id, name: plainName(textOf(name) ?? ''), input: inputOf(given), at: request.at + i + 1, cwd };
    const call = callOf({ ...draft, model: undefined }, request.model);
    const end = endOf(request, call, textIn(result));
    return [
      end.outcome === 'failed'
        ? { ...withoutEdits(call), end }
        : callOf({ ...draft, model: undefined, end }, request.model),
    ];
  });
}

function withoutEdits({ edits: _, ...call }: Call): Call {
  return call;
}

/** An edit is done when its answer says so, or where the answer's words are unknown to us when the file was edited for it. */
function endOf(request: Request, call: Call, text: string): CallEnd {
  const verdict = judge(text);
  const edited = call.edits !== undefined;
  const done =
    !edited || verdict === 'done' || verdict === 'partly' || (verdict === undefined && wasEdited(request, call));
  const at = edited ? call.at : Math.max(request.end ?? call.at, call.at);
  return { at, outcome: done ? 'done' : 'failed', text };
}

function wasEdited({ fields }: Request, { edits = [], cwd }: Call): boolean {
  const groups = listOf(fields.response).flatMap((part) => {
    const { kind, uri, done, edits: made } = objectOf(part) ?? {};
    const some = listOf(made).some((batch) => listOf(batch).length > 0);
    return kind === 'textEditGroup' && done !== false && some ? (pathIn(uri) ?? []) : [];
  });
  const paths = new Set(groups.map((path) => placeOf(defined({ cwd }), path)));
  return edits.length > 0 && edits.every(({ path }) => paths.has(path));
}

function pathIn(uri: unknown): string | undefined {
  const { fsPath, external, path } = objectOf(uri) ?? {};
  return textOf(fsPath) ?? pathOfUri(external) ?? textOf(path);
}

/** Answers are trees of what the model was shown: their texts, in order. */
function textIn(value: unknown, depth = 0): string {
  if (depth > 50) return '';
  if (Array.isArray(value)) return value.map((item) => textIn(item, depth + 1)).join('');
  const part = objectOf(value);
  if (!part) return '';
  const { text, value: inner, node, children, content } = part;
  if (typeof inner === 'string') return inner;
  return (textOf(text) ?? '') + [content, inner, node, children].map((one) => textIn(one, depth + 1)).join('');
}
