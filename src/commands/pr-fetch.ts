import { POLICY_FILE } from '../check/policy.ts';
import { Fault } from '../fault.ts';
import type { Change } from '../forge/index.ts';
import type { Repository } from '../git/repository.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import { fetchNotes } from '../notes/exchange.ts';
import type { World } from './command.ts';
import { withPeer } from './exchange.ts';

/** The notes that others pushed; without them the report says what is known here. */
export async function bringNotes(world: World, remote: string): Promise<void> {
  try {
    await withPeer(world, { asked: remote, way: 'fetch', alone: true }, (exchange) => fetchNotes(exchange));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const what = `The notes of ${remote} could not be fetched`;
    await world.err.write(error.message.startsWith(what) ? `${error.message}\n` : `${what}: ${error.message}\n`);
  }
}

/** Both ends as commits that are here, with the point where they parted. */
export interface BroughtChange {
  readonly base: string;
  readonly head: string;
  readonly mergeBase: string;
  /** Where the branch that the change is meant for is by now: its policy counts, and not one that is out of date. */
  readonly target: string;
}

interface Wish {
  readonly change: Change;
  readonly remote: string;
}

/** CI clones are often shallow: what is missing is fetched. */
export async function bringChange(world: World, { place }: Repository, wish: Wish): Promise<BroughtChange> {
  const { change, remote } = wish;
  const find = (name: string) => findCommit(place, name, remote);
  const here = (await find(change.head)) && (await find(change.base));
  const brought = here ? new Map<string, string>() : await fetchRefs(world, place, wish);
  const findNow = async (name: string) => (await find(name)) ?? brought.get(askedAs(name, remote));
  const [head, base] = [await findNow(change.head), await findNow(change.base)];
  const missing = head ? change.base : change.head;
  if (!head || !base)
    throw new Fault(
      'surroundings',
      `${missing} is not in this clone and could not be fetched: fetch the whole history (fetch-depth: 0).`,
    );
  const target = await findTarget(world, place, { base, ...wish });
  const first = await mergeBase(place, base, head);
  if (first) return bringContents(place, { base, head, target, mergeBase: first });
  await askGit(place, ['fetch', '--quiet', '--no-tags', '--unshallow', remote]);
  const second = await mergeBase(place, base, head);
  if (second) return bringContents(place, { base, head, target, mergeBase: second });
  const { out } = await askGit(place, ['rev-parse', '--is-shallow-repository']);
  const next =
    out.toString('latin1').trim() === 'true'
      ? 'Base and head have no commit in common here: fetch the whole history (fetch-depth: 0).'
      : 'Base and head are two histories, with no commit in common: another base has to be named (AGENT_PR_BASE).';
  throw new Fault('surroundings', next);
}

/** The forge may have told of the base when the change was opened, or where it began: whoever begins at an old commit would choose an old policy. */
async function findTarget(
  world: World,
  place: GitPlace,
  { base, change: { baseRef }, remote }: Wish & { readonly base: string },
): Promise<string> {
  if (baseRef === undefined) return base;
  const { code } = await askGit(place, ['fetch', '--quiet', '--no-tags', '--end-of-options', remote, baseRef]);
  // a local branch of that name may be the change's own
  const known = `refs/remotes/${remote}/${baseRef.replace(/^refs\/heads\//, '')}`;
  const tip = await findCommit(place, code === 0 ? 'FETCH_HEAD' : known, remote);
  const isOlder = async (one: string) => (await askGit(place, ['merge-base', '--is-ancestor', one, base])).code === 0;
  const target = tip === undefined || (await isOlder(tip)) ? base : tip;
  if (code !== 0)
    await world.err.write(`${remote} does not give ${baseRef}: the policy is that of ${target.slice(0, 10)}.\n`);
  return target;
}

/** A partial clone fetches what it lacks when git looks at it: the policy, and all that the commits changed. Readers go without the network. */
async function bringContents(place: GitPlace, change: BroughtChange): Promise<BroughtChange> {
  const { target, head, mergeBase: first } = change;
  const { code } = await askGit(place, ['config', '--get-regexp', '^remote\\..*\\.promisor$']);
  if (code !== 0) return change;
  await askGit(place, ['cat-file', '-e', `${target}:${POLICY_FILE}`]);
  await askGit(place, [
    'log',
    '--format=',
    '-M',
    '-c',
    '--numstat',
    '--no-ext-diff',
    '--no-textconv',
    `${first}..${head}`,
  ]);
  return change;
}

/** What came, by the name that it was asked for: a clone of one branch has no place for another one's. */
async function fetchRefs(world: World, place: GitPlace, { change, remote }: Wish): Promise<Map<string, string>> {
  const wanted = [change.baseRef, change.headRef, change.base, change.head].filter((name) => name !== undefined);
  const brought = new Map<string, string>();
  // one by one: a server may know some, and give single commits or not
  for (const name of new Set(wanted.map((one) => askedAs(one, remote)))) {
    const { code, err } = await askGit(place, ['fetch', '--quiet', '--no-tags', '--end-of-options', remote, name]);
    const id = code === 0 ? await findCommit(place, 'FETCH_HEAD', remote) : undefined;
    if (id !== undefined) brought.set(name, id);
    if (code !== 0) await world.err.write(`${remote} does not give ${name}: ${err.split('\n')[0] ?? ''}\n`);
  }
  return brought;
}

/** What is called `origin/main` here is `main` there. */
function askedAs(name: string, remote: string): string {
  const prefix = [`refs/remotes/${remote}/`, `${remote}/`].find((one) => name.startsWith(one));
  return prefix === undefined ? name : `refs/heads/${name.slice(prefix.length)}`;
}

async function findCommit(place: GitPlace, name: string, remote: string): Promise<string | undefined> {
  const short = name.replace(/^refs\/heads\//, '');
  for (const one of [name, `refs/remotes/${remote}/${short}`]) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${one}^{commit}`];
    const id = (await askGit(place, args)).out.toString('latin1').trim();
    // `^NAME` is one commit less, to git
    if (/^[0-9a-f]+$/.test(id)) return id;
  }
  return undefined;
}

async function mergeBase(place: GitPlace, base: string, head: string): Promise<string | undefined> {
  const { code, out } = await askGit(place, ['merge-base', base, head]);
  return code === 0 ? out.toString('latin1').trim() : undefined;
}
