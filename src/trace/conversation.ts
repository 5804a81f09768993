/** A place in a recorded session. `event` is absent where only the session is known. */
export interface ConversationRef {
  readonly session: string;
  readonly event?: string;
}

/** RFC 3986: a scheme, then only the characters that may stand in a URI, and at most one fragment. */
const URI =
  /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[0-9a-f]{2})*(?:#(?:[\w\-.~:/?@!$&'()*+,;=]|%[0-9a-f]{2})*)?$/i;

export function isUri(text: string): boolean {
  return URI.test(text);
}

/**
 * `agentlog:SESSION#EVENT`, or what the template makes of `{session}` and `{event}`. A template that makes no URI is passed over: a
 * slip in a setting must not keep a commit from being recorded.
 */
export function conversationUrl({ session, event }: ConversationRef, template?: string): string {
  const plain = `agentlog:${encode(session)}${event ? `#${encode(event)}` : ''}`;
  if (!template) return plain;
  const made = template.replace(/\{(session|event)\}/g, (_, name) =>
    encode(name === 'session' ? session : (event ?? '')),
  );
  return isUri(made) ? made : plain;
}

export function parseConversationUrl(url: string): ConversationRef | undefined {
  const [, session, event] = /^agentlog:([^#]+)(?:#(.*))?$/is.exec(url) ?? [];
  if (!session) return undefined;
  return event ? { session: decode(session), event: decode(event) } : { session: decode(session) };
}

/** encodeURIComponent throws at half a surrogate pair. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
