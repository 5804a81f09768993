import type { KnownEvent } from './document.ts';

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
