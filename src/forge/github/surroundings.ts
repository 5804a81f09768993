import {
  addressOf,
  commitOf,
  type Environment,
  firstToken,
  given,
  needed,
  present,
  type Surroundings,
  type Token,
} from '../surroundings.ts';
import { type About, readEvent } from './event.ts';

export const GITHUB_API = 'https://api.github.com';

const TOKENS: readonly Token[] = [
  { kind: 'bearer', variable: 'GITHUB_TOKEN' },
  { kind: 'bearer', variable: 'GH_TOKEN' },
];

/** GitHub Actions, github.com and Enterprise Server: https://docs.github.com/actions/reference/workflows-and-actions/variables */
export function findGithub(env: Environment, event: unknown): Surroundings {
  return {
    forge: 'github',
    api: addressOf(given(env, 'GITHUB_API_URL') ?? GITHUB_API, 'GITHUB_API_URL'),
    token: firstToken(env, TOKENS),
    ...actions(env, readEvent(env, event)),
  };
}

/** What GitHub's runner and those that act like it have in common. */
export function actions(env: Environment, about: About): Omit<Surroundings, 'forge' | 'api' | 'token'> {
  const repository = needed(env, 'GITHUB_REPOSITORY', 'it names the repository as owner/name');
  const [server, id] = [given(env, 'GITHUB_SERVER_URL'), given(env, 'GITHUB_RUN_ID')];
  const url = server && id && `${server}/${repository}/actions/runs/${id}`;
  return {
    repository,
    ...about,
    commit: commitOf(about.change?.head ?? about.merged?.after) ?? '',
    run: present({ id, url: url || undefined }),
    ...present({ summaryFile: given(env, 'GITHUB_STEP_SUMMARY'), outputsFile: given(env, 'GITHUB_OUTPUT') }),
  };
}
