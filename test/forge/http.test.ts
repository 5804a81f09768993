import { afterEach, describe, expect, it } from 'vitest';
import { openClient } from '../../src/forge/http.ts';
import { findSurroundings, openBot } from '../../src/forge/index.ts';
import { meansFor, type Said, type Server, serve } from './server.ts';

let server: Server | undefined;
afterEach(() => server?.close());

async function clientFor(answer: (page: string | null, url: string) => Said) {
  const opened = await serve(({ query }, url) => answer(query.get('page'), url));
  server = opened;
  const means = meansFor({});
  return {
    client: openClient({ api: opened.url, headers: { 'x-key': 'secret' }, secret: 'secret', ...means }),
    means,
    opened,
  };
}

describe('pages', () => {
  it.each<[string, (next: number, url: string) => Partial<Said>, (items: number[]) => unknown]>([
    [
      'Link',
      (next, url) => ({ headers: { link: `<${url}/x?page=1>; rel="prev", <${url}/x?page=${next}>; rel="next"` } }),
      (items) => items,
    ],
    ['x-next-page', (next) => ({ headers: { 'x-next-page': String(next) } }), (items) => items],
    [
      'value in an envelope',
      (next) => ({ headers: { 'x-next-page': String(next) } }),
      (value) => ({ value, count: 1 }),
    ],
  ])('by %s', async (_, pointer, wrap) => {
    const { client } = await clientFor((asked, url) => {
      const page = Number(asked ?? 1);
      return { status: 200, body: wrap([page]), ...(page < 4 && pointer(page + 1, url)) };
    });
    expect(await client.list('/x')).toEqual([1, 2, 3, 4]);
  });

  it('end, even if the server says that there is always another', async () => {
    const { client, opened } = await clientFor(() => ({ status: 200, body: [1], headers: { 'x-next-page': '2' } }));
    expect(await client.list('/x')).toHaveLength(200);
    expect(opened.asked).toHaveLength(200);
  });
});

describe('answers', () => {
  it('longer than anybody needs are not read to their end', async () => {
    const { client } = await clientFor(() => ({ status: 200, body: `"${'x'.repeat(17 * 1024 * 1024)}"` }));
    await expect(client.get('/x')).rejects.toThrow(/more than is read here/);
  });

  it('that are not JSON are errors, not values', async () => {
    const { client } = await clientFor(() => ({ status: 200, body: '<html>' }));
    await expect(client.get('/x')).rejects.toThrow(/GET \/x: .*not JSON/);
  });

  it.each([
    [{ message: 'plain \x1b[31mred\x07 secret' }, /the answer is 422 plain \[31mred \*\*\*$/],
    [{ message: { body: ['is too long'] } }, /422 \{"body":\["is too long"\]\}$/],
    [{ error: { message: 'nested' } }, /422 nested$/],
    ['<html>', /422$/],
    [{ message: 'x'.repeat(9999) }, /422 x{200}$/],
  ])('say why in one short line: %j', async (body, message) => {
    const { client } = await clientFor(() => ({ status: 422, body }));
    await expect(client.get('/x')).rejects.toThrow(message);
  });

  it('are waited for in vain where nobody listens', async () => {
    const { client, means, opened } = await clientFor(() => ({ status: 200 }));
    await opened.close();
    await expect(client.get('/x')).rejects.toThrow(/cannot be reached: ECONNREFUSED/);
    expect(means.waits).toEqual([1000, 2000, 4000]);
    await expect(client.send('POST', '/x', {})).rejects.toThrow(/cannot be reached/);
    expect(means.waits).toHaveLength(3);
  });

  it('that send us around in circles end', async () => {
    const { client, opened } = await clientFor(() => ({ status: 302, headers: { location: '/x' } }));
    await expect(client.get('/x')).rejects.toThrow(/circles/);
    expect(opened.asked).toHaveLength(6);
  });
});

describe('a bot that cannot speak says why', () => {
  const status = { state: 'success' as const, title: '', summary: '', annotations: [] };
  it.each<[Record<string, string>, RegExp]>([
    [{ AGENT_PR_BASE: 'main' }, /no forge is known here/],
    [{ AGENT_PR_BASE: 'main', AGENT_PR_FORGE: 'github', AGENT_PR_REPOSITORY: 'a/b' }, /set AGENT_PR_TOKEN/],
  ])('%o', async (env, why) => {
    const bot = await openBot(findSurroundings(env, String), meansFor(env));
    expect(await bot.setStatus(status)).toEqual({ written: false, why: expect.stringMatching(why) });
    expect(await bot.upsertComment('x', 'y')).toMatchObject({ written: false });
  });
});
