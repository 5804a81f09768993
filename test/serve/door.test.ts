import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Knock, openDoor } from '../../src/serve/door.ts';
import { parseRoute } from '../../src/serve/route.ts';

const PORT = 4711;
const HOST = `127.0.0.1:${PORT}`;
const door = openDoor(PORT);
const knock = (url: string, headers: Knock['headers'] = {}, method = 'GET') =>
  door.decide({ method, url, headers: { host: HOST, ...headers } });

function cookie(): string {
  const verdict = knock(`/?token=${door.token}`);
  if (verdict.kind !== 'redirect') throw new Error('the token was refused');
  return verdict.cookie.split(';')[0] ?? '';
}

describe('the door', () => {
  it('takes the token once and asks for the cookie from then on', () => {
    const verdict = knock(`/file/a%20b?at=main&token=${door.token}`);
    expect(verdict).toMatchObject({ kind: 'redirect', to: '/file/a%20b?at=main' });
    const said = verdict.kind === 'redirect' ? verdict.cookie : '';
    expect(said).toMatch(/^agent-serve-4711=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(said).not.toContain(door.token);
    expect(knock('/', { cookie: `other=1; ${cookie()}` }).kind).toBe('enter');
  });

  it.each([
    ['no key', '/', {}],
    ['a wrong token', '/?token=x', {}],
    ['an empty cookie', '/', { cookie: `agent-serve-${PORT}=` }],
    ['the token as cookie', '/', { cookie: `agent-serve-${PORT}=${door.token}` }],
    ["another port's cookie", '/', { cookie: cookie().replace(String(PORT), '4712') }],
  ])('refuses %s', (_, url, headers) => expect(knock(url, headers)).toMatchObject({ kind: 'refuse', status: 403 }));

  it.each([
    'evil.example',
    `evil.example:${PORT}`,
    '127.0.0.1',
    `127.0.0.1:${PORT + 1}`,
    `127.0.0.1.evil.example:${PORT}`,
    `[::1]:${PORT}`,
    '',
  ])('refuses the host %j even with the key', (host) =>
    expect(knock('/', { host, cookie: cookie() })).toMatchObject({ kind: 'refuse', status: 403 }),
  );

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT'])('changes nothing by %s', (method) =>
    expect(knock('/', { cookie: cookie() }, method)).toMatchObject({ kind: 'refuse', status: 405, allow: 'GET, HEAD' }),
  );

  it.each([
    '//evil.example/',
    '/\\evil.example/',
    '/.//evil.example',
    'http://evil.example/',
    '*',
    `/${'a'.repeat(9000)}`,
  ])('sends nobody to %s', (url) => {
    const verdict = knock(`${url}${url.includes('?') ? '&' : '?'}token=${door.token}`);
    expect(verdict).toMatchObject({ kind: 'refuse', status: 400 });
  });

  it('other pages load nothing from here, people may follow a link', () => {
    const own = cookie();
    const from = (site: string, mode: string, dest: string) =>
      knock('/', { cookie: own, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest }).kind;
    expect(from('same-site', 'no-cors', 'image')).toBe('refuse');
    expect(from('cross-site', 'cors', 'empty')).toBe('refuse');
    expect(from('cross-site', 'navigate', 'iframe')).toBe('refuse');
    expect(from('same-origin', 'no-cors', 'style')).toBe('enter');
    expect(from('none', 'navigate', 'document')).toBe('enter');
  });

  it('a ticket lets one in', () => {
    const ticket = door.ticket();
    expect(knock(`/?token=${ticket}`).kind).toBe('redirect');
    expect(knock(`/?token=${ticket}`).kind).toBe('refuse');
  });

  it('never lets in who has no key, whatever they say', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.dictionary(fc.constantFrom('cookie', 'host', 'origin'), fc.string()),
        (url, headers) => {
          expect(knock(`/${url}`, headers).kind).toBe('refuse');
        },
      ),
    );
  });
});

describe('routes', () => {
  const route = (path: string) => parseRoute(new URL(`http://${HOST}${path}`));

  it.each([
    ['/', { page: 'folder', folder: '', at: undefined }],
    ['/?at=v1', { page: 'folder', folder: '', at: 'v1' }],
    ['/tree/a/b%20c/', { page: 'folder', folder: 'a/b c', at: undefined }],
    ['/file/a/b.ts?from=12', { page: 'file', path: 'a/b.ts', at: undefined, from: 12 }],
    ['/file/a?line=15000', { page: 'file', path: 'a', at: undefined, from: 1, line: 15000 }],
    ['/file/a?from=-1', { page: 'file', path: 'a', at: undefined, from: 1 }],
    ['/conversation/s%2F1?event=e%231', { page: 'conversation', session: 's/1', event: 'e#1' }],
    ['/conversations?q=two+words', { page: 'conversations', words: 'two words' }],
    ['/report', { page: 'report', at: undefined }],
    ['/style.css', { page: 'style' }],
    ['/file/', undefined],
    ['/file/%ff', { page: 'file', path: '"\\377"', at: undefined, from: 1 }],
    ['/file/%f', undefined],
    ['/conversation/%ff', undefined],
    ['/nope', undefined],
    // the browser's own rules: nothing above the top
    ['/file/../../etc/passwd', undefined],
    ['/file/%2e%2e/%2e%2e/etc/passwd', undefined],
  ])('%s', (path, expected) => expect(route(path)).toEqual(expected));
});
