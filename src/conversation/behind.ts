import type { AgentLogDocument, AgentLogEvent, FileOperationEvent, ToolCallEvent } from '../agentlog/document.ts';
import { isPrompt } from './summary.ts';

/** The piece of a conversation that made a line. */
export interface Behind {
  /** What the person asked. */
  readonly prompt: string | null;
  /** What the agent said before it did it, or else afterwards. */
  readonly message: string | null;
  /** The shell command, where one made the line. */
  readonly command: string | null;
  readonly call: ToolCallEvent | null;
  readonly edits: readonly FileOperationEvent[];
}

/**
 * Looks back from the event: the last prompt before it, and the agent's last words in between; it may also say what it did only when it
 * is done. Undefined when the event is not there.
 */
export function findBehind(document: AgentLogDocument, event: string): Behind | undefined {
  const { events } = document;
  const at = events.findIndex((one) => one.id === event);
  if (at === -1) return undefined;
  const asked = events.slice(0, at).findLastIndex(isPrompt);
  const rest = events.slice(at + 1);
  const turn = rest.slice(0, (rest.findIndex(isPrompt) + 1 || rest.length + 1) - 1);
  const words = events.slice(asked + 1, at + 1).findLast(isAnswer) ?? turn.find(isAnswer);
  const prompt = events[asked];
  const found = events[at];
  return {
    prompt: prompt && isPrompt(prompt) ? prompt.content : null,
    message: words?.type === 'message' ? words.content : null,
    command: found?.type === 'terminalCommand' ? found.command : null,
    call: found?.type === 'toolCall' ? found : null,
    edits: events.filter((one): one is FileOperationEvent => belongsTo(one, event)),
  };
}

function isAnswer(event: AgentLogEvent): boolean {
  return event.type === 'message' && event.role === 'assistant';
}

/** Edits are recorded beside the tool call that made them, as its children. */
function belongsTo(one: AgentLogEvent, event: string): boolean {
  return one.type === 'fileOperation' && one.operation !== 'read' && (one.id === event || one.parentId === event);
}
