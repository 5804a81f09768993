import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf } from '../fields.ts';
import { parseJsonFile, type Skipped, skip } from '../json-lines.ts';
import { printOf } from '../print.ts';
import type { Captured, Command } from '../session.ts';
import type { Said, Step } from '../tale.ts';
import { INDEX, type Indexed, pathOf, readIndex } from './locate.ts';
import { modelId } from './model.ts';
import { callOf, type Result } from './tools.ts';

/**
 * A session is one document without a time in it, saved at the end of a turn: whatever is new in it is as young as the file. What was
 * read before keeps the time that it had then (`sessions/timelines.ts`). Of a file that nobody has read, the list of sessions tells when
 * its first turn was saved; a turn between the first and the last one is of no known time, and too late rather than another's.
 */
export function decodeTranscript(file: TranscriptFile): Captured {
  const skipped: Skipped = {};
  const whole = objectOf(parseJsonFile(file.text()));
  if (!whole) skip(skipped, 'broken file');
  const session = plainId(whole?.sessionId) ?? '';
  const index = file.read(file.path.replace(/[^\\/]*$/, INDEX));
  const { saved, cwd: indexed }: Indexed = readIndex(index).get(session) ?? {};
  const about = { at: file.modified, cwd: pathOf(whole?.workspaceDirectory) ?? indexed, skipped };
  const told = listOf(whole?.history).flatMap((item, i) => stepsOf(item, i, about));
  const steps = inTurn(told, { first: file.unread ? saved : undefined, last: file.modified });
  const begun = steps[0]?.at ?? file.modified;
  const captured = assemble(
    defined({
      session,
      tool: { name: 'continue' },
      cwd: about.cwd,
      startedAt: saved !== undefined && saved <= begun ? saved : undefined,
      endedAt: file.modified,
      tokens: tokensOf(objectOf(whole?.usage)),
      steps,
      skipped,
    }),
  );
  const window = { startedAt: begun - 1, endedAt: file.modified + 1 };
  return { ...captured, commands: captured.commands.map((command) => widened(command, window)) };
}

/** The first turn when it was saved, where that is known and there are others; all the rest when the file was. */
function inTurn(steps: readonly Step[], times: { readonly first: number | undefined; readonly last: number }): Step[] {
  const { first = Infinity, last } = times;
  const prompts = steps.flatMap(({ kind }, i) => (kind === 'prompt' ? [i] : []));
  const second = prompts[1] ?? 0;
  const isBefore = first < last - (steps.length - second);
  if (!isBefore) return spaced(steps, last);
  return [...spaced(steps.slice(0, second), first), ...spaced(steps.slice(second), last)];
}

/**
 * Steps of one time would stand in the order of their ids. Each has a millisecond of its own, the last one the file's: none is younger
 * than the file, and when it has grown all of them move on together.
 */
function spaced(steps: readonly Step[], last: number): Step[] {
  return steps.map((step, i) => {
    const at = last - (steps.length - 1 - i);
    return step.kind === 'call' && step.end ? { ...step, at, end: { ...step.end, at } } : { ...step, at };
  });
}

/** The milliseconds are made up: it may have run before the edits beside it, between them, or after them. */
function widened(command: Command, window: { readonly startedAt: number; readonly endedAt: number }): Command {
  const { startedAt, endedAt } = window;
  return { ...command, startedAt, ...(command.endedAt !== undefined && { endedAt }) };
}

function tokensOf(usage: JsonObject | undefined): TokenUsage | undefined {
  const [inputTokens, outputTokens] = [countOf(usage?.promptTokens), countOf(usage?.completionTokens)];
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cached = objectOf(usage?.promptTokensDetails);
  return defined({
    inputTokens,
    outputTokens,
    cacheReadTokens: countOf(cached?.cachedTokens),
    cacheWriteTokens: countOf(cached?.cacheWriteTokens),
  });
}

interface About {
  readonly at: number;
  readonly cwd: string | undefined;
  readonly skipped: Skipped;
}

function stepsOf(item: unknown, i: number, { at, cwd, skipped }: About): Step[] {
  const message = objectOf(objectOf(item)?.message);
  const role = textOf(message?.role);
  if (!message || role === undefined) {
    skip(skipped, 'item without message');
    return [];
  }
  const model = modelId(textOf(objectOf(message.usage)?.model));
  const text = wordsOf(message.content);
  const kind = KINDS[role];
  // the document may be shortened: a number alone would be another message's tomorrow
  const id = `${i}-${printOf(role, text)}`;
  const said: Said[] = kind && text.trim() !== '' ? [defined({ kind, id, at, text, model })] : [];
  const calls = listOf(objectOf(item)?.toolCallStates).flatMap((value): Step[] => {
    const state = objectOf(value) ?? {};
    const asked = objectOf(objectOf(state.toolCall)?.function);
    const [call, name] = [plainId(state.toolCallId), textOf(asked?.name)];
    const input = objectOf(state.parsedArgs) ?? objectOf(parseJsonFile(textOf(asked?.arguments) ?? ''));
    if (call !== undefined && name && input)
      return [callOf(defined({ id: call, at, name, input, cwd, model }), resultOf(state, at))];
    skip(skipped, 'call without id, name or arguments');
    return [];
  });
  return [...said, ...calls];
}

const KINDS: Readonly<Record<string, Said['kind']>> = { user: 'prompt', assistant: 'message', thinking: 'thought' };

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .flatMap((block) => textOf(objectOf(block)?.text) ?? [])
    .join('\n');
}

function resultOf({ status, output }: JsonObject, at: number): Result | undefined {
  if (status !== 'done' && status !== 'errored' && status !== 'canceled') return undefined;
  const texts = listOf(output).flatMap((item) => textOf(objectOf(item)?.content) ?? []);
  return { at, status, text: texts.join('\n') };
}
