import { Fault } from '../fault.ts';
import type { RefMove } from '../git/pushed.ts';
import type { Repository } from '../git/repository.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import type { World } from './command.ts';
import { commitOf } from './standing.ts';
import { readPolicy } from './team-policy.ts';

export type Hook = 'pre-push' | 'pre-receive';

interface Source {
  readonly hook: Hook | undefined;
  /** The revision that a person named. */
  readonly from: unknown;
  readonly moves: readonly RefMove[];
  readonly commits: readonly string[];
}

/**
 * The commit whose policy counts; undefined: the work tree's. On a server that is HEAD's, which a push cannot weaken for itself; but what a
 * push makes of HEAD's branch has to be a policy too, and may mend one that is none.
 */
export async function policySource(
  world: World,
  { place }: Repository,
  { hook, from, moves, commits }: Source,
): Promise<string | undefined> {
  if (typeof from === 'string') return commitOf(place, from);
  if (hook !== 'pre-receive') return undefined;
  const branch = (await askGit(place, ['symbolic-ref', '--quiet', 'HEAD'])).out.toString('utf8').trim();
  const next = moves.find(({ ref }) => ref === branch)?.to;
  if (commits.length > 0) await checkHead(world, place, { branch, next, moves });
  if (next === undefined) return 'HEAD';
  const repository = { place, worktree: null };
  const [now, then] = [await readPolicy(repository, 'HEAD'), await readPolicy(repository, next)];
  return now.problems.length > 0 || then.problems.length > 0 ? next : 'HEAD';
}

interface Head {
  readonly branch: string;
  /** What the push makes of it. */
  readonly next: string | undefined;
  readonly moves: readonly RefMove[];
}

/**
 * A HEAD that names no branch which is there has no policy to read. An empty repository asks for nothing yet, and takes its first push, with a
 * word if that does not bring HEAD's branch; where there are others, nothing passes: they may have a policy, and whoever brought HEAD's branch
 * would bring another. HEAD has to name one of them until it is there.
 */
async function checkHead({ err, name }: World, place: GitPlace, { branch, next, moves }: Head): Promise<void> {
  if ((await askGit(place, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])).code === 0) return;
  const listed = (await askGit(place, ['for-each-ref', '--format=%(refname)', 'refs/heads'])).out.toString('utf8');
  const here = listed.split('\n').filter((ref) => ref !== '');
  const coming = moves.flatMap(({ ref, to }) => (to && ref.startsWith('refs/heads/') ? [ref] : []));
  if (here.length === 0 && (next !== undefined || coming.length === 0)) return;
  const some = here.length > 0 ? here : coming;
  const best = some.find((ref) => ref === 'refs/heads/main') ?? some[0];
  const says = `HEAD of this repository names ${branch || 'a commit'}, which is not here, so that no policy can be read`;
  const mend = `git symbolic-ref HEAD ${best} (on the server)`;
  const back = next === undefined ? '' : `, and back to ${branch} after the push`;
  if (here.length > 0) throw new Fault('refused', `${says}, and nothing passes: ${mend}${back}`);
  await err.write(`${name}: ${says}: ${mend}\n`);
}
