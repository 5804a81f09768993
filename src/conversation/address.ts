import { type ConversationRef, parseConversationUrl } from '../trace/conversation.ts';

/** The session that an address leads to: `agentlog:...`, or one that the template of `agent.conversationUrl` has made. */
export function parseAddress(address: string, template: string): ConversationRef | undefined {
  const own = parseConversationUrl(address);
  if (own || !template.includes('{session}')) return own;
  const pattern = template
    .split(/(\{session\}|\{event\})/)
    .map((part, i, parts) => {
      const first = parts.indexOf(part) === i;
      if (part === '{session}') return first ? '(?<session>[^/?#&]+)' : '[^/?#&]+';
      if (part === '{event}') return first ? '(?<event>[^/?#&]*)' : '[^/?#&]*';
      return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  const { session, event } = new RegExp(`^${pattern}$`).exec(address)?.groups ?? {};
  if (!session) return undefined;
  // the same unquoting that agentlog addresses get
  return parseConversationUrl(`agentlog:${session}${event ? `#${event}` : ''}`);
}
