import { Fault } from '../../fault.ts';
import {
  addressOf,
  branchRef,
  type Change,
  commitFrom,
  commitOf,
  type Environment,
  firstToken,
  given,
  isNone,
  needed,
  numberOf,
  present,
  type Surroundings,
  type Token,
} from '../surroundings.ts';

const TOKENS: readonly Token[] = [
  { kind: 'private', variable: 'GITLAB_TOKEN' },
  // always there, but it may neither write notes nor set statuses
  { kind: 'job', variable: 'CI_JOB_TOKEN' },
];

const IN_JOBS = 'GitLab sets it in every job';

/** GitLab CI: https://docs.gitlab.com/ci/variables/predefined_variables/ */
export function findGitlab(env: Environment): Surroundings {
  const iid = numberOf(given(env, 'CI_MERGE_REQUEST_IID'));
  const about: About = iid === undefined ? ofPush(env) : { change: ofMergeRequest(env, iid) };
  // a pipeline of a fork runs in the fork's project: the merge request is in another one
  const repository = given(env, 'CI_MERGE_REQUEST_PROJECT_ID') ?? needed(env, 'CI_PROJECT_ID', IN_JOBS);
  // statuses are looked up by pipeline and its commit, and that of a merged results pipeline is a trial merge
  const commit = commitFrom(env, 'CI_COMMIT_SHA', IN_JOBS);
  const own = repository === given(env, 'CI_PROJECT_ID');
  return {
    forge: 'gitlab',
    api: addressOf(needed(env, 'CI_API_V4_URL', IN_JOBS), 'CI_API_V4_URL'),
    repository,
    ...about,
    commit: own ? commit : (about.change?.head ?? commit),
    token: firstToken(env, TOKENS),
    run: present({ id: own ? given(env, 'CI_PIPELINE_ID') : undefined, url: given(env, 'CI_JOB_URL') }),
  };
}

function ofMergeRequest(env: Environment, number: number): Change {
  // both only in merged results pipelines, where CI_COMMIT_SHA is the trial merge
  const source = commitOf(given(env, 'CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'));
  const target = commitOf(given(env, 'CI_MERGE_REQUEST_TARGET_BRANCH_SHA'));
  const own = given(env, 'CI_PROJECT_ID');
  const here = given(env, 'CI_MERGE_REQUEST_PROJECT_ID') ?? own;
  const there = given(env, 'CI_MERGE_REQUEST_SOURCE_PROJECT_ID') ?? here;
  const branch = branchRef(given(env, 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME'));
  return {
    number,
    base: target ?? commitFrom(env, 'CI_MERGE_REQUEST_DIFF_BASE_SHA', 'GitLab sets it in merge request pipelines'),
    head: source ?? commitFrom(env, 'CI_COMMIT_SHA', IN_JOBS),
    headRef: `refs/merge-requests/${number}/head`,
    fork: here !== there,
    // in a pipeline of a fork, its branch of that name is another one
    ...present({ baseRef: here === own ? branch : undefined }),
  };
}

type About = Pick<Surroundings, 'change' | 'merged'>;

function ofPush(env: Environment): About {
  const ref = branchRef(given(env, 'CI_COMMIT_BRANCH'));
  if (ref === undefined) {
    if (given(env, 'CI_COMMIT_TAG') !== undefined) return {};
    throw new Fault(
      'surroundings',
      'neither CI_MERGE_REQUEST_IID nor CI_COMMIT_BRANCH is set: let the job run in merge request pipelines (rules: if: $CI_PIPELINE_SOURCE == "merge_request_event") or for a branch',
    );
  }
  const said = given(env, 'CI_COMMIT_BEFORE_SHA');
  // of a pipeline that somebody started by hand it is zeros too
  const created = isNone(said) && given(env, 'CI_PIPELINE_SOURCE') === 'push' ? true : undefined;
  const merged = { after: commitFrom(env, 'CI_COMMIT_SHA', IN_JOBS), ref };
  return { merged: { ...merged, ...present({ before: commitOf(said), created }) } };
}
