import { Fault } from '../fault.ts';
import { isObject, parseJson } from '../json.ts';
import { type Fetch, guardedFetch, isLimited } from './fetch.ts';
import type { Token } from './surroundings.ts';

/** JSON over HTTP with one API. Answers of 400 and more are faults that carry their status. */
export interface Client {
  get(path: string): Promise<unknown>;
  /** All pages of a list. */
  list(path: string): Promise<readonly unknown[]>;
  /** `again`: doing it twice does no harm, so that it may be repeated when the server fails. */
  send(method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown, again?: 'again'): Promise<unknown>;
}

export interface ClientOptions {
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Taken out of whatever is said. */
  readonly secret: string;
  sleep(milliseconds: number): Promise<void>;
  log(line: string): void;
}

/** A list that never ends is cut. */
export const MAX_PAGES = 200;
const MAX_LENGTH = 16 * 1024 * 1024;
const USER_AGENT = 'git-agent-blame';

export function openClient(options: ClientOptions): Client {
  const careful = guardedFetch({ ...options, repeatPosts: false });
  const stubborn = guardedFetch({ ...options, repeatPosts: true });
  const ask = async (fetch: Fetch, url: string, { method = 'GET', body }: RequestInit = {}): Promise<Page> => {
    const headers = { ...options.headers, accept: 'application/json', 'user-agent': USER_AGENT };
    const answer = await fetch(url, { method, headers: { ...headers, ...(body && TYPE) }, ...(body && { body }) });
    return {
      headers: answer.headers,
      body: await bodyOf(answer, `${method} ${new URL(url).pathname}`, options.secret),
    };
  };
  return {
    get: async (path) => (await ask(careful, options.api + path)).body,
    async list(path) {
      const items: unknown[] = [];
      let url: string | undefined = options.api + path;
      for (let page = 0; url !== undefined && page < MAX_PAGES; page++) {
        const answer = await ask(careful, url);
        items.push(...itemsOf(answer.body));
        url = nextPage(answer, url);
      }
      return items;
    },
    async send(method, path, body, again) {
      const init = { method, body: JSON.stringify(body) };
      return (await ask(again ? stubborn : careful, options.api + path, init)).body;
    },
  };
}

const TYPE = { 'content-type': 'application/json' };

interface Page {
  readonly headers: Headers;
  readonly body: unknown;
}

async function bodyOf(answer: Response, what: string, secret: string): Promise<unknown> {
  const text = await answer.text();
  if (answer.status >= 400) throw answerFault({ ...pick(answer), text, what, secret });
  if (text === '') return undefined;
  const parsed = parseJson(text, MAX_LENGTH);
  if ('value' in parsed) return parsed.value;
  // Azure shows a page to sign in, with 203, to a token that it does not know
  throw answerFault({
    status: answer.status === 203 ? 401 : 502,
    headers: answer.headers,
    text: 'not JSON',
    what,
    secret,
  });
}

const pick = ({ status, headers }: Response) => ({ status, headers });

export interface BadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The request, for the message. */
  readonly what: string;
  readonly secret: string;
}

/** One sentence with the server's own reason, short, in plain letters and without the token. */
export function answerFault({ status, headers, text, what, secret }: BadAnswer): Fault {
  const said = reasonIn(text)
    .replace(/[^\x21-\x7e]+/g, ' ')
    .slice(0, 200)
    .trim();
  const hidden = secret === '' ? said : said.replaceAll(secret, '***');
  if (isLimited({ status, headers })) {
    return new Fault('surroundings', `${what}: too many requests, try again later (${status} ${hidden})`, {
      limited: true,
    });
  }
  const hint = status === 401 ? 'the token is not accepted, ' : '';
  return new Fault('surroundings', `${what}: ${hint}the answer is ${status} ${hidden}`.trimEnd(), { status });
}

/** GitHub, GitLab, Gitea and Azure: `message` (GitLab's may be an object), or `error`; Bitbucket: `error.message`. */
function reasonIn(text: string): string {
  const parsed = parseJson(text, 1024 * 1024);
  if (!('value' in parsed) || !isObject(parsed.value)) return text.startsWith('<') ? '' : text;
  const { message, error } = parsed.value;
  const found = message ?? (isObject(error) ? error.message : error);
  return typeof found === 'string' ? found : JSON.stringify(found ?? '');
}

/** A bare list, or one in an envelope: Bitbucket's `values`, Azure's `value`. */
function itemsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const inside = isObject(body) ? (body.values ?? body.value) : undefined;
  return Array.isArray(inside) ? inside : [];
}

/** `Link` (GitHub, Gitea, GitLab), `x-next-page` (GitLab behind proxies that drop long headers), `next` in the body (Bitbucket). */
function nextPage({ headers, body }: Page, url: string): string | undefined {
  const link = /<([^<>]{1,4000})>;\s{0,10}rel="next"/.exec(headers.get('link') ?? '')?.[1];
  if (link !== undefined) return new URL(link, url).href;
  const page = headers.get('x-next-page');
  if (page !== null && /^\d{1,9}$/.test(page)) {
    const next = new URL(url);
    next.searchParams.set('page', page);
    return next.href;
  }
  return isObject(body) && typeof body.next === 'string' && URL.canParse(body.next) ? body.next : undefined;
}

/** How each kind of token is shown. A token with an end of line in it would be another header: it is refused by fetch. */
export function authorization(kind: Token['kind'], secret: string): Readonly<Record<string, string>> {
  switch (kind) {
    case 'bearer':
      return { authorization: `Bearer ${secret}` };
    case 'private':
      return { 'private-token': secret };
    case 'job':
      return { 'job-token': secret };
    case 'basic':
      return { authorization: `Basic ${Buffer.from(secret).toString('base64')}` };
    case 'none':
      return {};
  }
}
