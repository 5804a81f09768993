import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Served } from '../../src/serve/server.ts';
import { Sandbox } from '../cli/program.ts';
import { ask, enter, serve } from './story.ts';

const linux = process.platform === 'linux';
let repo: Sandbox;
let served: Served;
let headers: Record<string, string>;

function write(name: string, text: string): void {
  fs.writeFileSync(Buffer.concat([Buffer.from(`${repo.dir}/`), Buffer.from(name, 'latin1')]), text);
}

beforeAll(async () => {
  repo = new Sandbox();
  repo.write('\u00e9/plain.txt', 'one\n').write('"q".txt', 'quoted\n');
  repo.write('alone/a', 'one\n');
  fs.symlinkSync('<b>', `${repo.dir}/\u00e9/link`);
  if (linux) for (const name of ['bad\xff.txt', '\xc3\xa9/b\xfe.txt']) write(name, 'odd\n');
  repo.commit();
  served = await serve({ dir: repo.dir, home: repo.dir });
  headers = await enter(served);
});
afterAll(async () => {
  await served?.close();
  repo?.remove();
});

const get = (where: string) => ask(served, where, { headers });

describe('git agent serve', () => {
  it.runIf(linux)(
    'lists files whose names are no UTF-8 (other systems have none), and shows them by the bytes of their names',
    async () => {
      const home = (await get('/')).body;
      expect(home).toContain('6 files at');
      expect(home).toContain('<a href="/file/bad%FF.txt"><code><bdi>&quot;bad\\377.txt&quot;</bdi></code></a>');
      expect(home).toMatch(/<a href="\/tree\/%C3%A9"><code><bdi>\u00e9\/<\/bdi><\/code><\/a> <small>3 files<\/small>/);
      const folder = (await get('/tree/%C3%A9/')).body;
      expect(folder).toContain('<a href="/file/%C3%A9/plain.txt">');
      expect(folder).toContain('<a href="/file/%C3%A9/b%FE.txt"><code><bdi>&quot;b\\376.txt&quot;</bdi></code></a>');
      for (const where of ['/file/bad%FF.txt', '/file/%C3%A9/b%FE.txt']) {
        const { status, body } = await get(where);
        expect([where, status]).toEqual([where, 200]);
        expect(body).toContain('<code>odd</code>');
        expect(body).toMatch(new RegExp(`<a href="${where}\\?at=[0-9a-f]{40}">A lasting link</a>`));
      }
      expect((await get('/file/%C3%A9/b%FE.txt')).body).toContain('<a href="/tree/%C3%A9"><bdi>\u00e9</bdi></a>');
      const gone = await get('/file/bad%FE.txt');
      expect([gone.status, gone.body]).toEqual([
        404,
        expect.stringContaining('There is no file &quot;bad\\376.txt&quot;'),
      ]);
      expect((await get('/file/bad%F')).status).toBe(404);
    },
  );

  it('says which line there is not: the one that was asked for', async () => {
    const { status, body } = await get('/file/%22q%22.txt?line=99999');
    expect([status, body]).toEqual([404, expect.stringContaining('&quot;q&quot;.txt has no line 99999.')]);
    expect((await get('/file/%22q%22.txt?line=1')).headers.location).toBe('/file/%22q%22.txt?from=1#L1');
  });

  it('one line is a line', async () => {
    for (const where of ['/file/%22q%22.txt', '/tree/alone']) {
      const { body } = await get(where);
      expect(body).toContain('<title>Unknown: 1 line, 100%</title>');
      expect(body).not.toMatch(/\b1 lines/);
    }
  });

  it('lists a link, and says that it has no lines', async () => {
    const { body } = await get('/tree/%C3%A9');
    expect(body).toContain(linux ? '3 files at' : '2 files at');
    expect(body).toContain('<a href="/file/%C3%A9/link"><code><bdi>link</bdi></code></a>');
    const link = await get('/file/%C3%A9/link');
    expect(link.status).toBe(200);
    expect(link.body).toContain('<bdi>\u00e9/link</bdi> is a link to <bdi>&lt;b&gt;</bdi>: a link has no lines.');
  });

  it('shows a file whose name begins with a quote', async () => {
    expect((await get('/')).body).toContain(
      '<a href="/file/%22q%22.txt"><code><bdi>&quot;q&quot;.txt</bdi></code></a>',
    );
    expect((await get('/file/%22q%22.txt')).body).toContain('<code>quoted</code>');
  });
});
