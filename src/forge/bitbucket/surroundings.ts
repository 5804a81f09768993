import { Fault } from '../../fault.ts';
import {
  branchRef,
  commitFrom,
  type Environment,
  firstToken,
  given,
  needed,
  numberOf,
  present,
  type Surroundings,
  type Token,
} from '../surroundings.ts';

export const BITBUCKET_API = 'https://api.bitbucket.org/2.0';

const TOKENS: readonly Token[] = [
  // of a repository, a project or a workspace
  { kind: 'bearer', variable: 'BITBUCKET_TOKEN' },
  // of a person, as address:token
  { kind: 'basic', variable: 'BITBUCKET_BASIC_AUTH' },
];

const IN_STEPS = 'Bitbucket Pipelines sets it in every step';

/** Bitbucket Pipelines (Cloud): https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/ */
export function findBitbucket(env: Environment): Surroundings {
  const commit = commitFrom(env, 'BITBUCKET_COMMIT', IN_STEPS);
  const repository = needed(env, 'BITBUCKET_REPO_FULL_NAME', IN_STEPS);
  const id = given(env, 'BITBUCKET_BUILD_NUMBER');
  return {
    forge: 'bitbucket',
    api: BITBUCKET_API,
    repository,
    ...aboutOf(env, commit),
    commit,
    token: firstToken(env, TOKENS),
    run: present({ id, url: id && `https://bitbucket.org/${repository}/pipelines/results/${id}` }),
  };
}

function aboutOf(env: Environment, commit: string): Pick<Surroundings, 'change' | 'merged'> {
  const branch = branchRef(given(env, 'BITBUCKET_BRANCH'));
  const number = numberOf(given(env, 'BITBUCKET_PR_ID'));
  if (number !== undefined) {
    const base = commitFrom(env, 'BITBUCKET_PR_DESTINATION_COMMIT', 'Bitbucket sets it in pull-requests pipelines');
    const baseRef = branchRef(given(env, 'BITBUCKET_PR_DESTINATION_BRANCH'));
    // pull requests of forks start no pipeline here
    return { change: { number, base, head: commit, fork: false, ...present({ baseRef, headRef: branch }) } };
  }
  if (branch !== undefined) return { merged: { after: commit, ref: branch } };
  if (given(env, 'BITBUCKET_TAG') !== undefined) return {};
  throw new Fault(
    'surroundings',
    'neither BITBUCKET_PR_ID nor BITBUCKET_BRANCH is set: put the step under pull-requests: or branches:',
  );
}
