import type { AgentLogEvent, KnownEvent } from './document.ts';

/** Where an event says which tool was called, in the agent's own word, if its type has no field for it. */
export const TOOL_PROPERTY = 'git-agent-blame:tool';

/** The same event with the name of the tool whose call it is. */
export function withTool<E extends AgentLogEvent>(event: E, tool: string): E {
  switch (event.type) {
    case 'toolCall':
    case 'search':
    case 'approval':
    case 'opaque':
      return event;
    default:
      return { ...event, properties: { ...event.properties, [TOOL_PROPERTY]: tool } };
  }
}

/** The tool whose call the event is, as its agent calls it; undefined where nobody says so. */
export function calledToolOf(event: AgentLogEvent): string | undefined {
  if (event.type === 'toolCall') return event.name;
  if (event.type === 'search') return event.tool;
  const told = event.type === 'opaque' ? undefined : event.properties?.[TOOL_PROPERTY];
  return typeof told === 'string' ? told : undefined;
}

/** The name of the call that the event is. AgentLog has types of its own for what most agents' tools do, and they name no tool. */
export function callNameOf(event: KnownEvent): string | undefined {
  switch (event.type) {
    case 'toolCall':
      return event.name;
    case 'fileOperation':
      return event.operation;
    case 'terminalCommand':
      return 'shell';
    case 'search':
      return event.tool;
    case 'contextLoad':
      return `load ${event.source}`;
    case 'handoff':
      return 'handoff';
    default:
      return undefined;
  }
}
