import { Fault } from '../fault.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface FetchOptions {
  readonly api: string;
  sleep(milliseconds: number): Promise<void>;
  log(line: string): void;
  /** A POST may be repeated after an error on the server's side: doing it twice does no harm. */
  readonly repeatPosts: boolean;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const ATTEMPTS = 4;
/** Whoever asks for more patience than this gets an error instead: a job is paid by the minute. */
const MAX_WAIT_MS = 60_000;

/**
 * fetch for talking to one API with a token: no other server ever sees it, nothing is read without end, and what a server
 * asks to be repeated is repeated. A POST that failed half-way is not, unless that is harmless: it may have been carried out.
 */
export function guardedFetch(options: FetchOptions): Fetch {
  const origin = new URL(options.api).origin;
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = (init.method ?? 'GET').toUpperCase();
    for (let attempt = 1; ; attempt++) {
      const answer = await once(url, { ...init, method }, origin);
      const wait = waitAfter(answer, attempt, options.repeatPosts || method !== 'POST');
      if (wait === undefined || wait > MAX_WAIT_MS || attempt >= ATTEMPTS) {
        if (answer instanceof Fault) throw answer;
        return answer;
      }
      const why = answer instanceof Fault ? 'no answer' : `answer ${answer.status}`;
      options.log(`${method} ${url.pathname}: ${why}, once more in ${Math.ceil(wait / 1000)} s`);
      await options.sleep(wait);
    }
  };
}

/** One request with its redirects; without a network the fault is a value, so that it can be tried again. */
async function once(start: URL, init: RequestInit, origin: string): Promise<Response | Fault> {
  let url = start;
  let now = init;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (url.origin !== origin) {
      throw new Fault('surroundings', `${origin} sends us to another server, ${url.origin}: the token stays here`);
    }
    const answer = await request(url, now);
    const target = answer instanceof Response ? redirection(answer) : undefined;
    if (answer instanceof Fault || target === undefined) return answer;
    if (!URL.canParse(target, url.href)) break;
    url = new URL(target, url);
    // a renamed repository: the same request again, elsewhere. Only 303 says to look instead
    if (answer.status === 303) now = { ...now, method: 'GET', body: null };
  }
  throw new Fault('surroundings', `${origin} sends us around in circles`);
}

function redirection({ status, headers }: Response): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? (headers.get('location') ?? undefined) : undefined;
}

async function request(url: URL, init: RequestInit): Promise<Response | Fault> {
  try {
    const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await readCapped(answer);
    const { status, statusText } = answer;
    const headers = new Headers(answer.headers);
    // GitHub: "Otherwise, wait for at least one minute before retrying"
    if (status === 403 && /secondary rate limit/i.test(text) && !headers.has('retry-after'))
      headers.set('retry-after', '60');
    return new Response(text === '' ? null : text, { status, statusText, headers });
  } catch (error) {
    if (error instanceof Fault) throw error;
    return new Fault('surroundings', `${url.origin} cannot be reached: ${causeOf(error)}`);
  }
}

async function readCapped(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.byteLength;
    if (size > MAX_BYTES)
      throw new Fault('surroundings', `${new URL(answer.url).origin} answers more than is read here`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? ('code' in cause && String(cause.code)) || cause.name : 'unknown reason';
}

/** Milliseconds to wait before the same request again; undefined: it is not repeated. */
function waitAfter(answer: Response | Fault, attempt: number, repeatable: boolean): number | undefined {
  const backoff = 1000 * 2 ** (attempt - 1);
  if (answer instanceof Fault) return repeatable ? backoff : undefined;
  // told to wait: nothing was carried out
  if (isLimited(answer)) return askedWait(answer) ?? backoff;
  return answer.status >= 500 && repeatable ? backoff : undefined;
}

/** 429 is said by all. GitHub says 403 too: with nothing remaining, or with a time to wait (its secondary limits). */
export function isLimited({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  const waits = headers.has('retry-after');
  if (status === 429 || (status === 503 && waits)) return true;
  return status === 403 && (waits || headers.get('x-ratelimit-remaining') === '0');
}

function askedWait({ headers }: Response): number | undefined {
  const after = headers.get('retry-after');
  if (after !== null) {
    const seconds = /^\d{1,15}$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000;
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  }
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  // a second more: clocks differ
  return Number.isFinite(reset) ? Math.max(0, reset * 1000 - Date.now()) + 1000 : undefined;
}
