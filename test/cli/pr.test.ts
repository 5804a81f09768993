import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { type Said, type Server, serve } from '../forge/server.ts';
import { removeFolder } from '../support/remove.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { inWorld } from './program.ts';

/** A repository with a change of one line, and a forge that takes comments and statuses as it likes. */
let repository: TestRepository;
let server: Server;
let comment: Said;
let status: Said;
let [base, head] = ['', ''];
/** The commits that check runs were made for. */
let checked: unknown[];

const COMMENTS = /\/(comments|notes|threads)\b/;

beforeEach(async () => {
  repository = makeRepository();
  repository.write('.agent-policy.json', '{"requireAttribution":"block"}');
  base = repository.commit('start');
  repository.write('a.ts', 'one\n');
  head = repository.commit('change');
  [comment, status] = [
    { status: 201, body: {} },
    { status: 201, body: {} },
  ];
  checked = [];
  server = await serve(({ method, path: at, body }) => {
    if (at.endsWith('/check-runs')) checked.push(body.head_sha);
    if (at === '/graphql') return { status: 200, body: { data: { viewer: { login: 'bot' } } } };
    if (method === 'GET') return { status: 200, body: COMMENTS.test(at) ? [] : { id: 1 } };
    return COMMENTS.test(at) ? comment : status;
  });
});
afterEach(async () => {
  await server.close();
  removeFolder(repository.dir);
});

const inside = (name: string) => path.join(repository.dir, '.git', name);

/** As the runner of each sets them. */
const JOBS: Readonly<Record<string, () => Record<string, string>>> = {
  github: () => {
    const repo = { full_name: 'ada/engine' };
    const event = { pull_request: { number: 7, base: { sha: base, ref: 'main', repo }, head: { sha: head, repo } } };
    fs.writeFileSync(inside('event.json'), JSON.stringify(event));
    return {
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_EVENT_PATH: inside('event.json'),
      GITHUB_REPOSITORY: 'ada/engine',
      GITHUB_API_URL: server.url,
      GITHUB_STEP_SUMMARY: inside('summary.md'),
      GITHUB_TOKEN: 'secret',
    };
  },
  gitea: () => ({ ...JOBS.github?.(), GITEA_ACTIONS: 'true', GITHUB_API_URL: `${server.url}/api/v1` }),
  gitlab: () => ({
    GITLAB_CI: 'true',
    CI_API_V4_URL: `${server.url}/api/v4`,
    CI_PROJECT_ID: '12',
    CI_COMMIT_SHA: head,
    CI_MERGE_REQUEST_IID: '3',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    GITLAB_TOKEN: 'secret',
  }),
  bitbucket: () => ({
    BITBUCKET_BUILD_NUMBER: '8',
    BITBUCKET_COMMIT: head,
    BITBUCKET_REPO_FULL_NAME: 'ada/engine',
    BITBUCKET_PR_ID: '4',
    BITBUCKET_PR_DESTINATION_COMMIT: base,
    BITBUCKET_TOKEN: 'secret',
    AGENT_PR_API: server.url,
  }),
  azure: () => ({
    TF_BUILD: 'True',
    SYSTEM_COLLECTIONURI: `${server.url}/`,
    SYSTEM_TEAMPROJECT: 'project',
    BUILD_REPOSITORY_PROVIDER: 'TfsGit',
    BUILD_REPOSITORY_ID: 'r-1',
    SYSTEM_PULLREQUEST_PULLREQUESTID: '17',
    SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
    SYSTEM_PULLREQUEST_SOURCECOMMITID: head,
    AGENT_PR_BASE: base,
    SYSTEM_ACCESSTOKEN: 'secret',
  }),
  'any other CI': () => ({
    AGENT_PR_FORGE: 'forgejo',
    AGENT_PR_API: `${server.url}/api/v1`,
    AGENT_PR_REPOSITORY: 'ada/engine',
    AGENT_PR_NUMBER: '4',
    AGENT_PR_BASE: base,
    AGENT_PR_TOKEN: 'secret',
  }),
};
const SUMMARIES = new Set(['github', 'gitea', 'azure']);
const FORBIDDEN: Said = { status: 403, body: { message: 'may not' } };
const LATER: Said = { status: 429, headers: { 'retry-after': '3600' } };

async function pr(job: string, ...args: string[]) {
  const { status: code, stderr } = await inWorld(agent, repository.dir, ['pr', ...args], { env: JOBS[job]?.() ?? {} });
  return { code, stderr };
}
const wereSet = () => server.asked.filter((one) => /statuses|check-runs/.test(one));

describe.each(Object.keys(JOBS))('on %s', (job) => {
  const summary = SUMMARIES.has(job) ? " and in the job's summary" : '';

  it('a token that may not write: it is said where the report is, and the job does not fail', async () => {
    [comment, status] = [FORBIDDEN, FORBIDDEN];
    const { code, stderr } = await pr(job);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^No comment: .*403.*\(.+\)\.$/m)]);
    expect(stderr).toMatch(/^No status: .*403/m);
    expect(stderr).toContain(`The report is in agent-report.md${summary}.\n`);
    expect(repository.read('agent-report.md')).toContain('1 added line');
    fs.rmSync(path.join(repository.dir, 'agent-report.md'));
    const named = await pr(job, '--output', 'named.md');
    expect(named.stderr).toContain(`The report is in named.md${summary}.\n`);
    expect(fs.existsSync(path.join(repository.dir, 'agent-report.md'))).toBe(false);
  });

  it('a comment that the server does not take: the status is set, the report kept, and the job ends with 3', async () => {
    comment = LATER;
    const { code, stderr } = await pr(job);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^No comment: .*too many requests/m)]);
    expect(stderr).not.toContain('No status');
    expect(wereSet()).toHaveLength(1);
    expect(stderr).toContain(`The report is in agent-report.md${summary}.\n`);
    expect(repository.read('agent-report.md')).toContain('1 added line');
  });

  it('a status that the server does not take: the comment is there, and the job ends with 3', async () => {
    status = LATER;
    const { code, stderr } = await pr(job);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^No status: .*too many requests/m)]);
    expect(stderr).toMatch(/^Comment created/m);
    expect(stderr).not.toContain('The report is in');
  });
});

it('what the policy says decides, whatever the server takes', async () => {
  comment = LATER;
  expect((await pr('gitlab', '--check')).code).toBe(1);
});

it('without AGENT_PR_HEAD the status is that of the commit that HEAD is', async () => {
  expect((await pr('any other CI')).code).toBe(0);
  expect(wereSet()).toEqual([`POST /api/v1/repos/ada/engine/statuses/${head}`]);
});

it.each(['nowhere/report.md', '.'])(
  'a report that cannot be written to %s is said, and is no mistake of ours',
  async (file) => {
    const { code, stderr } = await pr('gitlab', '--output', file);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/The report cannot be written to .* \(E[A-Z]+\)\.$/m)]);
  },
);

it('another event on GitHub, with a base alone: the check is that of the commit that HEAD is', async () => {
  const env = { ...JOBS.github?.(), GITHUB_EVENT_NAME: 'workflow_dispatch', AGENT_PR_BASE: base };
  const { status: code, stderr } = await inWorld(agent, repository.dir, ['pr'], { env });
  expect([code, stderr]).toEqual([0, expect.stringContaining('there is no pull request to comment on')]);
  expect(checked).toEqual([head]);
});

it.each([
  ['gitlab', () => ({ CI_MERGE_REQUEST_IID: '', CI_COMMIT_TAG: 'v1' })],
  ['bitbucket', () => ({ BITBUCKET_PR_ID: '', BITBUCKET_TAG: 'v1' })],
  [
    'azure',
    () => ({
      SYSTEM_PULLREQUEST_PULLREQUESTID: '',
      BUILD_SOURCEBRANCH: 'refs/tags/v1',
      BUILD_SOURCEVERSION: head,
      AGENT_PR_BASE: '',
    }),
  ],
])('a pipeline for a tag on %s: nothing is to be done, and the job does not fail', async (job, more) => {
  const env = { ...JOBS[job]?.(), ...more() };
  const { status: code, stderr } = await inWorld(agent, repository.dir, ['pr'], { env });
  expect([code, stderr]).toEqual([0, 'This push moved no branch: nothing is to be done.\n']);
  expect(server.asked).toEqual([]);
});

it.each([
  ['a tag', () => ({ ref: 'refs/tags/v1', before: '0'.repeat(40), after: head })],
  ['a branch that is gone', () => ({ ref: 'refs/heads/topic', before: head, after: '0'.repeat(40) })],
])('a push of %s: nothing is to be done, and the job does not fail', async (_, event) => {
  const env = { ...JOBS.github?.(), GITHUB_EVENT_NAME: 'push' };
  fs.writeFileSync(inside('event.json'), JSON.stringify(event()));
  const { status: code, stderr } = await inWorld(agent, repository.dir, ['pr'], { env });
  expect([code, stderr]).toEqual([0, 'This push moved no branch: nothing is to be done.\n']);
});
