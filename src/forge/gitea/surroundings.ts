import { readEvent } from '../github/event.ts';
import { actions } from '../github/surroundings.ts';
import {
  addressOf,
  type Environment,
  firstToken,
  given,
  needed,
  type Surroundings,
  type Token,
} from '../surroundings.ts';

const TOKENS: readonly Token[] = ['GITEA_TOKEN', 'FORGEJO_TOKEN', 'GITHUB_TOKEN'].map((variable) => ({
  kind: 'bearer',
  variable,
}));

/** Gitea and Forgejo Actions set GitHub's variables and write GitHub's events; their API is their own. */
export function findGitea(env: Environment, event: unknown): Surroundings {
  return {
    forge: 'gitea',
    api: apiOf(env),
    token: firstToken(env, TOKENS),
    ...actions(env, readEvent(env, event)),
  };
}

function apiOf(env: Environment): string {
  const api = given(env, 'GITHUB_API_URL');
  if (api?.includes('/api/v1')) return addressOf(api, 'GITHUB_API_URL');
  const server = needed(env, 'GITHUB_SERVER_URL', "it is the address of Gitea's or Forgejo's web pages");
  return `${addressOf(server, 'GITHUB_SERVER_URL')}/api/v1`;
}
