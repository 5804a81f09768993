import type { AgentLogDocument, AgentLogEvent, FileOperationEvent, ToolCallEvent } from '../agentlog/document.ts';
import { isPrompt } from './summary.ts';

/** The piece of a conversation that made a line. */
export interface Behind {
  /** What the person asked. */
  readonly prompt: string | null;
  /** What the agent said before it did it. */
  readonly message: string | null;
  readonly call: ToolCallEvent | null;
  readonly edits: readonly FileOperationEvent[];
}

/** Looks back from the event: the last prompt before it, and the agent's last words in between. Undefined when it is not there. */
export function findBehind(document: AgentLogDocument, event: string): Behind | undefined {
  const { events } = document;
  const at = events.findIndex((one) => one.id === event);
  if (at === -1) return undefined;
  const asked = events.slice(0, at).findLastIndex(isPrompt);
  const words = events.slice(asked + 1, at + 1).findLast((one) => one.type === 'message' && one.role === 'assistant');
  const prompt = events[asked];
  const found = events[at];
  return {
    prompt: prompt && isPrompt(prompt) ? prompt.content : null,
    message: words?.type === 'message' ? words.content : null,
    call: found?.type === 'toolCall' ? found : null,
    edits: events.filter((one): one is FileOperationEvent => belongsTo(one, event)),
  };
}

/** Edits are recorded beside the tool call that made them, as its children. */
function belongsTo(one: AgentLogEvent, event: string): boolean {
  return one.type === 'fileOperation' && one.operation !== 'read' && (one.id === event || one.parentId === event);
}
