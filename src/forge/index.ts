import { Fault } from '../fault.ts';
import { parseJson } from '../json.ts';
import { findAzure } from './azure/surroundings.ts';
import { findBitbucket } from './bitbucket/surroundings.ts';
import { type Bot, type Means, muteBot } from './bot.ts';
import { findGitea } from './gitea/surroundings.ts';
import { findGithub } from './github/surroundings.ts';
import { findGitlab } from './gitlab/surroundings.ts';
import { findPlain } from './plain.ts';
import { overrule } from './stated.ts';
import { type Environment, type FindSurroundings, type Forge, given, type Surroundings } from './surroundings.ts';

export type { Annotation, Bot, Means, Status, Written } from './bot.ts';
export { printAzureOutputs, printAzureSummary, printOutputs } from './outputs.ts';
export type { Change, Environment, Merged, Surroundings, Token } from './surroundings.ts';

/** Who is recognised by what. Gitea and Forgejo also say that they are GitHub, so they are asked first. */
const KNOWN: readonly (readonly [variable: string, find: FindSurroundings])[] = [
  ['FORGEJO_ACTIONS', findGitea],
  ['GITEA_ACTIONS', findGitea],
  ['GITHUB_ACTIONS', findGithub],
  ['GITLAB_CI', findGitlab],
  ['BITBUCKET_BUILD_NUMBER', findBitbucket],
  ['TF_BUILD', findAzure],
];

const MAX_EVENT = 32 * 1024 * 1024;

/** Where this job runs and what it is about; a fault names the variable that is missing. `readFile` is asked for the event file. */
export function findSurroundings(env: Environment, readFile: (path: string) => string): Surroundings {
  const stated = given(env, 'AGENT_PR_FORGE') !== undefined;
  const found = stated ? undefined : KNOWN.find(([variable]) => given(env, variable) !== undefined);
  if (!found) return findPlain(env);
  const file = given(env, 'GITHUB_EVENT_PATH');
  return overrule(found[1](env, file === undefined ? undefined : readEventFile(file, readFile)), env);
}

function readEventFile(file: string, readFile: (path: string) => string): unknown {
  let text: string;
  try {
    text = readFile(file);
  } catch {
    throw new Fault('surroundings', 'the file that GITHUB_EVENT_PATH names cannot be read');
  }
  const parsed = parseJson(text, MAX_EVENT);
  if ('value' in parsed) return parsed.value;
  throw new Fault('surroundings', `the file that GITHUB_EVENT_PATH names cannot be used: ${parsed.problem}`);
}

/** The bot of these surroundings; one that only says why not, where there is nobody to talk to or nothing to show. */
export async function openBot(at: Surroundings, means: Means): Promise<Bot> {
  if (at.forge === 'none')
    return muteBot('no forge is known here: set AGENT_PR_FORGE, AGENT_PR_REPOSITORY and AGENT_PR_TOKEN');
  const secret = given(means.env, at.token.variable);
  if (at.token.kind === 'none' || secret === undefined) return muteBot(`there is no token: set ${at.token.variable}`);
  if (at.token.kind !== 'basic' && /[^\x21-\x7e]/.test(secret))
    return muteBot(`${at.token.variable} holds no token: there is a space, a line end or another such character in it`);
  return botOf(at.forge, at, { secret, means });
}

interface Key {
  readonly secret: string;
  readonly means: Means;
}

async function botOf(forge: Forge, at: Surroundings, { secret, means }: Key): Promise<Bot> {
  switch (forge) {
    case 'github':
      return (await import('./github/bot.ts')).openGithub(at, secret, means);
    case 'gitlab':
      return (await import('./gitlab/bot.ts')).openGitlab(at, secret, means);
    case 'gitea':
      return (await import('./gitea/bot.ts')).openGitea(at, secret, means);
    case 'bitbucket':
      return (await import('./bitbucket/bot.ts')).openBitbucket(at, secret, means);
    case 'azure':
      return (await import('./azure/bot.ts')).openAzure(at, secret, means);
  }
}
