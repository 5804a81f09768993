import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Served } from '../../src/serve/server.ts';
import type { Workshop } from '../support/workshop.ts';
import { ask, enter, HOSTILE, serve, story } from './story.ts';

let shop: Workshop;
let served: Served;
let headers: Record<string, string>;

beforeAll(async () => {
  shop = await story();
  served = await serve(shop, path.join(shop.dir, 'src'));
  headers = await enter(served);
});
afterAll(async () => {
  await served?.close();
  shop?.remove();
});

const get = (where: string) => ask(served, where, { headers });

/** A page that is not counting any more; on a busy machine it asks to look again. */
async function counted(where: string): ReturnType<typeof get> {
  const answer = await get(where);
  return answer.body.includes('still being counted') ? counted(where) : answer;
}

describe('git agent serve over HTTP', () => {
  it('leads to a line of a long file, whatever part it is in', async () => {
    shop.human('long.txt', Array.from({ length: 12_000 }, (_, i) => `line ${i + 1}\n`).join(''));
    const at = shop.commit('long');
    // the other tests look at HEAD
    shop.git('reset', '-q', '--hard', 'HEAD^');
    expect((await get(`/file/long.txt?at=${at}`)).body).toContain('<label for="line">Go to line</label>');
    const moved = await get(`/file/long.txt?at=${at}&line=11500`);
    expect([moved.status, moved.headers.location]).toEqual([303, `/file/long.txt?at=${at}&from=10001#L11500`]);
    const part = await get(`/file/long.txt?at=${at}&from=10001`);
    expect(part.body).toContain('<tr id="L11500"');
    expect(part.body).not.toContain('<tr id="L10000"');
  });

  it('listens on 127.0.0.1 only', async () => {
    const others = Object.values((await import('node:os')).networkInterfaces())
      .flatMap((some) => some ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address);
    const opens = (host: string) =>
      new Promise<boolean>((resolve) => {
        const socket = net.connect({ host, port: served.port, timeout: 2000 });
        const end = (yes: boolean) => {
          socket.destroy();
          resolve(yes);
        };
        socket
          .on('connect', () => end(true))
          .on('error', () => end(false))
          .on('timeout', () => end(false));
      });
    expect(await opens('127.0.0.1')).toBe(true);
    for (const host of [...others, '127.0.0.2', '::1']) expect([host, await opens(host)]).toEqual([host, false]);
  });

  it('exchanges the token for a cookie and tells nobody without it anything', async () => {
    const first = await ask(served, `/file/src/a.ts?token=${served.door.token}`);
    expect(first).toMatchObject({ status: 303, body: '' });
    expect(first.headers.location).toBe('/file/src/a.ts');
    for (const where of ['/', '/style.css', '/file/src/a.ts', '/nope']) {
      const { status, body } = await ask(served, where);
      expect([where, status]).toEqual([where, 403]);
      expect(body).toBe('Open the address that git agent serve has printed: it has the key to this page.\n');
    }
    expect((await ask(served, '/', { headers: { ...headers, Host: 'evil.example' } })).status).toBe(403);
  });

  it.each(['/', '/nope', '/style.css', '/conversations', '/report'])(
    'says the same to every browser: %s',
    async (where) => {
      const { headers: said } = await get(where);
      expect(said).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(said['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
      expect(said['content-security-policy']).not.toMatch(/script-src [^;]*unsafe|https?:|\*/);
      expect(said).not.toHaveProperty('access-control-allow-origin');
    },
  );

  it('nothing can be changed', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers: said } = await ask(served, '/', { method, headers });
      expect([method, status, said.allow]).toEqual([method, 405, 'GET, HEAD']);
    }
    const head = await ask(served, '/', { method: 'HEAD', headers });
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1000);
  });

  it('shows the files with their shares, from the top wherever it was started', async () => {
    const { status, body } = await counted('/');
    expect(status).toBe(200);
    expect(body).toContain('<a href="/tree/src"><code><bdi>src/</bdi></code></a>');
    // src: three lines, two by AI
    expect(body).toMatch(/<bdi>src\/<\/bdi>.*?<td class="number">3<\/td>\s*<td class="number">67%<\/td>/);
    expect((await get('/tree/src')).body).toContain('<a href="/file/src/a.ts">');
    expect((await get('/tree/nope')).status).toBe(404);
  });

  it('shows a file, each line with a place, a kind and its conversation', async () => {
    const { status, body } = await get('/file/src/a.ts');
    expect(status).toBe(200);
    const line = (n: number) => new RegExp(`<tr id="L${n}".*?</tr>`).exec(body)?.[0] ?? '';
    expect(line(1)).not.toContain('/conversation/');
    for (const n of [2, 3]) {
      expect(line(n)).toMatch(/href="\/conversation\/s1\?event=toolu_\d+#e-toolu_\d+"/);
      expect(line(n)).toContain('aria-label="AI"');
    }
    expect(line(2)).toContain('<code>\ttwo</code>');
    expect(line(2)).toContain('anthropic/claude-opus-4-5-20251101');
    expect(line(2)).toMatch(/<code>[0-9a-f]{8}<\/code> \d+ \w{3} \d{4} · observed, via /);
    const first = shop.git('rev-parse', 'HEAD^');
    expect((await get(`/file/src/a.ts?at=${first}`)).body).not.toContain('id="L2"');
    expect((await get('/file/src/a.ts?at=HEAD%5E')).body).toContain('HEAD^');
  });

  it('shows what it can of files that are not text, empty, or oddly named', async () => {
    expect((await get('/file/logo.bin')).body).toContain('is not shown: it is not text.');
    expect((await get('/file/src/deep/empty.ts')).body).toContain('There are no lines here.');
    const odd = await get(`/file/${encodeURIComponent(HOSTILE)}`);
    expect(odd.status).toBe(200);
    expect(odd.body).toContain('&quot;quoted&quot; &amp; &lt;b&gt;bold&lt;/b&gt;');
    expect(odd.body).toContain('first &lt;script&gt;');
    for (const { body } of [odd, await get('/')]) expect(body).not.toMatch(/<img|<script|onerror=[^&]*>(?!\.txt)<b>/);
  });

  it.each([
    '/file/../../etc/passwd',
    '/file/%2e%2e/%2e%2e/etc/passwd',
    '/file/..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/file/%2fetc%2fpasswd',
    '/file//etc/passwd',
    '/file/.git/config',
    '/file/src%2f..%2f.git%2fconfig',
    '/file/src/a.ts%00.png',
    '/file/outside',
    '/file/untracked',
    '/file/src',
    '/tree/..%2f..',
    '/conversation/..%2f..%2f..%2fconfig',
    '/file/src/a.ts?at=--contents%3D%2Fetc%2Fpasswd',
    '/file/src/a.ts?at=nope',
    '/?at=--all',
  ])('never leaves the commits: %s', async (where) => {
    fs.writeFileSync(path.join(shop.dir, 'untracked'), 'secret root:x:0\n');
    if (!fs.existsSync(path.join(shop.dir, 'outside'))) fs.symlinkSync('/etc/passwd', path.join(shop.dir, 'outside'));
    const { status, body } = await get(where);
    expect(status).toBe(404);
    expect(body).not.toMatch(/root:x:0|\[core\]/);
  });

  it('a link that is committed is not followed', async () => {
    const other = await story();
    fs.symlinkSync('/etc/passwd', path.join(other.dir, 'link'));
    other.commit('link');
    const one = await serve(other);
    try {
      const { status, body } = await ask(one, '/file/link', { headers: await enter(one) });
      expect(status).toBe(200);
      expect(body).toContain('is a link to <bdi>/etc/passwd</bdi>: a link has no lines.');
      expect(body).not.toContain('root:');
    } finally {
      await one.close();
      other.remove();
    }
  });

  it('shows a conversation with a place for every step', async () => {
    const { status, body } = await get('/conversation/s1');
    expect(status).toBe(200);
    expect(body).toContain('and &lt;b&gt;three&lt;/b&gt;');
    expect(body).not.toContain('\x1b');
    expect(body).toMatch(/<article class="event prompt" id="[^"]+"/);
    expect(body).toMatch(/<article class="event edit" id="e-toolu_\d+"/);
    expect(body).toContain('<ins>+three</ins>');
    expect(body).toContain('<span class="same">+++ b/src/a.ts</span>');
    expect(body).toContain('<a href="/file/src/a.ts">');
    expect((await get('/conversation/s1?event=gone')).body).toContain('not among those recorded');
    expect((await get('/conversation/s2')).status).toBe(404);
  });

  it('lists conversations and finds words in them', async () => {
    expect((await get('/conversations')).body).toContain(
      '<a class="first" href="/conversation/s1"><bdi>Please add two</bdi></a>',
    );
    const { body } = await get('/conversations?q=PLEASE+three');
    expect(body).toMatch(/href="\/conversation\/s1\?event=[^"]+#[eh]-[^"]+"/);
    expect(body).toContain('Found: 1 step');
    expect((await get('/conversations?q=nowhere')).body).toContain('Found: 0 steps');
    expect((await get('/conversations?q=%3Cscript%3E')).body).not.toContain('<script');
  });

  it('shows the report, with its own script and the way back', async () => {
    const { status, body, headers: said } = await counted('/report');
    expect(status).toBe(200);
    expect(body).toContain('lines standing were written by AI');
    expect(body).toContain('<header><nav aria-label="Pages"><ul><li><a href="/">Files</a></li>');
    expect(said['content-security-policy']).toMatch(/script-src 'sha256-[^']+'/);
  });

  it('answers what is new: a commit, a note', async () => {
    shop.ai('src/b.ts', 'const fresh = 1;\n', 's2');
    shop.commit('third');
    expect((await counted('/tree/src')).body).toMatch(
      /<bdi>b\.ts<\/bdi>.*?<td class="number">1<\/td>\s*<td class="number">100%<\/td>/,
    );
  });

  it('a torn or wild request ends nothing', async () => {
    await new Promise<void>((resolve) => {
      const socket = net.connect(served.port, '127.0.0.1', () =>
        socket.end('GET / HTTP/1.1\r\nHost: \x00\xff\r\n\r\n'),
      );
      socket
        .on('close', () => resolve())
        .on('error', () => resolve())
        .resume();
    });
    await new Promise<void>((resolve) => {
      const request = http.get({ port: served.port, host: '127.0.0.1', path: '/report', headers });
      request.on('error', () => {}).on('close', () => resolve());
      request.on('socket', (socket) => socket.on('connect', () => request.destroy()));
    });
    expect((await get('/')).status).toBe(200);
  });
});
