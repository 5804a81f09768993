import { isObject } from '../json.ts';
import type { ToolCallEvent } from './document.ts';

export const OPEN_PROPERTY = 'git-agent-blame:open';

/** A call without a result: still at work, or cut off. AgentLog has no status for it: `cancelled` claims least, and a mark says the rest. */
export function openCall<E extends Omit<ToolCallEvent, 'status'>>(event: E): E & Pick<ToolCallEvent, 'status'> {
  return { ...event, status: 'cancelled', properties: { ...event.properties, [OPEN_PROPERTY]: true } };
}

export function isOpen({ type, properties }: { readonly type?: unknown; readonly properties?: unknown }): boolean {
  return type === 'toolCall' && isObject(properties) && properties[OPEN_PROPERTY] === true;
}
