import http from 'node:http';
import { startServing } from '../../src/commands/serve.ts';
import type { Served } from '../../src/serve/server.ts';
import { inWorld } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** A name that would act on a page that does not look at it. */
export const HOSTILE = '<img src=x onerror=alert(1)>.txt';

/** A person's line, then two by an agent that was asked for them; a file that is not text, and one with a hostile name. */
export async function story(): Promise<Workshop> {
  const shop = await openWorkshop();
  shop
    .human('src/a.ts', 'one\n')
    .human('logo.bin', Buffer.from([1, 0, 2]))
    .human(HOSTILE, '"quoted" & <b>bold</b>\n');
  shop.human('src/deep/empty.ts', '').commit('first <script>');
  shop.prompt('Please add two\nand <b>three</b> \x1b[31mnow');
  const id = shop.ai('src/a.ts', 'one\n\ttwo\nthree\n');
  shop.tellResult('s1', id, { type: 'update', filePath: `${shop.dir}/src/a.ts`, content: 'one\n\ttwo\nthree\n' });
  shop.commit('second');
  return shop;
}

export async function serve(shop: Pick<Workshop, 'dir' | 'home'>, dir = shop.dir): Promise<Served> {
  let served: Served | undefined;
  const { stderr } = await inWorld(
    async (_, world) => {
      served = await startServing(world, 0);
      return 0;
    },
    dir,
    [],
    { home: shop.home, env: { ...process.env, HOME: shop.home } },
  );
  if (!served) throw new Error(stderr);
  return served;
}

export interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** One request, its path sent as it is: fetch would tidy it up. */
export function ask(
  { port }: Served,
  path: string,
  { method = 'GET', headers = {} }: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on('error', reject).end();
  });
}

/** The cookie that the printed address is exchanged for. */
export async function enter(served: Served): Promise<Record<string, string>> {
  const { headers } = await ask(served, `/?token=${served.door.token}`);
  return { Cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
}
