import { describe, expect, it } from 'vitest';
import {
  A,
  AZURE,
  AZURE_PULL,
  B,
  BITBUCKET,
  C,
  type Env,
  find,
  fork,
  GITHUB,
  GITLAB,
  MERGE_REQUEST,
  pull,
  ZEROS,
} from './environments.ts';

const CHANGE = { number: 7, base: A, head: B, baseRef: 'refs/heads/main', headRef: 'refs/pull/7/head', fork: false };

describe('GitHub Actions', () => {
  it.each([
    ['pull_request', pull(), CHANGE],
    ['pull_request, from a fork', pull(fork), { ...CHANGE, fork: true }],
    [
      'pull_request, from a fork that is gone',
      pull({ head: { sha: B, ref: 'x', repo: null } }),
      { ...CHANGE, fork: true },
    ],
    ['pull_request_target', pull(fork), { ...CHANGE, fork: true }],
    ['pull_request, closed without a merge', pull({ merged: false, merge_commit_sha: C }), CHANGE],
  ])('%s', (name, pull_request, change) => {
    const GITHUB_EVENT_NAME = name.split(',')[0] ?? '';
    expect(find({ ...GITHUB, GITHUB_EVENT_NAME }, { pull_request })).toEqual({
      forge: 'github',
      api: 'https://api.github.com',
      repository: 'ada/engine',
      change,
      commit: B,
      token: { kind: 'bearer', variable: 'GITHUB_TOKEN' },
      run: { id: '5', url: 'https://github.com/ada/engine/actions/runs/5' },
      summaryFile: '/summary.md',
      outputsFile: '/outputs',
    });
  });

  it.each([
    [
      'a push',
      'push',
      { ref: 'refs/heads/main', before: A, after: C },
      { before: A, after: C, ref: 'refs/heads/main' },
    ],
    [
      'a new branch',
      'push',
      { ref: 'refs/heads/x', before: ZEROS, after: C },
      { after: C, ref: 'refs/heads/x', created: true },
    ],
    [
      'a merged request',
      'pull_request',
      { action: 'closed', pull_request: pull({ merged: true, merge_commit_sha: C }) },
      { before: A, after: C, ref: 'refs/heads/main', number: 7 },
    ],
  ])('the merge job: %s', (_, GITHUB_EVENT_NAME, event, merged) => {
    const found = find({ ...GITHUB, GITHUB_EVENT_NAME }, event);
    expect(found.merged).toEqual(merged);
    expect(found).not.toHaveProperty('change');
    expect(found.commit).toBe(C);
  });

  it.each([
    ['a tag', { ref: 'refs/tags/x', before: ZEROS, after: C }],
    ['a branch that is gone', { ref: 'refs/heads/x', before: A, after: ZEROS }],
  ])('a push of %s is about nothing', (_, event) => {
    const found = find({ ...GITHUB, GITHUB_EVENT_NAME: 'push' }, event);
    expect([found.change, found.merged]).toEqual([undefined, undefined]);
  });

  it('a merge queue has a base and a head, but no number', () => {
    const merge_group = {
      head_sha: B,
      base_sha: A,
      base_ref: 'refs/heads/main',
      head_ref: 'refs/heads/gh-readonly-queue/main/pr-7',
    };
    const { change } = find({ ...GITHUB, GITHUB_EVENT_NAME: 'merge_group' }, { merge_group });
    expect(change).toMatchObject({ base: A, head: B, baseRef: 'refs/heads/main' });
    expect(change).not.toHaveProperty('number');
  });

  it('any other event, with our own variables', () => {
    const env = {
      ...GITHUB,
      GITHUB_EVENT_NAME: 'workflow_dispatch',
      AGENT_PR_BASE: 'v1',
      AGENT_PR_HEAD: B,
      AGENT_PR_NUMBER: '4',
    };
    expect(find(env).change).toEqual({ base: 'v1', head: B, number: 4, fork: false });
  });

  it('Enterprise Server has its API elsewhere', () => {
    const env = { ...GITHUB, GITHUB_EVENT_NAME: 'pull_request', GITHUB_API_URL: 'https://git.example.com/api/v3/' };
    expect(find(env, { pull_request: pull() }).api).toBe('https://git.example.com/api/v3');
  });
});

describe('Gitea and Forgejo Actions', () => {
  it.each([
    [{ GITEA_ACTIONS: 'true' }, 'GITHUB_TOKEN'],
    [{ GITEA_ACTIONS: 'true', GITEA_TOKEN: 'x' }, 'GITEA_TOKEN'],
    [{ FORGEJO_ACTIONS: 'true', GITEA_ACTIONS: 'true', FORGEJO_TOKEN: 'x' }, 'FORGEJO_TOKEN'],
  ])('%o', (more, variable) => {
    const env = {
      ...GITHUB,
      ...more,
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_SERVER_URL: 'https://code.example.com/',
    };
    const found = find({ ...env, GITHUB_API_URL: '' }, { pull_request: pull(fork) });
    expect(found).toMatchObject({ forge: 'gitea', api: 'https://code.example.com/api/v1', commit: B });
    expect(found.change).toEqual({ ...CHANGE, fork: true });
    expect(found.token).toEqual({ kind: 'bearer', variable });
  });
});

describe('GitLab CI', () => {
  it('a merge request pipeline', () => {
    expect(find(MERGE_REQUEST)).toEqual({
      forge: 'gitlab',
      api: 'https://gitlab.example.com/api/v4',
      repository: '12',
      change: {
        number: 3,
        base: A,
        head: C,
        baseRef: 'refs/heads/main',
        headRef: 'refs/merge-requests/3/head',
        fork: false,
      },
      commit: C,
      token: { kind: 'job', variable: 'CI_JOB_TOKEN' },
      run: { id: '9' },
    });
  });

  it('a merged results pipeline builds a trial merge: head and base are others', () => {
    const env = { ...MERGE_REQUEST, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: B, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: A };
    expect(find(env)).toMatchObject({ change: { base: A, head: B }, commit: C });
  });

  it('a pipeline in a fork speaks to the project that the request is for', () => {
    const env = { ...MERGE_REQUEST, CI_PROJECT_ID: '99', CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '99', GITLAB_TOKEN: 'x' };
    const found = find(env);
    expect(found).toMatchObject({ repository: '12', change: { fork: true }, token: { kind: 'private' } });
    expect(found.run).toEqual({});
    // its main is not the one that the request is for
    expect(found.change).not.toHaveProperty('baseRef');
  });

  it('the merge job', () => {
    const env = { ...GITLAB, CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main', CI_COMMIT_BEFORE_SHA: A };
    expect(find(env).merged).toEqual({ before: A, after: C, ref: 'refs/heads/main' });
    const none = { ...env, CI_COMMIT_BEFORE_SHA: ZEROS };
    expect(find(none).merged).toEqual({ after: C, ref: 'refs/heads/main', created: true });
    // also where somebody starts a pipeline by hand
    expect(find({ ...none, CI_PIPELINE_SOURCE: 'web' }).merged).toEqual({ after: C, ref: 'refs/heads/main' });
  });
});

describe('Bitbucket Pipelines', () => {
  it('a pull request', () => {
    const env = {
      ...BITBUCKET,
      BITBUCKET_BRANCH: 'topic',
      BITBUCKET_PR_ID: '4',
      BITBUCKET_PR_DESTINATION_COMMIT: 'aaaaaaaaaaaa',
      BITBUCKET_PR_DESTINATION_BRANCH: 'main',
      BITBUCKET_TOKEN: 'x',
    };
    expect(find(env)).toEqual({
      forge: 'bitbucket',
      api: 'https://api.bitbucket.org/2.0',
      repository: 'ada/engine',
      change: {
        number: 4,
        base: 'aaaaaaaaaaaa',
        head: B,
        baseRef: 'refs/heads/main',
        headRef: 'refs/heads/topic',
        fork: false,
      },
      commit: B,
      token: { kind: 'bearer', variable: 'BITBUCKET_TOKEN' },
      run: { id: '8', url: 'https://bitbucket.org/ada/engine/pipelines/results/8' },
    });
  });

  it('the merge job: where the branch was before is not told', () => {
    expect(find({ ...BITBUCKET, BITBUCKET_BRANCH: 'main' }).merged).toEqual({ after: B, ref: 'refs/heads/main' });
  });
});

describe('Azure Pipelines', () => {
  it('a pull request: no variable tells the commit of the target', () => {
    const found = find({ ...AZURE_PULL, SYSTEM_ACCESSTOKEN: 'x' });
    expect(found).toMatchObject({
      forge: 'azure',
      api: 'https://dev.azure.com/ada',
      repository: 'my project/r-1',
      commit: B,
    });
    expect(found.change).toEqual({
      number: 17,
      base: 'refs/remotes/origin/main',
      head: B,
      baseRef: 'refs/heads/main',
      headRef: 'refs/heads/topic',
      fork: false,
    });
    expect(found.loggingCommands).toBe(true);
  });

  it('a pull request of a fork', () => {
    const { change } = find({ ...AZURE_PULL, SYSTEM_PULLREQUEST_ISFORK: 'True' });
    expect(change).toMatchObject({ fork: true });
    expect(change).not.toHaveProperty('headRef');
  });

  it('a repository on GitHub: short names of branches, and a number beside the id', () => {
    const env = {
      ...AZURE_PULL,
      BUILD_REPOSITORY_PROVIDER: 'GitHub',
      SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '7',
      SYSTEM_PULLREQUEST_TARGETBRANCH: 'main',
      GITHUB_TOKEN: 'x',
    };
    expect(find(env)).toMatchObject({
      forge: 'github',
      api: 'https://api.github.com',
      repository: 'ada/engine',
      change: { number: 7, base: 'refs/remotes/origin/main' },
      token: { variable: 'GITHUB_TOKEN' },
    });
  });

  it('the merge job', () => {
    const env = { ...AZURE, BUILD_SOURCEBRANCH: 'refs/heads/main', BUILD_SOURCEVERSION: C };
    expect(find(env).merged).toEqual({ after: C, ref: 'refs/heads/main' });
  });
});

describe('a pipeline for a tag', () => {
  const tags: [string, Env][] = [
    ['GitHub', { ...GITHUB, GITHUB_EVENT_NAME: 'push' }],
    ['GitLab', { ...GITLAB, CI_PIPELINE_SOURCE: 'push', CI_COMMIT_TAG: 'v1', CI_COMMIT_BEFORE_SHA: ZEROS }],
    ['Bitbucket', { ...BITBUCKET, BITBUCKET_TAG: 'v1' }],
    ['Azure', { ...AZURE, BUILD_SOURCEBRANCH: 'refs/tags/v1', BUILD_SOURCEVERSION: C }],
  ];
  const event = { ref: 'refs/tags/v1', before: ZEROS, after: C };

  it.each(tags)('%s: it is about nothing', (_, env) => {
    const found = find(env, event);
    expect([found.change, found.merged]).toEqual([undefined, undefined]);
  });

  it.each(tags)('%s: it is about what our own variables say', (_, env) => {
    expect(find({ ...env, AGENT_PR_BASE: 'v0' }, event).change).toMatchObject({ base: 'v0', head: 'HEAD' });
    const stated = { ...env, AGENT_PR_BEFORE: A, AGENT_PR_AFTER: C };
    expect(find(stated, event).merged).toEqual({ before: A, after: C, ref: 'HEAD' });
  });
});

describe('any other CI', () => {
  it('base and head are enough for a report', () => {
    expect(find({ AGENT_PR_BASE: 'origin/main' })).toMatchObject({
      forge: 'none',
      change: { base: 'origin/main', head: 'HEAD' },
    });
  });

  it('with a forge to talk to', () => {
    const env = {
      AGENT_PR_FORGE: 'forgejo',
      AGENT_PR_API: 'https://code.example.com/api/v1',
      AGENT_PR_REPOSITORY: 'ada/engine',
      AGENT_PR_NUMBER: '4',
      AGENT_PR_BASE: A,
      AGENT_PR_HEAD: B,
      AGENT_PR_TOKEN: 'x',
    };
    expect(find(env)).toEqual({
      forge: 'gitea',
      api: 'https://code.example.com/api/v1',
      repository: 'ada/engine',
      change: { number: 4, base: A, head: B, fork: false },
      commit: '',
      token: { kind: 'bearer', variable: 'AGENT_PR_TOKEN' },
    });
  });

  it('the merge job', () => {
    expect(find({ AGENT_PR_BEFORE: A, AGENT_PR_AFTER: C }).merged).toEqual({ before: A, after: C, ref: 'HEAD' });
  });

  it('our own variables beat those of a known CI', () => {
    const env = { ...GITHUB, GITHUB_EVENT_NAME: 'pull_request', AGENT_PR_BASE: C, AGENT_PR_TOKEN: 'y' };
    const found = find(env, { pull_request: pull() });
    expect(found).toMatchObject({ change: { base: C, head: B, number: 7 }, token: { variable: 'AGENT_PR_TOKEN' } });
  });
});
