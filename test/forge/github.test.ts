import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSurroundings, openBot } from '../../src/forge/index.ts';
import { github, HEAD } from './github-server.ts';
import { meansFor, type Server, serve } from './server.ts';

const EVENT = JSON.stringify({
  pull_request: {
    number: 7,
    base: { sha: 'a'.repeat(40), ref: 'main', repo: { full_name: 'ada/engine' } },
    head: { sha: HEAD, ref: 'topic', repo: { full_name: 'ada/engine' } },
  },
});

let fake: ReturnType<typeof github>;
let server: Server;
beforeEach(async () => {
  fake = github();
  server = await serve(fake.answer);
});
afterEach(() => server.close());

async function botWith(token: string) {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: '/event.json',
    GITHUB_REPOSITORY: 'ada/engine',
    GITHUB_API_URL: server.url,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ID: '99',
    GITHUB_TOKEN: token,
  };
  const means = meansFor(env);
  const bot = await openBot(
    findSurroundings(env, () => EVENT),
    means,
  );
  return { bot, means };
}

const status = (annotations: number) => ({
  state: 'neutral' as const,
  title: '40 % by agents',
  summary: 'a **report**',
  annotations: Array.from({ length: annotations }, (_, i) => ({
    path: 'src/a.ts',
    startLine: i + 1,
    endLine: i + 1,
    level: 'warning' as const,
    message: `line ${i + 1}`,
  })),
});

describe('a comment on a pull request', () => {
  it('is made, though the list of comments never ends', async () => {
    fake.faults.endless = true;
    const { bot } = await botWith('writer');
    expect(await bot.upsertComment('agent-blame', 'one')).toMatchObject({ written: true, how: 'created' });
  });

  it('is made once, then changed, then left as it is', async () => {
    const { bot } = await botWith('writer');
    const first = await bot.upsertComment('agent-blame', 'one');
    expect(first).toEqual({ written: true, how: 'created', url: `${server.url}/ada/engine/pull/7#c1` });
    expect(await bot.upsertComment('agent-blame', 'two')).toMatchObject({ how: 'updated' });
    expect(await bot.upsertComment('agent-blame', 'two')).toMatchObject({ how: 'unchanged' });
    expect(fake.comments.map(({ body }) => body)).toEqual(['<!-- agent-blame -->\n\ntwo\n']);
  });

  it('is found on a later page; those of others are left alone, and further ones of ours say the same', async () => {
    const say = (body: string, login = 'bob') => {
      fake.comments.push({ id: fake.comments.length + 1, body, user: { login }, html_url: '' });
    };
    say('<!-- agent-blame -->\n\nnot by us');
    for (let i = 0; i < 220; i++) say(`talk ${i}`);
    say('see <!-- agent-blame -->', 'github-actions[bot]');
    say('<!-- agent-blame -->\n\nold', 'github-actions[bot]');
    say('<!-- agent-blame -->\n\nolder still', 'github-actions[bot]');
    const { bot } = await botWith('writer');
    expect(await bot.upsertComment('agent-blame', 'new')).toMatchObject({ how: 'updated' });
    expect(fake.comments.filter(({ body }) => body.includes('new')).map(({ id }) => id)).toEqual([223, 224]);
    expect(fake.comments[0]?.body).toContain('not by us');
    expect(server.asked.filter((line) => line.startsWith('GET'))).toHaveLength(3);
  });

  it('is made anew where somebody has just deleted it', async () => {
    const { bot } = await botWith('writer');
    await bot.upsertComment('agent-blame', 'one');
    server.mishaps.push({
      to: 'PATCH /repos/ada/engine/issues/comments/1',
      status: 404,
      body: { message: 'Not Found' },
    });
    expect(await bot.upsertComment('agent-blame', 'two')).toMatchObject({ written: true, how: 'created' });
    expect(fake.comments.at(-1)?.body).toContain('two');
  });

  it('is cut to what GitHub takes, at the end of a line, with nothing left open', async () => {
    const { bot } = await botWith('writer');
    await bot.upsertComment(
      'agent-blame',
      `<details>\n\n\`\`\`\n${'a line of forty characters, more or less\n'.repeat(3000)}`,
    );
    const body = fake.comments[0]?.body ?? '';
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toMatch(/more or less\n```\n\n<\/details>\n\n\*Cut here: .*\*\n$/);
  });

  it('is not written with the read-only token of a fork, and that is not an error', async () => {
    const { bot } = await botWith('reader');
    expect(await bot.upsertComment('agent-blame', 'x')).toEqual({
      written: false,
      why: expect.stringMatching(/403 Resource not accessible by integration.*permissions/),
    });
    expect(await bot.setStatus(status(1))).toMatchObject({ written: false });
  });

  it('without a token says so', async () => {
    const { bot } = await botWith('');
    expect(await bot.upsertComment('agent-blame', 'x')).toEqual({
      written: false,
      why: 'there is no token: set GITHUB_TOKEN',
    });
    expect(server.asked).toEqual([]);
  });

  it('with a token that is none, of two lines, asks nobody', async () => {
    const { bot } = await botWith('ghs_one\nghs_two');
    const { written, why } = (await bot.upsertComment('agent-blame', 'x')) as { written: boolean; why: string };
    expect([written, why]).toEqual([false, expect.stringContaining('GITHUB_TOKEN holds no token')]);
    expect(why).not.toContain('ghs_');
    expect(server.asked).toEqual([]);
  });

  it('with a token that is not known is a fault, and the token is not in it', async () => {
    const { bot } = await botWith('stolen');
    server.mishaps.push({ to: 'POST /graphql', status: 401, body: { message: 'who is stolen?' } });
    const error = await bot.upsertComment('agent-blame', 'x').catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      name: 'Fault',
      code: 'surroundings',
      message: expect.stringContaining('401 who is ***?'),
    });
    expect(JSON.stringify(error) + String(error)).not.toContain('stolen');
  });
});

describe('when the server has its troubles', () => {
  it('what is read is read again, with growing patience', async () => {
    const { bot, means } = await botWith('writer');
    for (const code of [502, 500, 503]) server.mishaps.push({ to: 'GET', status: code });
    expect(await bot.upsertComment('agent-blame', 'x')).toMatchObject({ how: 'created' });
    expect(means.waits).toEqual([1000, 2000, 4000]);
  });

  it('a comment that was made although the answer was 502 is not made twice', async () => {
    const { bot } = await botWith('writer');
    server.mishaps.push({ to: 'POST /repos', status: 502, carriedOut: true });
    expect(await bot.upsertComment('agent-blame', 'x')).toMatchObject({ written: true, how: 'unchanged' });
    expect(fake.comments).toHaveLength(1);
  });

  it('nor one whose answer was lost', async () => {
    const { bot } = await botWith('writer');
    server.mishaps.push({ to: 'POST /repos', status: 0, carriedOut: true, hangUp: true });
    expect(await bot.upsertComment('agent-blame', 'x')).toMatchObject({ written: true });
    expect(fake.comments).toHaveLength(1);
  });

  it('one that was not made is made at the second try', async () => {
    const { bot } = await botWith('writer');
    server.mishaps.push({ to: 'POST /repos', status: 502 });
    expect(await bot.upsertComment('agent-blame', 'x')).toMatchObject({ how: 'created' });
    expect(fake.comments).toHaveLength(1);
  });

  it.each([
    ['Retry-After', { status: 429, headers: { 'retry-after': '7' } }, 7000],
    ['a secondary limit', { status: 403, headers: { 'retry-after': '3' } }, 3000],
    [
      'a secondary limit that tells no time',
      { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } },
      60_000,
    ],
  ])('%s is obeyed, also for a POST', async (_, said, wait) => {
    const { bot, means } = await botWith('writer');
    server.mishaps.push({ to: 'POST /repos', ...said });
    expect(await bot.upsertComment('agent-blame', 'x')).toMatchObject({ how: 'created' });
    expect(means.waits).toEqual([wait]);
    expect(fake.comments).toHaveLength(1);
  });

  it('x-ratelimit-reset is obeyed when it is near', async () => {
    const { bot, means } = await botWith('writer');
    const reset = String(Math.floor(Date.now() / 1000) + 10);
    server.mishaps.push({
      to: 'GET',
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
    });
    expect(await bot.upsertComment('agent-blame', 'x')).toMatchObject({ how: 'created' });
    expect(means.waits[0]).toBeGreaterThan(8000);
    expect(means.waits[0]).toBeLessThanOrEqual(11_000);
  });

  it.each([
    ['an hour', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3600) }],
    ['centuries', { 'retry-after': '9999999999' }],
  ])('and is a fault when it is %s away: that is not a read-only token', async (_, headers) => {
    const { bot, means } = await botWith('writer');
    server.mishaps.push({ to: 'GET', status: 403, headers });
    await expect(bot.upsertComment('agent-blame', 'x')).rejects.toThrow(/too many requests/);
    expect(means.waits).toEqual([]);
  });

  it('a renamed repository is followed, another server is not', async () => {
    const { bot } = await botWith('writer');
    const there = '/repos/ada/engine/issues/7/comments';
    server.mishaps.push({ to: 'POST /repos', status: 301, headers: { location: `${server.url}${there}` } });
    expect(await bot.upsertComment('agent-blame', 'x')).toMatchObject({ how: 'created' });
    server.mishaps.push({ to: 'GET', status: 302, headers: { location: 'http://127.0.0.2/steal' } });
    await expect(bot.upsertComment('agent-blame', 'y')).rejects.toThrow(/another server/);
  });

  it('a next page on another server is not asked for', async () => {
    const { bot } = await botWith('writer');
    server.mishaps.push({ to: 'GET', status: 200, body: [], headers: { link: '<http://127.0.0.2/x>; rel="next"' } });
    await expect(bot.upsertComment('agent-blame', 'y')).rejects.toThrow(/another server/);
  });

  it('gives up after four attempts', async () => {
    const { bot } = await botWith('writer');
    for (let i = 0; i < 9; i++) server.mishaps.push({ to: 'GET', status: 500 });
    await expect(bot.upsertComment('agent-blame', 'x')).rejects.toMatchObject({ code: 'surroundings' });
    expect(server.asked.filter((line) => line.startsWith('GET'))).toHaveLength(4);
  });
});

describe('a check run', () => {
  it('takes annotations by fifties', async () => {
    const { bot } = await botWith('writer');
    expect(await bot.setStatus(status(120))).toEqual({
      written: true,
      how: 'created',
      url: 'https://github.com/ada/engine/runs/1',
    });
    expect(fake.checks[0]?.annotations).toHaveLength(120);
    expect(fake.checks[0]?.annotations[119]).toEqual({
      path: 'src/a.ts',
      start_line: 120,
      end_line: 120,
      annotation_level: 'warning',
      message: 'line 120',
    });
    const details_url = 'https://github.com/ada/engine/actions/runs/99';
    expect(fake.checks[0]?.body).toMatchObject({
      name: 'agent-blame',
      head_sha: HEAD,
      conclusion: 'neutral',
      details_url,
    });
  });

  it("is a commit status with a person's token", async () => {
    const { bot, means } = await botWith('person');
    expect(await bot.setStatus({ ...status(3), state: 'failure', title: 'x'.repeat(300) })).toMatchObject({
      written: true,
    });
    expect(fake.statuses).toEqual([expect.objectContaining({ state: 'failure', context: 'agent-blame' })]);
    expect(means.lines.join()).toContain('GitHub App');
  });

  it('is made again when the server fails', async () => {
    const { bot } = await botWith('writer');
    server.mishaps.push({ to: 'POST /repos', status: 503 });
    expect(await bot.setStatus(status(0))).toMatchObject({ written: true });
  });
});
