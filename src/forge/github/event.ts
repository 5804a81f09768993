import { Fault } from '../../fault.ts';
import { isObject, type JsonObject } from '../../json.ts';
import { statedAbout } from '../stated.ts';
import {
  branchRef,
  type Change,
  commitOf,
  type Environment,
  given,
  isNone,
  numberOf,
  type Surroundings,
} from '../surroundings.ts';

/** What an event of GitHub Actions, or of those who speak its language (Gitea, Forgejo), is about. */
export type About = Pick<Surroundings, 'change' | 'merged'>;

const ADVICE = 'run on pull_request, pull_request_target or push, or set AGENT_PR_BASE and AGENT_PR_HEAD';

const KNOWN = ['pull_request', 'pull_request_target', 'merge_group', 'push'];

export function readEvent(env: Environment, event: unknown): About {
  const name = given(env, 'GITHUB_EVENT_NAME') ?? '';
  if (!KNOWN.includes(name) && given(env, 'AGENT_PR_BASE')) return statedAbout(env);
  if (!isObject(event))
    throw new Fault('surroundings', `the event file of ${name || 'this job'} is missing: ${ADVICE}`);
  switch (name) {
    case 'pull_request':
    case 'pull_request_target':
      return ofPullRequest(objectIn(event, 'pull_request'), event);
    case 'merge_group':
      return { change: ofMergeGroup(objectIn(event, 'merge_group')) };
    case 'push':
      return ofPush(event);
    default:
      throw new Fault('surroundings', `an event called "${name.slice(0, 40)}" has no base and head: ${ADVICE}`);
  }
}

function ofPullRequest(pull: JsonObject, event: JsonObject): About {
  const base = objectIn(pull, 'base');
  const head = objectIn(pull, 'head');
  const number = numberOf(pull.number) ?? numberOf(event.number);
  const baseRef = branchRef(base.ref);
  if (pull.merged === true && commitOf(pull.merge_commit_sha)) {
    // base.sha is where the branch stood when the request was last looked at: others may have merged since, whose commits do no harm
    const before = commitOf(base.sha);
    const merged = { after: commitIn(pull, 'merge_commit_sha'), ref: baseRef ?? 'HEAD' };
    return { merged: { ...merged, ...(before && { before }), ...(number && { number }) } };
  }
  // the checkout is a trial merge of both, or the base: neither is the head
  const change = { base: commitIn(base, 'sha'), head: commitIn(head, 'sha'), fork: isFork(base, head) };
  const headRef = number === undefined ? undefined : `refs/pull/${number}/head`;
  return { change: { ...change, ...(number && { number }), ...(baseRef && { baseRef }), ...(headRef && { headRef }) } };
}

/** A head without repository is one whose fork was deleted. */
function isFork(base: JsonObject, head: JsonObject): boolean {
  const [here, there] = [base.repo, head.repo];
  if (!isObject(here) || !isObject(there)) return true;
  return here.full_name !== there.full_name;
}

function ofMergeGroup(group: JsonObject): Change {
  const baseRef = branchRef(group.base_ref);
  const headRef = branchRef(group.head_ref);
  const change = { base: commitIn(group, 'base_sha'), head: commitIn(group, 'head_sha'), fork: false };
  return { ...change, ...(baseRef && { baseRef }), ...(headRef && { headRef }) };
}

/** A tag, or a branch that is gone, brings no commit to any branch: such a push is about nothing. */
function ofPush(event: JsonObject): About {
  const ref = branchRef(event.ref);
  const after = commitOf(event.after);
  if (ref?.startsWith('refs/tags/') || event.deleted === true || isNone(event.after)) return {};
  if (!ref?.startsWith('refs/heads/') || !after)
    throw new Fault('surroundings', `the event file names no branch that was pushed: ${ADVICE}`);
  const before = commitOf(event.before);
  return { merged: { after, ref, ...(before && { before }), ...(isNone(event.before) && { created: true }) } };
}

function objectIn(value: JsonObject, key: string): JsonObject {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  if (isObject(found)) return found;
  throw new Fault('surroundings', `the event file says nothing of ${key}: ${ADVICE}`);
}

function commitIn(value: JsonObject, key: string): string {
  const found = commitOf(value[key]);
  if (found !== undefined) return found;
  throw new Fault('surroundings', `the event file tells no commit in ${key}: ${ADVICE}`);
}
