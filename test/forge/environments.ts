import { findSurroundings } from '../../src/forge/index.ts';

export const A = 'a'.repeat(40);
export const B = 'b'.repeat(40);
export const C = 'c'.repeat(40);
export const ZEROS = '0'.repeat(40);

export const pull = (more: object = {}) => ({
  number: 7,
  base: { sha: A, ref: 'main', repo: { full_name: 'ada/engine' } },
  head: { sha: B, ref: 'topic', repo: { full_name: 'ada/engine' } },
  ...more,
});
export const fork = { head: { sha: B, ref: 'main', repo: { full_name: 'bob/engine' } } };

export const GITHUB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'ada/engine',
  GITHUB_API_URL: 'https://api.github.com',
  GITHUB_EVENT_PATH: '/event.json',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_RUN_ID: '5',
  GITHUB_STEP_SUMMARY: '/summary.md',
  GITHUB_OUTPUT: '/outputs',
  GITHUB_TOKEN: 'secret',
};
export const GITLAB = {
  GITLAB_CI: 'true',
  CI_API_V4_URL: 'https://gitlab.example.com/api/v4',
  CI_PROJECT_ID: '12',
  CI_PIPELINE_ID: '9',
  CI_COMMIT_SHA: C,
  CI_JOB_TOKEN: 'secret',
};
export const MERGE_REQUEST = {
  ...GITLAB,
  CI_MERGE_REQUEST_IID: '3',
  CI_MERGE_REQUEST_PROJECT_ID: '12',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '12',
  CI_MERGE_REQUEST_DIFF_BASE_SHA: A,
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  // GitLab sets what does not apply to nothing
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
};
export const BITBUCKET = { BITBUCKET_BUILD_NUMBER: '8', BITBUCKET_COMMIT: B, BITBUCKET_REPO_FULL_NAME: 'ada/engine' };
export const AZURE = {
  TF_BUILD: 'True',
  SYSTEM_COLLECTIONURI: 'https://dev.azure.com/ada/',
  SYSTEM_TEAMPROJECT: 'my project',
  BUILD_REPOSITORY_PROVIDER: 'TfsGit',
  BUILD_REPOSITORY_ID: 'r-1',
  BUILD_REPOSITORY_NAME: 'ada/engine',
};
export const AZURE_PULL = {
  ...AZURE,
  SYSTEM_PULLREQUEST_PULLREQUESTID: '17',
  SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
  SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/topic',
  SYSTEM_PULLREQUEST_SOURCECOMMITID: B,
  BUILD_SOURCEVERSION: C,
};

export type Env = Record<string, string>;
export const find = (env: Env, event: unknown = {}) => findSurroundings(env, () => JSON.stringify(event));
