import { Fault } from '../fault.ts';
import { BITBUCKET_API } from './bitbucket/surroundings.ts';
import { GITHUB_API } from './github/surroundings.ts';
import { statedAbout, statedToken } from './stated.ts';
import {
  addressOf,
  type Environment,
  FORGES,
  type Forge,
  given,
  needed,
  type Surroundings,
  type Token,
} from './surroundings.ts';

/** Public ones; the others are wherever somebody has installed them. */
const APIS: Readonly<Partial<Record<Forge, string>>> = {
  github: GITHUB_API,
  gitlab: 'https://gitlab.com/api/v4',
  bitbucket: BITBUCKET_API,
};

const NO_TOKEN: Token = { kind: 'none', variable: 'AGENT_PR_TOKEN' };

/** Any other CI, or none: everything is said by variables of our own. */
export function findPlain(env: Environment): Surroundings {
  const about = statedAbout(env);
  const commit = ''; // a head that is stated may be any name
  const name = given(env, 'AGENT_PR_FORGE') ?? 'none';
  if (name === 'none') return { forge: 'none', api: '', repository: '', ...about, commit, token: NO_TOKEN };
  const forge = FORGES.find((one) => one === (name === 'forgejo' ? 'gitea' : name));
  if (forge === undefined) {
    throw new Fault('surroundings', `AGENT_PR_FORGE is not one of ${FORGES.join(', ')}, forgejo and none`);
  }
  const api = APIS[forge] ?? needed(env, 'AGENT_PR_API', `it is the address of the API of ${name}`);
  return {
    forge,
    api: addressOf(given(env, 'AGENT_PR_API') ?? api, 'AGENT_PR_API'),
    repository: needed(env, 'AGENT_PR_REPOSITORY', 'it names the repository as owner/name'),
    ...about,
    commit,
    token: statedToken(env, forge) ?? NO_TOKEN,
  };
}
