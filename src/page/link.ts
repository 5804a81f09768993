import { cut, html, type Markup, name, visible } from './markup.ts';

/** Longer addresses are named, not shown: half an address is of no use. */
const LONGEST = 400;

/** Where a conversation can be read: a link for the web, a command for what is stored in the repository, and text for anything else. */
export function conversationLink(address: string | undefined): Markup | undefined {
  if (!address) return undefined;
  if (address.length > LONGEST) return html`<span class="soft">address of ${address.length} characters</span>`;
  const web = webAddress(address);
  if (web) return html`<a href="${web.href}" rel="noopener noreferrer">${name(web.host)}&#8239;↗</a>`;
  if (!isOwnAddress(address)) return html`<code>${name(address)}</code>`;
  return html`<code class="command">git agent show <bdi>${quoted(address)}</bdi></code>`;
}

/** Of a conversation that `git agent show` finds itself. */
export function isOwnAddress(address = ''): boolean {
  return /^agentlog:/i.test(address);
}

/** Nothing but the web: a `javascript:` address would run here. */
function webAddress(address: string): URL | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

/** The conversation as a whole: without the event that wrote one line. */
export function wholeConversation(address: string): string {
  return isOwnAddress(address) ? address.replace(/#.*$/s, '') : address;
}

/** People copy commands into a shell; what is not plain is one word in quotes there. */
function quoted(word: string): string {
  if (/^[\w.~:/#%@+=-]+$/.test(word)) return word;
  return `'${visible(word).replaceAll("'", "'\\''")}'`;
}

/** Enough of a session's id to tell it from others; all of it on hover. */
export function sessionName(session: string): Markup {
  const short = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(session) ? session.slice(0, 8) : session;
  return html`<span class="session" title="${cut(session, 200)}">${name(short, 28)}</span>`;
}
