import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Record<string, unknown> & unknown[];
}

export interface Said {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A mishap that happens once: to the next request that begins like this, before or after it was carried out. */
export interface Mishap extends Said {
  readonly to: string;
  readonly carriedOut?: boolean;
  /** The connection ends without an answer. */
  readonly hangUp?: boolean;
}

export interface Server {
  readonly url: string;
  /** `METHOD /path` of every request, in order. */
  readonly asked: string[];
  readonly mishaps: Mishap[];
  close(): Promise<void>;
}

/** A real HTTP server on this machine that speaks JSON as an API does. */
export async function serve(answer: (asked: Asked, url: string) => Said): Promise<Server> {
  const asked: string[] = [];
  const mishaps: Mishap[] = [];
  let url = '';
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const at = new URL(request.url ?? '/', 'http://x');
    const what = `${request.method} ${at.pathname}`;
    asked.push(what);
    const text = Buffer.concat(chunks).toString('utf8');
    const method = request.method ?? '';
    const wish = { method, path: at.pathname, query: at.searchParams, headers: request.headers };
    const index = mishaps.findIndex(({ to }) => what.startsWith(to));
    const mishap = index < 0 ? undefined : mishaps.splice(index, 1)[0];
    const carry = !mishap || mishap.carriedOut === true;
    const usual = carry ? answer({ ...wish, body: text === '' ? undefined : JSON.parse(text) }, url) : { status: 500 };
    if (mishap?.hangUp) return void request.socket.destroy();
    const said: Said = mishap ?? usual;
    const json = typeof said.body === 'string' ? said.body : JSON.stringify(said.body ?? {});
    response.writeHead(said.status, { 'content-type': 'application/json; charset=utf-8', ...said.headers });
    response.end(json);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    mishaps,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A clock that does not wait, but remembers for how long it would have. */
export function meansFor(env: Readonly<Record<string, string>>) {
  const waits: number[] = [];
  const lines: string[] = [];
  const means = {
    env,
    sleep: async (ms: number) => void waits.push(ms),
    log: (line: string) => void lines.push(line),
  };
  return { ...means, waits, lines };
}

/** One page of a list, and where the next is. */
export function pageOf<T>(all: readonly T[], query: URLSearchParams, size: number): { items: T[]; next?: number } {
  const page = Number(query.get('page') ?? '1');
  const items = all.slice((page - 1) * size, page * size);
  return page * size < all.length ? { items, next: page + 1 } : { items };
}
