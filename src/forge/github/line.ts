import { Fault } from '../../fault.ts';
import { isObject } from '../../json.ts';
import type { Means } from '../bot.ts';
import { guardedFetch } from '../fetch.ts';
import { answerFault, MAX_PAGES } from '../http.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** GitHub's own client, with our fetch inside. */
export interface Line {
  list(route: string, parameters: Parameters): Promise<readonly unknown[]>;
  send(route: string, parameters: Parameters): Promise<unknown>;
  /** The same for what may be repeated when the server fails. */
  again(route: string, parameters: Parameters): Promise<unknown>;
  /** The login that the token speaks for. */
  viewer(): Promise<string | undefined>;
}

interface LineOptions {
  readonly api: string;
  readonly secret: string;
  readonly means: Means;
}

/**
 * Octokit knows addresses, headers, pages and GraphQL. Its retry and throttling plugins are left out: they repeat a POST after a
 * 502 (a comment may then be there twice), and cannot be told how long to be patient. `fetch.ts` does that for all forges alike.
 */
export async function openLine({ api, secret, means }: LineOptions): Promise<Line> {
  const [{ Octokit }, { paginateRest }] = await Promise.all([
    import('@octokit/core'),
    import('@octokit/plugin-paginate-rest'),
  ]);
  const careful = guardedFetch({ api, ...means, repeatPosts: false });
  const stubborn = guardedFetch({ api, ...means, repeatPosts: true });
  const log = { debug: () => {}, info: () => {}, warn: means.log, error: means.log };
  const client = new (Octokit.plugin(paginateRest))({
    auth: secret,
    baseUrl: api,
    userAgent: 'git-agent-blame',
    log,
    request: { fetch: careful, log },
  });
  const ask = async (route: string, parameters: Parameters, fetch = careful) => {
    const answer = await asFault(route, secret, () =>
      client.request(route, { ...parameters, request: { fetch, log } }),
    );
    return answer.data as unknown;
  };
  return {
    list: (route, parameters) =>
      asFault(route, secret, async () => {
        const items: unknown[] = [];
        let pages = 0;
        for await (const { data } of client.paginate.iterator(route, parameters)) {
          items.push(...(Array.isArray(data) ? data : []));
          if (++pages >= MAX_PAGES) break;
        }
        return items;
      }),
    send: (route, parameters) => ask(route, parameters),
    again: (route, parameters) => ask(route, parameters, stubborn),
    async viewer() {
      const query = 'query { viewer { login } }';
      const answer: unknown = await asFault('POST /graphql', secret, () =>
        client.graphql(query, { request: { fetch: stubborn } }),
      );
      const login = isObject(answer) && isObject(answer.viewer) ? answer.viewer.login : undefined;
      return typeof login === 'string' ? login : undefined;
    },
  };
}

/** Octokit's errors carry the request, with the token in it: only what is known to be harmless goes on. */
async function asFault<T>(what: string, secret: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && error.cause instanceof Fault) throw error.cause;
    if (!isObject(error) || typeof error.status !== 'number') {
      // GraphQL says no with 200 and a list of errors
      if (isObject(error) && Array.isArray(error.errors))
        throw new Fault('surroundings', `${what}: refused`, { status: 403 });
      // a proxy's page where a list was expected
      if (error instanceof TypeError)
        throw new Fault('surroundings', `${what}: the answer is not that of GitHub's API`);
      throw error;
    }
    const answer = isObject(error.response) ? error.response : {};
    const headers = new Headers(isObject(answer.headers) ? textsOf(answer.headers) : {});
    throw answerFault({ status: error.status, headers, text: String(error.message), what, secret });
  }
}

function textsOf(headers: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}
