import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSurroundings, openBot } from '../../src/forge/index.ts';
import { type Asked, meansFor, type Said, type Server, serve } from './server.ts';

const HEAD = 'b'.repeat(40);
const EVENT = JSON.stringify({
  pull_request: {
    number: 5,
    base: { sha: 'a'.repeat(40), ref: 'main', repo: { full_name: 'ada/engine' } },
    head: { sha: HEAD, ref: 'topic', repo: { full_name: 'ada/engine' } },
  },
});

/** The swagger description of Gitea 1.24 and Forgejo 12. A job's token is that of a user with the number -2. */
function gitea() {
  const comments: { id: number; body: string; user: { id: number }; html_url: string }[] = [];
  const statuses: Record<string, unknown>[] = [];
  const people: Readonly<Record<string, number>> = { 'token job': -2, 'token ada': 1, 'token reader': 9 };
  const answer = ({ method, path, headers, body }: Asked): Said => {
    const id = people[headers.authorization ?? ''];
    if (id === undefined) return { status: 401, body: { message: 'token is required' } };
    if (path === '/api/v1/user')
      return id < 0 ? { status: 403, body: { message: 'no' } } : { status: 200, body: { id } };
    if (!path.startsWith('/api/v1/repos/ada/engine/')) return { status: 404, body: { message: 'not found' } };
    if (method !== 'GET' && id === 9) return { status: 403, body: { message: 'user should have permission to write' } };
    const route = `${method} ${path.slice('/api/v1/repos/ada/engine'.length)}`;
    if (route === 'GET /issues/5/comments') return { status: 200, body: comments };
    if (route === 'POST /issues/5/comments') {
      const number = comments.length + 1;
      comments.push({ id: number, body: String(body.body), user: { id }, html_url: `http://x/${number}` });
      return { status: 201, body: comments.at(-1) };
    }
    const comment = comments.find((one) => route === `PATCH /issues/comments/${one.id}`);
    if (comment) {
      comment.body = String(body.body);
      return { status: 200, body: comment };
    }
    if (route !== `POST /statuses/${HEAD}`) return { status: 404, body: { message: 'not found' } };
    if (!['pending', 'success', 'error', 'failure', 'warning'].includes(String(body.state))) return { status: 422 };
    statuses.push(body);
    return { status: 201, body: {} };
  };
  return { comments, statuses, answer };
}

let fake: ReturnType<typeof gitea>;
let server: Server;
beforeEach(async () => {
  fake = gitea();
  server = await serve(fake.answer);
});
afterEach(() => server.close());

async function botWith(variables: Readonly<Record<string, string>>) {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITEA_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: '/event.json',
    GITHUB_REPOSITORY: 'ada/engine',
    GITHUB_SERVER_URL: server.url,
    ...variables,
  };
  return openBot(
    findSurroundings(env, () => EVENT),
    meansFor(env),
  );
}

it.each([
  ['Gitea, token of the job', { GITHUB_TOKEN: 'job' }],
  ['Forgejo, token of the job', { FORGEJO_ACTIONS: 'true', FORGEJO_TOKEN: 'job' }],
  ['Gitea, token of a person', { GITEA_TOKEN: 'ada', GITHUB_TOKEN: 'job' }],
])('%s: one comment, changed in place', async (_, variables) => {
  fake.comments.push({ id: 1, body: '<!-- agent-blame -->', user: { id: 77 }, html_url: '' });
  const bot = await botWith(variables);
  expect(await bot.upsertComment('agent-blame', 'one')).toEqual({ written: true, how: 'created', url: 'http://x/2' });
  expect(await bot.upsertComment('agent-blame', 'two')).toMatchObject({ how: 'updated' });
  expect(fake.comments.map(({ body }) => body)).toEqual(['<!-- agent-blame -->', '<!-- agent-blame -->\n\ntwo\n']);
});

it('sets a commit status', async () => {
  const bot = await botWith({ GITHUB_TOKEN: 'job', GITHUB_RUN_ID: '4' });
  server.mishaps.push({ to: 'POST', status: 502 });
  const status = { state: 'neutral' as const, title: '40 %', summary: '', annotations: [] };
  expect(await bot.setStatus(status)).toMatchObject({ written: true });
  const target_url = `${server.url}/ada/engine/actions/runs/4`;
  expect(fake.statuses).toEqual([{ state: 'success', context: 'agent-blame', description: '40 %', target_url }]);
});

it('says so when the token may not write, and fails when it is not known', async () => {
  const reader = await botWith({ GITHUB_TOKEN: 'reader' });
  expect(await reader.upsertComment('agent-blame', 'x')).toMatchObject({ written: false });
  const unknown = await botWith({ GITHUB_TOKEN: 'gone' });
  await expect(unknown.upsertComment('agent-blame', 'x')).rejects.toThrow(/token is not accepted/);
});
