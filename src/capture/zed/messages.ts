import type { JsonObject } from '../../json.ts';
import { listOf, objectOf, plainId, textOf } from '../fields.ts';

export interface Message {
  readonly parts: readonly Part[];
}

export type Part = Words | AskedCall;

interface Words {
  readonly kind: 'prompt' | 'message' | 'thought';
  readonly text: string;
}

/** A call with its answer, where it has one. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly answer: JsonObject | undefined;
}

/** The messages of a thread: since version 0.3.0 `{User: …}` and `{Agent: …}`, before that with a role and segments. */
export function messagesOf(thread: JsonObject): Message[] {
  return listOf(thread.messages).map((value) => {
    const message = objectOf(value) ?? {};
    const [user, agent] = [objectOf(message.User), objectOf(message.Agent)];
    if (user) return { parts: listOf(user.content).flatMap((part) => words('prompt', textOf(objectOf(part)?.Text))) };
    return { parts: agent ? agentParts(agent) : olderParts(message) };
  });
}

function words(kind: Words['kind'], text: string | undefined): Words[] {
  return text?.trim() ? [{ kind, text }] : [];
}

function agentParts(agent: JsonObject): Part[] {
  const answers = objectOf(agent.tool_results) ?? {};
  return listOf(agent.content).flatMap((value): Part[] => {
    const part = objectOf(value) ?? {};
    const [use, thinking] = [objectOf(part.ToolUse), objectOf(part.Thinking)];
    if (!use) return [...words('thought', textOf(thinking?.text)), ...words('message', textOf(part.Text))];
    const id = textOf(use.id) ?? '';
    return call(use, Object.hasOwn(answers, id) ? objectOf(answers[id]) : undefined);
  });
}

function call({ id, name, input }: JsonObject, answer: JsonObject | undefined): AskedCall[] {
  const [plain, tool] = [plainId(id), textOf(name)];
  return plain === undefined || !tool ? [] : [{ id: plain, name: tool, input: objectOf(input) ?? {}, answer }];
}

function olderParts(message: JsonObject): Part[] {
  const person = message.role === 'user';
  const said = listOf(message.segments).flatMap((value) => {
    const segment = objectOf(value);
    return words(person ? 'prompt' : segment?.type === 'thinking' ? 'thought' : 'message', textOf(segment?.text));
  });
  const answers = listOf(message.tool_results).map((value) => objectOf(value) ?? {});
  const calls = listOf(message.tool_uses).flatMap((value) => {
    const use = objectOf(value) ?? {};
    return call(
      use,
      answers.find((answer) => answer.tool_use_id === use.id),
    );
  });
  return [...said, ...calls];
}
