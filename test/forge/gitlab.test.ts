import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSurroundings, openBot } from '../../src/forge/index.ts';
import { type Asked, meansFor, pageOf, type Said, type Server, serve } from './server.ts';

const SHA = 'b'.repeat(40);

/** https://docs.gitlab.com/api/notes/ and /api/commits/: project 12, merge request 3. Only `writer` may write, `reader` may look. */
function gitlab() {
  const notes: { id: number; body: string; system: boolean; author: { id: number } }[] = [];
  const statuses: Record<string, unknown>[] = [];
  const answer = ({ method, path, query, headers, body }: Asked): Said => {
    const token = headers['private-token'];
    if (token !== 'writer' && token !== 'reader') return { status: 401, body: { message: '401 Unauthorized' } };
    if (path === '/api/v4/user') return { status: 200, body: { id: 40, username: 'project_12_bot' } };
    if (!path.startsWith('/api/v4/projects/12/')) return { status: 404, body: { message: '404 Project Not Found' } };
    if (method !== 'GET' && token === 'reader') return { status: 403, body: { message: '403 Forbidden' } };
    const route = `${method} ${path.slice('/api/v4/projects/12'.length)}`;
    if (route === 'GET /merge_requests/3/notes') {
      const order = query.get('sort') === 'asc' ? notes : notes.toReversed();
      const { items, next } = pageOf(order, query, Math.min(Number(query.get('per_page') ?? 20), 100));
      return { status: 200, body: items, headers: { 'x-next-page': next ? String(next) : '' } };
    }
    if (route === 'POST /merge_requests/3/notes') {
      notes.push({ id: 100 + notes.length, body: String(body.body), system: false, author: { id: 40 } });
      return { status: 201, body: notes.at(-1) };
    }
    const note = notes.find(({ id }) => route === `PUT /merge_requests/3/notes/${id}`);
    if (note) {
      note.body = String(body.body);
      return { status: 200, body: note };
    }
    if (route !== `POST /statuses/${SHA}`) return { status: 404, body: { message: '404 Not Found' } };
    if (!['pending', 'running', 'success', 'failed', 'canceled'].includes(String(body.state))) return { status: 400 };
    statuses.push(body);
    return { status: 201, body: {} };
  };
  return { notes, statuses, answer };
}

let fake: ReturnType<typeof gitlab>;
let server: Server;
beforeEach(async () => {
  fake = gitlab();
  server = await serve(fake.answer);
});
afterEach(() => server.close());

async function botWith(tokens: Readonly<Record<string, string>>) {
  const env = {
    GITLAB_CI: 'true',
    CI_API_V4_URL: `${server.url}/api/v4`,
    CI_PROJECT_ID: '12',
    CI_MERGE_REQUEST_IID: '3',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'a'.repeat(40),
    CI_COMMIT_SHA: SHA,
    CI_PIPELINE_ID: '555',
    CI_JOB_URL: 'https://gitlab.example.com/ada/engine/-/jobs/1',
    CI_JOB_TOKEN: 'job',
    ...tokens,
  };
  const means = meansFor(env);
  return { bot: await openBot(findSurroundings(env, String), means), means };
}

it('a note is made once, then changed, also when it is on a later page', async () => {
  const { bot } = await botWith({ GITLAB_TOKEN: 'writer' });
  fake.notes.push({ id: 1, body: '<!-- agent-blame --> mine', system: false, author: { id: 8 } });
  for (let id = 2; id < 150; id++) fake.notes.push({ id, body: 'talk', system: true, author: { id: 40 } });
  expect(await bot.upsertComment('agent-blame', 'one')).toMatchObject({ how: 'created' });
  expect(await bot.upsertComment('agent-blame', 'two')).toMatchObject({ how: 'updated' });
  expect(fake.notes.filter(({ body }) => body.startsWith('<!-- agent-blame')).map(({ body }) => body)).toEqual([
    '<!-- agent-blame --> mine',
    '<!-- agent-blame -->\n\ntwo\n',
  ]);
});

it('a status belongs to the pipeline', async () => {
  const { bot } = await botWith({ GITLAB_TOKEN: 'writer' });
  const status = { state: 'failure' as const, title: 'too much\nunknown', summary: '', annotations: [] };
  expect(await bot.setStatus(status)).toMatchObject({ written: true });
  expect(fake.statuses).toEqual([
    {
      state: 'failed',
      name: 'agent-blame',
      description: 'too much unknown',
      target_url: 'https://gitlab.example.com/ada/engine/-/jobs/1',
      pipeline_id: 555,
    },
  ]);
});

it("a job's own token cannot write: it is not even tried", async () => {
  const { bot } = await botWith({});
  expect(await bot.upsertComment('agent-blame', 'x')).toEqual({
    written: false,
    why: expect.stringMatching(/CI_JOB_TOKEN cannot .* set GITLAB_TOKEN/),
  });
  expect(server.asked).toEqual([]);
});

it('a token that may only read is told apart from one that is not known', async () => {
  const reader = await botWith({ GITLAB_TOKEN: 'reader' });
  expect(await reader.bot.upsertComment('agent-blame', 'x')).toMatchObject({ written: false });
  const unknown = await botWith({ GITLAB_TOKEN: 'gone' });
  await expect(unknown.bot.upsertComment('agent-blame', 'x')).rejects.toThrow(/token is not accepted/);
});

it('waits as told by 429, and repeats a status after 500 but not a note', async () => {
  const { bot, means } = await botWith({ GITLAB_TOKEN: 'writer' });
  const inFive = String(Math.floor(Date.now() / 1000) + 5);
  server.mishaps.push({ to: 'GET', status: 429, headers: { 'ratelimit-reset': inFive } });
  server.mishaps.push({ to: 'POST /api/v4/projects/12/merge', status: 500, carriedOut: true });
  expect(await bot.upsertComment('agent-blame', 'x')).toMatchObject({ how: 'unchanged' });
  expect(fake.notes).toHaveLength(1);
  expect(means.waits[0]).toBeGreaterThan(4000);
  server.mishaps.push({ to: 'POST', status: 500 });
  const status = { state: 'success' as const, title: 'x', summary: '', annotations: [] };
  expect(await bot.setStatus(status)).toMatchObject({ written: true });
});
