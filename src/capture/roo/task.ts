import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { typedIn } from '../cline/classic-text.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf } from '../fields.ts';
import { parseJsonFile, type Skipped, skip } from '../json-lines.ts';
import type { Captured } from '../session.ts';
import type { Part } from '../tagged.ts';
import type { Step } from '../tale.ts';
import { type Ask, asksIn, takeAsk } from './asks.ts';
import { answersIn, partsIn } from './parts.ts';
import { callOf, editedPath } from './tools.ts';

/** A task: one folder of files. This one has what the model was told and said, others beside it where, and what the person was asked. */
export function decodeTask(file: TranscriptFile): Captured {
  const skipped: Skipped = {};
  const folder = file.path.replace(/[\\/][^\\/]*$/, '');
  const task = plainId(folder.replace(/^.*[\\/]/, '')) ?? '';
  const messages = messagesIn(parseJsonFile(file.text()), skipped);
  const item = objectOf(parseJsonFile(file.read(`${folder}/history_item.json`) ?? '')) ?? {};
  const about: About = {
    task,
    times: timesOf(messages, /^\d{13}$/.test(task) ? Number(task) : file.modified),
    cwd: textOf(item.workspace) ?? workspaceIn(messages),
    asks: asksIn(parseJsonFile(file.read(`${folder}/ui_messages.json`) ?? '')),
    skipped,
  };
  return assemble(
    defined({
      session: messages.length > 0 ? task : '',
      tool: { name: 'roo' },
      cwd: about.cwd,
      startedAt: about.times[0],
      parentSession: plainId(item.parentTaskId),
      childSessions: childrenOf(item),
      tokens: tokensOf(item),
      steps: messages.flatMap((_, i) => stepsOf(messages, i, about)),
      skipped,
    }),
  );
}

/** A list, or since version 2 an object that has one. */
function messagesIn(value: unknown, skipped: Skipped): JsonObject[] {
  const list = Array.isArray(value) ? value : objectOf(value)?.messages;
  if (!Array.isArray(list)) skip(skipped, 'broken file');
  return listOf(list).map((one) => objectOf(one) ?? {});
}

/** Where nothing tells, a message is as old as the one before it. */
function timesOf(messages: readonly JsonObject[], began: number): number[] {
  const times: number[] = [];
  for (const { ts } of messages)
    times.push(Math.max(countOf(ts) ?? 0, times.at(-1) ?? (countOf(ts) === undefined ? began : 0)));
  return times;
}

/** Roo tells the model where it is. */
function workspaceIn(messages: readonly JsonObject[]): string | undefined {
  const texts = messages.flatMap(({ role, content }) =>
    role === 'user' ? listOf(content).map((block) => textOf(objectOf(block)?.text) ?? '') : [],
  );
  return texts.map((text) => /^# Current Workspace Directory \((.+?)\) Files$/m.exec(text)?.[1]).find(Boolean);
}

function childrenOf({ childIds }: JsonObject): string[] | undefined {
  const ids = listOf(childIds).flatMap((id) => plainId(id) ?? []);
  return ids.length > 0 ? ids : undefined;
}

function tokensOf({ tokensIn, tokensOut, cacheReads, cacheWrites }: JsonObject): TokenUsage | undefined {
  const [input, output] = [countOf(tokensIn), countOf(tokensOut)];
  if (input === undefined || output === undefined) return undefined;
  return defined({
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: countOf(cacheReads),
    cacheWriteTokens: countOf(cacheWrites),
  });
}

interface About {
  readonly task: string;
  readonly times: readonly number[];
  readonly cwd: string | undefined;
  readonly asks: Ask[];
  readonly skipped: Skipped;
}

function stepsOf(messages: readonly JsonObject[], i: number, about: About): Step[] {
  const { role, content, isSummary } = messages[i] ?? {};
  const at = about.times[i] ?? 0;
  const id = (part: number) => `${about.task}-${i}-${part}`;
  if (role === 'user' && isSummary !== true)
    return typedIn(content).map((text, k) => ({ kind: 'prompt', id: id(k), at, text }));
  if (role !== 'assistant') {
    if (role !== 'user' && role !== 'tool' && messages[i]?.type !== 'reasoning')
      skip(about.skipped, 'message of nobody');
    return [];
  }
  const answers = answersIn(objectOf(messages[i + 1])?.content);
  // a message is stored when it is complete: by then some of its calls may be over
  const [from, until] = [about.times[i - 1] ?? at, about.times[i + 1] ?? Infinity];
  return partsIn(content).map((part, k): Step => {
    if ('text' in part) return { kind: part.kind, id: id(k), at: from, text: part.text };
    const text = answerFor(part, answers);
    const asked = editedPath(part.name, part.input) ?? commandIn(part);
    const ask = asked === undefined ? undefined : takeAsk(about.asks, asked, { from, to: until });
    const began = ask?.at ?? from;
    const call = defined({ id: part.id ?? id(k), at: began, name: part.name, input: part.input, cwd: about.cwd });
    const ended = commandIn(part) !== undefined && Number.isFinite(until) ? until : began;
    return callOf(call, text === undefined ? undefined : { at: ended, text, ask });
  });
}

function commandIn({ name, input }: AskedCall): string | undefined {
  return name === 'execute_command' ? textOf(input.command) : undefined;
}

type AskedCall = Extract<Part, { name: string }>;

/** By its id where there is one; else the first of its name that is left. */
function answerFor({ id, name }: AskedCall, answers: ReturnType<typeof answersIn>): string | undefined {
  const at = answers.findIndex((one) => (one.id === undefined ? one.name === name : one.id === id));
  return at < 0 ? undefined : answers.splice(at, 1)[0]?.text;
}
