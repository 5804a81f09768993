import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSurroundings, openBot } from '../../src/forge/index.ts';
import { type Asked, meansFor, pageOf, type Said, type Server, serve } from './server.ts';

const SHA = 'b'.repeat(40);
const PERSON = `Basic ${Buffer.from('ada@example.com:secret').toString('base64')}`;
const PEOPLE: Readonly<Record<string, string>> = {
  'Bearer bot': '{bot}',
  'Bearer reader': '{reader}',
  [PERSON]: '{ada}',
};

interface Stored {
  id: number;
  content: { raw: string };
  user: { uuid: string };
  deleted: boolean;
}

/** https://developer.atlassian.com/cloud/bitbucket/rest: only its author may change a comment; access tokens may not ask who they are. */
function bitbucket() {
  const comments: Stored[] = [];
  const builds = new Map<string, unknown>();
  const annotations: unknown[] = [];
  const answer = (asked: Asked, url: string): Said => {
    const { method, path, headers } = asked;
    const uuid = PEOPLE[headers.authorization ?? ''];
    if (uuid === undefined) return { status: 401, body: { error: { message: 'Token is invalid' } } };
    if (path === '/2.0/user') return uuid === '{ada}' ? { status: 200, body: { uuid } } : { status: 403 };
    if (!path.startsWith('/2.0/repositories/ada/engine/')) return { status: 404 };
    if (method !== 'GET' && uuid === '{reader}')
      return { status: 403, body: { error: { message: 'Your credentials lack scopes' } } };
    return carryOut(asked, url, uuid);
  };
  const carryOut = ({ method, path, query, body }: Asked, url: string, uuid: string): Said => {
    const route = `${method} ${path.slice('/2.0/repositories/ada/engine'.length)}`;
    if (route === 'GET /pullrequests/4/comments') {
      const { items, next } = pageOf(comments, query, Math.min(Number(query.get('pagelen') ?? 10), 100));
      return { status: 200, body: { values: items, ...(next && { next: `${url}${path}?pagelen=100&page=${next}` }) } };
    }
    if (route === 'POST /pullrequests/4/comments') {
      const content = body.content as { raw: string };
      comments.push({ id: comments.length + 1, content, user: { uuid }, deleted: false });
      return { status: 201, body: { ...comments.at(-1), links: { html: { href: 'https://bitbucket.org/c' } } } };
    }
    const comment = comments.find(({ id }) => route === `PUT /pullrequests/4/comments/${id}`);
    if (comment) {
      if (comment.user.uuid !== uuid) return { status: 403 };
      comment.content = body.content as { raw: string };
      return { status: 200, body: comment };
    }
    if (route === `PUT /commit/${SHA}/reports/agent-blame`) {
      return ['SECURITY', 'COVERAGE', 'TEST', 'BUG'].includes(String(body.report_type))
        ? { status: 200 }
        : { status: 400 };
    }
    if (route === `POST /commit/${SHA}/reports/agent-blame/annotations`) {
      if (!Array.isArray(body) || body.length > 100) return { status: 400 };
      annotations.push(...(body as unknown[]));
      return { status: 200, body: [] };
    }
    if (route !== `POST /commit/${SHA}/statuses/build`) return { status: 404 };
    if (!body.key || !body.url || !body.state) return { status: 400 };
    builds.set(String(body.key), body.state);
    return { status: 201 };
  };
  return { comments, builds, annotations, answer };
}

let fake: ReturnType<typeof bitbucket>;
let server: Server;
beforeEach(async () => {
  fake = bitbucket();
  server = await serve(fake.answer);
});
afterEach(() => server.close());

async function botWith(tokens: Readonly<Record<string, string>>) {
  const env = {
    BITBUCKET_BUILD_NUMBER: '8',
    BITBUCKET_COMMIT: SHA,
    BITBUCKET_REPO_FULL_NAME: 'ada/engine',
    BITBUCKET_BRANCH: 'topic',
    BITBUCKET_PR_ID: '4',
    BITBUCKET_PR_DESTINATION_BRANCH: 'main',
    BITBUCKET_PR_DESTINATION_COMMIT: 'aaaaaaaaaaaa',
    AGENT_PR_API: `${server.url}/2.0`,
    ...tokens,
  };
  return openBot(findSurroundings(env, String), meansFor(env));
}

it.each([
  ['an access token', { BITBUCKET_TOKEN: 'bot' }, '{bot}'],
  ["a person's token", { BITBUCKET_BASIC_AUTH: 'ada@example.com:secret' }, '{ada}'],
])('with %s: one comment, changed in place', async (_, tokens, uuid) => {
  for (let id = 1; id <= 130; id++) {
    fake.comments.push({
      id,
      content: { raw: id === 1 ? '[//]: # (agent-blame)' : 'talk' },
      user: { uuid: '{bob}' },
      deleted: false,
    });
  }
  const bot = await botWith(tokens);
  expect(await bot.upsertComment('agent-blame', 'one')).toEqual({
    written: true,
    how: 'created',
    url: 'https://bitbucket.org/c',
  });
  expect(await bot.upsertComment('agent-blame', 'two')).toMatchObject({ how: 'updated' });
  expect(fake.comments.slice(130)).toMatchObject([
    { content: { raw: '[//]: # (agent-blame)\n\ntwo\n' }, user: { uuid } },
  ]);
  expect(fake.comments[0]?.content.raw).toBe('[//]: # (agent-blame)');
});

it('a build status, and a report with annotations by hundreds', async () => {
  const bot = await botWith({ BITBUCKET_TOKEN: 'bot' });
  const one = { path: 'a.ts', startLine: 3, endLine: 4, level: 'failure' as const, message: 'no record' };
  const status = {
    state: 'failure' as const,
    title: 'x',
    summary: '',
    annotations: Array.from({ length: 230 }, () => one),
  };
  expect(await bot.setStatus(status)).toMatchObject({ written: true });
  expect([...fake.builds]).toEqual([['agent-blame', 'FAILED']]);
  expect(fake.annotations).toHaveLength(230);
  expect(fake.annotations[229]).toMatchObject({
    external_id: 'agent-blame-230',
    path: 'a.ts',
    line: 3,
    severity: 'HIGH',
  });
});

it('says so when the token may not write, and fails when it is not known', async () => {
  const reader = await botWith({ BITBUCKET_TOKEN: 'reader' });
  expect(await reader.upsertComment('agent-blame', 'x')).toEqual({
    written: false,
    why: expect.stringContaining('lack scopes'),
  });
  const unknown = await botWith({ BITBUCKET_TOKEN: 'gone' });
  await expect(unknown.upsertComment('agent-blame', 'x')).rejects.toThrow(/token is not accepted/);
});
