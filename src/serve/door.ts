import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What is looked at before anything else is. */
export interface Knock {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Let in, sent on with a cookie in hand, or turned away. */
export type Verdict =
  | { readonly kind: 'enter'; readonly url: URL }
  | { readonly kind: 'redirect'; readonly to: string; readonly cookie: string }
  | { readonly kind: 'refuse'; readonly status: number; readonly why: string; readonly allow?: string };

export interface Door {
  /** What the printed address ends in. */
  readonly token: string;
  /** Lets one knock in, then no more: for where others may see it, as in the arguments of a program. */
  ticket(): string;
  decide(knock: Knock): Verdict;
}

/** Longer addresses are not ours. */
const MOST_URL = 8192;

const NO_KEY = 'Open the address that git agent serve has printed: it has the key to this page.';

/**
 * Whoever knocks has to name us as we are called (a strange name in Host is another site's that was bent to lead here), to come from one of
 * our own pages or from no page at all, and to show the cookie, which the token in the printed address is exchanged for.
 */
export function openDoor(port: number): Door {
  const [token, pass] = [secret(), secret()];
  const tickets = new Set<string>();
  // cookies are shared by all ports of a host: two servers must not take each other's
  const cookie = `agent-serve-${port}`;
  const isToken = (said: string) => isSame(said, token) || tickets.delete(said);
  return {
    token,
    ticket() {
      const one = secret();
      tickets.add(one);
      return one;
    },
    decide({ method, url: asked = '', headers }) {
      const host = String(headers.host ?? '');
      if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
        return refuse(403, 'This is not the host you ask for.');
      if (method !== 'GET' && method !== 'HEAD')
        return { ...refuse(405, 'Nothing can be changed here: only GET and HEAD.'), allow: 'GET, HEAD' };
      const url = parseUrl(asked, host);
      if (!url) return refuse(400, 'This is no address of ours.');
      if (!isOwnVisit(headers)) return refuse(403, 'Other pages may not ask for this one.');
      const said = url.searchParams.get('token');
      if (said !== null && isToken(said)) return sendOn(url, `${cookie}=${pass}; Path=/; HttpOnly; SameSite=Strict`);
      return isSame(cookieIn(headers.cookie, cookie), pass) ? { kind: 'enter', url } : refuse(403, NO_KEY);
    },
  };
}

function refuse(status: number, why: string): Verdict & { kind: 'refuse' } {
  return { kind: 'refuse', status, why };
}

/** The same address without the token, so that it stays in no history and no link. */
function sendOn(url: URL, cookie: string): Verdict {
  url.searchParams.delete('token');
  return { kind: 'redirect', to: `${url.pathname}${url.search}`, cookie };
}

function parseUrl(asked: string, host: string): URL | undefined {
  const whole = `http://${host}${asked}`;
  if (asked.length > MOST_URL || !asked.startsWith('/') || !URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  // `//elsewhere`, also when it was `/\\elsewhere`, names another host where it is sent back
  return url.host === host && !url.pathname.startsWith('//') ? url : undefined;
}

/** Browsers tell where a request comes from. A person may follow a link from anywhere; a page elsewhere may load nothing. */
function isOwnVisit(headers: Knock['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function cookieIn(header: Knock['headers'][string], name: string): string {
  const pairs = String(header ?? '').split(';');
  const found = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? '';
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** In the same time whatever is said. */
function isSame(said: string, known: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(said), digest(known));
}
