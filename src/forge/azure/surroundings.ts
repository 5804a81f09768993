import { Fault } from '../../fault.ts';
import { GITHUB_API } from '../github/surroundings.ts';
import {
  addressOf,
  branchRef,
  commitFrom,
  commitOf,
  type Environment,
  firstToken,
  given,
  needed,
  numberOf,
  present,
  type Surroundings,
  type Token,
} from '../surroundings.ts';

const TOKENS: readonly Token[] = [
  { kind: 'bearer', variable: 'SYSTEM_ACCESSTOKEN' },
  // a person's token, under the name that Azure's own command line reads
  { kind: 'private', variable: 'AZURE_DEVOPS_EXT_PAT' },
];

const IN_JOBS = 'Azure Pipelines sets it in every job';

/** Azure Pipelines: https://learn.microsoft.com/azure/devops/pipelines/build/variables */
export function findAzure(env: Environment): Surroundings {
  const about = aboutOf(env);
  const build = given(env, 'BUILD_BUILDID');
  const pages = given(env, 'SYSTEM_TEAMFOUNDATIONCOLLECTIONURI') ?? given(env, 'SYSTEM_COLLECTIONURI');
  const project = given(env, 'SYSTEM_TEAMPROJECTID') ?? given(env, 'SYSTEM_TEAMPROJECT');
  const url = build && pages && project && `${pages}${project}/_build/results?buildId=${build}`;
  return {
    ...forgeOf(env, pages, project),
    ...about,
    commit: about.change?.head ?? about.merged?.after ?? '',
    run: present({ id: build, url: url || undefined }),
    loggingCommands: true,
  };
}

type Side = Pick<Surroundings, 'forge' | 'api' | 'repository' | 'token'>;

/** Pipelines also build repositories that are on GitHub. */
function forgeOf(env: Environment, pages: string | undefined, project: string | undefined): Side {
  const provider = needed(env, 'BUILD_REPOSITORY_PROVIDER', IN_JOBS);
  if (provider === 'GitHub' || provider === 'GitHubEnterprise') {
    const token = firstToken(env, [{ kind: 'bearer', variable: 'GITHUB_TOKEN' }]);
    const repository = needed(env, 'BUILD_REPOSITORY_NAME', IN_JOBS);
    return {
      forge: 'github',
      api: addressOf(given(env, 'GITHUB_API_URL') ?? GITHUB_API, 'GITHUB_API_URL'),
      repository,
      token,
    };
  }
  if (provider !== 'TfsGit') {
    throw new Fault(
      'surroundings',
      `repositories of the kind ${provider.slice(0, 40)} are not known: set AGENT_PR_FORGE`,
    );
  }
  const collection = pages ?? needed(env, 'SYSTEM_COLLECTIONURI', IN_JOBS);
  const name = project ?? needed(env, 'SYSTEM_TEAMPROJECT', IN_JOBS);
  return {
    forge: 'azure',
    api: addressOf(collection, 'SYSTEM_COLLECTIONURI'),
    repository: `${name}/${needed(env, 'BUILD_REPOSITORY_ID', IN_JOBS)}`,
    token: firstToken(env, TOKENS),
  };
}

function aboutOf(env: Environment): Pick<Surroundings, 'change' | 'merged'> {
  const id = given(env, 'SYSTEM_PULLREQUEST_PULLREQUESTID');
  if (id === undefined) return ofPush(env);
  // GitHub's requests have an id and, apart from it, a number
  const number = numberOf(given(env, 'SYSTEM_PULLREQUEST_PULLREQUESTNUMBER')) ?? numberOf(id);
  const baseRef = branchRef(needed(env, 'SYSTEM_PULLREQUEST_TARGETBRANCH', 'Azure sets it in builds of pull requests'));
  const headRef = branchRef(given(env, 'SYSTEM_PULLREQUEST_SOURCEBRANCH'));
  const fork = given(env, 'SYSTEM_PULLREQUEST_ISFORK')?.toLowerCase() === 'true';
  if (baseRef === undefined)
    throw new Fault('surroundings', 'SYSTEM_PULLREQUEST_TARGETBRANCH is not the name of a branch');
  return {
    change: {
      // no variable tells the target's commit
      base: baseRef.replace(/^refs\/heads\//, 'refs/remotes/origin/'),
      head: commitFrom(env, 'SYSTEM_PULLREQUEST_SOURCECOMMITID', 'Azure sets it in builds of pull requests'),
      baseRef,
      fork,
      ...present({ number, headRef: fork ? undefined : headRef }),
    },
  };
}

function ofPush(env: Environment): Pick<Surroundings, 'merged'> {
  const ref = branchRef(given(env, 'BUILD_SOURCEBRANCH'));
  const after = commitOf(given(env, 'BUILD_SOURCEVERSION'));
  if (ref?.startsWith('refs/heads/') && after) return { merged: { after, ref } };
  if (ref?.startsWith('refs/tags/')) return {};
  throw new Fault(
    'surroundings',
    'this build is neither of a pull request (SYSTEM_PULLREQUEST_PULLREQUESTID) nor of a branch (BUILD_SOURCEBRANCH): add a build validation policy, or a trigger for the branch',
  );
}
