import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSurroundings, openBot } from '../../src/forge/index.ts';
import { type Asked, meansFor, type Said, type Server, serve } from './server.ts';

const PERSON = `Basic ${Buffer.from(':secret').toString('base64')}`;
const PEOPLE: Readonly<Record<string, string>> = { 'Bearer build': 'b1', 'Bearer reader': 'r1', [PERSON]: 'p1' };
const PULL = '/ada/p-1/_apis/git/repositories/r-1/pullRequests/17';

interface Thread {
  id: number;
  status: string;
  comments: { id: number; content: string; author: { id: string } }[];
}

/** https://learn.microsoft.com/rest/api/azure/devops/git: threads and statuses; each request names the version it means. */
function azure() {
  const threads: Thread[] = [];
  const statuses: Record<string, unknown>[] = [];
  const answer = ({ method, path, query, headers, body }: Asked): Said => {
    const id = PEOPLE[headers.authorization ?? ''];
    // a page to sign in
    if (id === undefined) return { status: 203, body: '<html>', headers: { 'content-type': 'text/html' } };
    if (path === '/ada/_apis/connectionData') return { status: 200, body: { authenticatedUser: { id } } };
    if (query.get('api-version') !== '7.1') return { status: 400, body: { message: 'api-version is required' } };
    if (!path.startsWith(PULL)) return { status: 404, body: { message: 'TF401019' } };
    if (method !== 'GET' && id === 'r1')
      return { status: 403, body: { message: 'TF401027: You need PullRequestContribute' } };
    const route = `${method} ${path.slice(PULL.length)}`;
    if (route === 'GET /threads') return { status: 200, body: { value: threads, count: threads.length } };
    if (route === 'POST /threads') {
      const comments = (body.comments as { content: string }[]).map(({ content }, i) => ({
        id: i + 1,
        content,
        author: { id },
      }));
      threads.push({ id: 50 + threads.length, status: String(body.status), comments });
      return { status: 200, body: threads.at(-1) };
    }
    const thread = threads.find((one) => route === `PATCH /threads/${one.id}/comments/1`);
    if (thread?.comments[0]) {
      thread.comments[0].content = String(body.content);
      return { status: 200, body: thread.comments[0] };
    }
    if (route !== 'POST /statuses') return { status: 404 };
    statuses.push(body);
    return { status: 200 };
  };
  return { threads, statuses, answer };
}

let fake: ReturnType<typeof azure>;
let server: Server;
beforeEach(async () => {
  fake = azure();
  server = await serve(fake.answer);
});
afterEach(() => server.close());

async function botWith(tokens: Readonly<Record<string, string>>) {
  const env = {
    TF_BUILD: 'True',
    SYSTEM_COLLECTIONURI: `${server.url}/ada/`,
    SYSTEM_TEAMPROJECTID: 'p-1',
    BUILD_REPOSITORY_PROVIDER: 'TfsGit',
    BUILD_REPOSITORY_ID: 'r-1',
    BUILD_BUILDID: '31',
    SYSTEM_PULLREQUEST_PULLREQUESTID: '17',
    SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
    SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/topic',
    SYSTEM_PULLREQUEST_SOURCECOMMITID: 'b'.repeat(40),
    ...tokens,
  };
  return openBot(findSurroundings(env, String), meansFor(env));
}

it.each([
  ['the token of the job', { SYSTEM_ACCESSTOKEN: 'build' }],
  ["a person's token", { AZURE_DEVOPS_EXT_PAT: 'secret' }],
])('with %s: one thread, closed, changed in place', async (_, tokens) => {
  fake.threads.push({
    id: 1,
    status: 'active',
    comments: [{ id: 1, content: '<!-- agent-blame -->', author: { id: 'x' } }],
  });
  const bot = await botWith(tokens);
  expect(await bot.upsertComment('agent-blame', 'one')).toMatchObject({ how: 'created' });
  expect(await bot.upsertComment('agent-blame', 'two')).toMatchObject({ how: 'updated' });
  expect(fake.threads.slice(1)).toMatchObject([
    { status: 'closed', comments: [{ content: '<!-- agent-blame -->\n\ntwo\n' }] },
  ]);
  expect(fake.threads[0]?.comments[0]?.content).toBe('<!-- agent-blame -->');
});

it('sets a status of the pull request', async () => {
  const bot = await botWith({ SYSTEM_ACCESSTOKEN: 'build' });
  const status = { state: 'success' as const, title: '40 %', summary: '', annotations: [] };
  expect(await bot.setStatus(status)).toMatchObject({ written: true });
  expect(fake.statuses).toEqual([
    {
      state: 'succeeded',
      description: '40 %',
      context: { name: 'agent-blame', genre: 'git' },
      targetUrl: `${server.url}/ada/p-1/_build/results?buildId=31`,
    },
  ]);
});

it('says so when the token may not write, and fails when it is not known', async () => {
  const reader = await botWith({ SYSTEM_ACCESSTOKEN: 'reader' });
  expect(await reader.upsertComment('agent-blame', 'x')).toEqual({
    written: false,
    why: expect.stringMatching(/TF401027.*Contribute to pull requests/),
  });
  const unknown = await botWith({ SYSTEM_ACCESSTOKEN: 'gone' });
  await expect(unknown.upsertComment('agent-blame', 'x')).rejects.toThrow(/token is not accepted/);
});
