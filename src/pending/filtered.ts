import { type Commit, readCommits } from '../git/commits.ts';
import { listBetween } from '../git/history.ts';
import { listRefs } from '../git/refs.ts';
import type { Rewrite } from '../sessions/rewrites.ts';
import type { DueCommit } from './due.ts';
import { readHeadLog } from './head-moves.ts';
import type { Surroundings } from './world.ts';

/** So many tips are looked at: of a repository with more branches the first ones. */
const MAX_TIPS = 20;
const ORIGINAL = 'refs/original/';

/**
 * What `git filter-branch` made of what: no hook tells, but the reflog has the tips, and so has `refs/original`. A commit stems from the one
 * with the same message, people and times; where several are so alike, from none.
 */
export async function readFiltered(world: Surroundings, due: readonly DueCommit[]): Promise<Rewrite[]> {
  const { place } = world.repository;
  const open = new Set(due.filter(({ at }) => at === undefined).map(({ id }) => id));
  const rewrites: Rewrite[] = [];
  const tips = open.size > 0 ? await filteredTips(world) : [];
  // of older ones only those whose tip is as new: the others have been looked at
  const late = tips.filter((pair, i) => i === 0 || open.has(pair.new)).slice(0, MAX_TIPS);
  for (const { old, new: next } of late) {
    const made = (await listBetween(place, { from: old, to: next })).filter((id) => open.delete(id));
    if (made.length === 0) continue;
    const stems = await listBetween(place, { from: next, to: old });
    const commits = await readCommits(place, [...stems, ...made]);
    const known = (ids: readonly string[]) => ids.flatMap((id) => commits.get(id) ?? []);
    rewrites.push(...pairsOf(known(stems), known(made)));
  }
  return rewrites;
}

function pairsOf(stems: readonly Commit[], made: readonly Commit[]): Rewrite[] {
  const before = groupAlike(stems);
  return [...groupAlike(made)].flatMap(([likeness, [one, ...more]]) => {
    const [stem, ...others] = before.get(likeness) ?? [];
    if (!one || !stem || more.length > 0 || others.length > 0) return [];
    return [{ old: stem.id, new: one.id, at: one.committer.time * 1000 + 999 }];
  });
}

interface Tips {
  readonly old: string;
  readonly new: string;
}

async function filteredTips(world: Surroundings): Promise<Tips[]> {
  const logged = world.worktrees.flatMap(({ name }) =>
    readHeadLog(world, name).filter(({ action }) => action === 'filter-branch'),
  );
  const refs = await listRefs(world.repository.place, [ORIGINAL.slice(0, -1), 'refs/heads']);
  const kept = [...refs].flatMap(([name, old]) => {
    const next = name.startsWith(ORIGINAL) ? refs.get(name.slice(ORIGINAL.length)) : undefined;
    return next && next !== old ? [{ old, new: next }] : [];
  });
  return [...logged.reverse(), ...kept];
}

function groupAlike(commits: readonly Commit[]): Map<string, Commit[]> {
  const groups = new Map<string, Commit[]>();
  for (const commit of commits) {
    const { author, committer, message } = commit;
    const likeness = JSON.stringify([author.mail, author.time, committer.mail, committer.time, message]);
    groups.set(likeness, [...(groups.get(likeness) ?? []), commit]);
  }
  return groups;
}
