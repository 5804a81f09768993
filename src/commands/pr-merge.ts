import { Fault } from '../fault.ts';
import type { Merged } from '../forge/index.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import { pushNotes } from '../notes/exchange.ts';
import { reanchor } from '../pending/work.ts';
import type { World } from './command.ts';
import { openDoor } from './door.ts';
import { withPeer } from './exchange.ts';
import { linkMerged } from './pr-links.ts';
import { listCommits, listWith } from './range.ts';

/** After a merge on the server: what the new commits were made of is written into notes of their own, and pushed. */
export async function reanchorMerged(
  world: World,
  merged: Merged,
  remote: string,
): Promise<{ readonly commits: number; readonly notes: number; readonly linked: number }> {
  const commits = await newCommits(world, merged, remote);
  const door = await openDoor(world);
  const { notes } = await reanchor(door, commits);
  const linked = await linkMerged(door.repository, merged, commits);
  if (notes + linked > 0)
    await withPeer(world, { asked: remote, way: 'push', alone: true }, (exchange) => pushNotes(exchange));
  return { commits: commits.length, notes, linked };
}

async function newCommits(world: World, merged: Merged, remote: string): Promise<string[]> {
  const { before, after, ref, created } = merged;
  const place = { cwd: world.cwd };
  const has = async (id: string) => (await askGit(place, ['cat-file', '-e', `${id}^{commit}`])).code === 0;
  if (!(await has(after))) await askGit(place, ['fetch', '--quiet', '--no-tags', '--end-of-options', remote, ref]);
  if (!(await has(after))) throw new Fault('surroundings', `${after} is not in this clone and could not be fetched.`);
  if (before !== undefined && !(await has(before)))
    await askGit(place, ['fetch', '--quiet', '--no-tags', '--unshallow', remote]);
  if (before !== undefined && (await has(before))) return listCommits(world.cwd, `${before}..${after}`);
  const found = created ? await listOfBranch(place, merged, remote) : undefined;
  if (found?.length === MAX_NEW)
    await world.err.write(`Of the new branch only the latest ${MAX_NEW} commits are looked at.\n`);
  if (found) return found;
  const why =
    before === undefined
      ? 'Which commits are new is not known'
      : `${before.slice(0, 10)}, where the branch was before, is not in this clone`;
  await world.err.write(
    `${why}: only ${after.slice(0, 10)} is looked at. ` +
      'If the push brought more, name them: git agent reanchor RANGE, then git agent push.\n',
  );
  return listCommits(world.cwd, after);
}

/** So many commits of a new branch are looked at, the latest. */
const MAX_NEW = 1000;

/** Commits of a new branch that no other branch of the remote has, and the last in any case; undefined where no other one is here to tell. */
async function listOfBranch(place: GitPlace, { after, ref }: Merged, remote: string): Promise<string[] | undefined> {
  const own = [`${remote}/HEAD`, `${remote}/${ref.replace(/^refs\/heads\//, '')}`];
  const others = [...own.map((name) => `--exclude=${name}`), `--remotes=${remote}`];
  const known = await askGit(place, ['rev-parse', ...others]);
  if (known.out.length === 0) return undefined;
  const found = await listWith(place.cwd, [`--max-count=${MAX_NEW}`, after, '--not', ...others]);
  return found.length > 0 ? found : [after];
}
