import { Fault } from '../fault.ts';
import {
  addressOf,
  branchRef,
  type Environment,
  type Forge,
  given,
  isNone,
  needed,
  numberOf,
  present,
  type Surroundings,
  type Token,
} from './surroundings.ts';

/** What the variables of our own say: for any other CI, and stronger than what a known one says. */
export function statedAbout(env: Environment): Pick<Surroundings, 'change' | 'merged'> {
  const said = given(env, 'AGENT_PR_NUMBER');
  const number = numberOf(said);
  if (said !== undefined && number === undefined)
    throw new Fault('surroundings', 'AGENT_PR_NUMBER is no number of a pull request', { variable: 'AGENT_PR_NUMBER' });
  const after = statedRevision(env, 'AGENT_PR_AFTER');
  // a branch that is gone brings nothing
  if (isNone(after)) return {};
  if (after !== undefined) {
    const before = statedRevision(env, 'AGENT_PR_BEFORE');
    const since = isNone(before) ? ({ created: true } as const) : present({ before });
    return { merged: { after, ref: 'HEAD', ...since, ...present({ number }) } };
  }
  needed(
    env,
    'AGENT_PR_BASE',
    'no pull request is known here, so say where the change begins, and AGENT_PR_HEAD where it ends',
  );
  const base = statedRevision(env, 'AGENT_PR_BASE') ?? '';
  const head = statedRevision(env, 'AGENT_PR_HEAD') ?? 'HEAD';
  return { change: { base, head, fork: false, ...present({ number }) } };
}

/** Whatever git can resolve, and nothing that it would take for an option. */
function statedRevision(env: Environment, name: string): string | undefined {
  const text = given(env, name);
  if (text === undefined || branchRef(text) !== undefined || /^(?!-)[\w./@~^{}-]{1,1000}$/.test(text)) return text;
  throw new Fault('surroundings', `${name} is not a revision`, { variable: name });
}

const KINDS: Readonly<Record<Forge, Token['kind']>> = {
  github: 'bearer',
  gitlab: 'private',
  gitea: 'bearer',
  bitbucket: 'bearer',
  azure: 'bearer',
};

/** With a colon it is a name and a password, as Bitbucket's and Azure's personal tokens are shown. */
export function statedToken(env: Environment, forge: Forge): Token | undefined {
  const token = given(env, 'AGENT_PR_TOKEN');
  if (token === undefined) return undefined;
  return { kind: token.includes(':') ? 'basic' : KINDS[forge], variable: 'AGENT_PR_TOKEN' };
}

const STATED = ['AGENT_PR_BASE', 'AGENT_PR_AFTER'];

export function overrule(found: Surroundings, env: Environment): Surroundings {
  const api = given(env, 'AGENT_PR_API');
  const token = found.forge === 'none' ? undefined : statedToken(env, found.forge);
  const base = statedRevision(env, 'AGENT_PR_BASE');
  const head = statedRevision(env, 'AGENT_PR_HEAD');
  const change = found.change && { ...found.change, ...present({ base, head }) };
  const nothing = !found.change && !found.merged;
  const about = nothing && STATED.some((name) => given(env, name) !== undefined) ? statedAbout(env) : {};
  return { ...found, ...about, ...present({ change, token, api: api && addressOf(api, 'AGENT_PR_API') }) };
}
