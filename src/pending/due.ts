import fs from 'node:fs';
import path from 'node:path';
import { newCommits, type ReflogEntry } from '../git/history.ts';
import type { Fact } from '../sessions/journal.ts';
import { isFresh, type State } from '../sessions/state.ts';
import { findSince } from '../sessions/store.ts';
import type { Ahead } from './ahead.ts';
import type { Evolution } from './evolution.ts';
import type { Harvest } from './harvest.ts';
import { readHeadLog } from './head-moves.ts';
import type { Surroundings } from './world.ts';

/** A commit that may need a record. */
export interface DueCommit {
  readonly id: string;
  /** Where a hook saw it; absent: the reflogs tell. */
  readonly worktree?: string;
  /** When a hook saw it, in milliseconds; absent: no hook did. */
  readonly at?: number;
  /** The session whose shell made it, from the environment. */
  readonly session?: string;
  /** The agent whose shell made it, likewise: an older one tells no session. */
  readonly agent?: string;
  /** It brought lines from elsewhere: a squash, or a commit that no HEAD of ours ever stood at. */
  readonly brought?: boolean;
  /** By jj's own word: whether all that is new in it was typed in the work tree. */
  readonly typed?: boolean;
  /** By jj's own word: moments when the work tree stood at a commit, nothing being changed yet. */
  readonly stood?: readonly { readonly at: number; readonly commit: string }[];
  /** By jj's own word: what the commit was before it was this, since something told of it, and when that was made. */
  readonly versions?: readonly { readonly at: number; readonly commit: string }[];
}

export interface Due {
  readonly commits: readonly DueCommit[];
  /** Work trees in which a squash waits to be committed. */
  readonly squashed: readonly string[];
}

/** Where branches and HEADs stood, and how they came there, before the journal was read. */
export interface DueQuestion {
  readonly tips: ReadonlyMap<string, string>;
  readonly made: readonly string[];
  readonly harvest: Harvest;
  readonly evolution: Evolution;
  readonly ahead?: Ahead | undefined;
}

/** So many commits that no hook announced are looked at in one go. */
const LIMIT = 2000;

/** Commits announced by facts, and commits made here that no hook announced: an agent's shell without hooks, an IDE, plumbing. */
export async function findDue(
  world: Surroundings,
  state: State,
  { tips, made, harvest, evolution, ahead }: DueQuestion,
): Promise<Due> {
  const squashed = new Set(state.squashed);
  const announced = announcedBy(harvest, squashed);
  const silent = await findSilent(world, state, { tips, made, ahead, announced });
  // what failed before is tried again
  const evolved = new Map(evolution.due.filter(({ id }) => !announced.has(id)).map((one) => [one.id, one]));
  const others = [...new Set([...silent, ...Object.keys(state.failures), ...evolved.keys()])].filter(
    (id) => !announced.has(id) && !evolution.workingCopies.has(id),
  );
  const makings = others.length > 0 ? readMakings(world) : new Map<string, Making>();
  // made by filter-branch, replay or plumbing: perhaps out of commits that are due themselves
  const unmade = (id: string): DueCommit => ({ id, ...(!makings.has(id) && { brought: true }) });
  return {
    commits: [...others.map((id) => evolved.get(id) ?? unmade(id)), ...announced.values()],
    squashed: [...squashed],
  };
}

/** A commit as a hook told of it. */
export function dueOf(fact: Fact & { readonly fact: 'commit' | 'applied' }): DueCommit {
  const { commit: id, at, worktree } = fact;
  const { session, agent } = fact.fact === 'commit' ? fact : {};
  return {
    ...{ id, at },
    ...(worktree !== undefined && { worktree }),
    ...(session && { session }),
    ...(agent && { agent }),
  };
}

/** What hooks have told: commits, and what rewrites ended in. A commit that became another one meanwhile is passed over. */
function announcedBy({ facts, rewrites }: Harvest, squashed: Set<string>): Map<string, DueCommit> {
  const announced = new Map<string, DueCommit>();
  for (const fact of facts) {
    const { worktree = '' } = fact;
    if (fact.fact === 'merge' && fact.squash) squashed.add(worktree);
    if (fact.fact !== 'commit' && fact.fact !== 'applied') continue;
    const brought = squashed.delete(worktree);
    // made again within a second, and the same to the last byte (a reword that changes nothing): it was written when it was first made
    if (announced.has(fact.commit)) continue;
    announced.set(fact.commit, { ...dueOf(fact), ...(brought && { brought }) });
  }
  for (const { new: id, at } of rewrites) if (!announced.has(id)) announced.set(id, { id, at });
  return announced;
}

async function findSilent(
  world: Surroundings,
  state: State,
  {
    tips,
    made,
    ahead,
    announced,
  }: Pick<DueQuestion, 'tips' | 'made' | 'ahead'> & { readonly announced: ReadonlyMap<string, unknown> },
): Promise<string[]> {
  const seen = seenTips(world, state, tips);
  const moved = [...tips.values()].filter((id) => !seen.has(id));
  if (moved.length === 0) return [];
  if (ahead && (await allTold(world, ahead, { seen, announced, new: [...moved, ...made] }))) return [];
  const { place } = world.repository;
  // what remotes have is somebody else's, unless a HEAD of ours tells that it was made here and pushed
  const [unshared, pushed] = await Promise.all([
    newCommits(place, { tips: moved, seen, limit: LIMIT }),
    made.length > 0 ? newCommits(place, { tips: made, seen, limit: LIMIT, remotes: true }) : [],
  ]);
  const ours = new Set(made);
  return [...new Set([...pushed.filter((id) => ours.has(id)), ...unshared])];
}

/** Mostly a hook has told of every commit between what was seen and the tips, and git need not look for others. */
async function allTold(
  { repository }: Surroundings,
  { known }: Ahead,
  commits: {
    readonly seen: ReadonlySet<string>;
    readonly announced: ReadonlyMap<string, unknown>;
    readonly new: readonly string[];
  },
): Promise<boolean> {
  // by these a commit has other parents than it says
  if (fs.existsSync(path.join(repository.commonDir, 'info', 'grafts'))) return false;
  const told = new Map([...(await known).commits].filter(([id]) => commits.announced.has(id)));
  const isTold = (id: string) => commits.seen.has(id) || told.has(id);
  return commits.new.every((id) => told.has(id)) && [...told.values()].every(({ parents }) => parents.every(isTold));
}

/** Before the first work, what was there when capture began is all that has been seen. */
function seenTips(world: Surroundings, state: State, tips: DueQuestion['tips']): ReadonlySet<string> {
  return new Set(isFresh(state) ? (findSince(world.store)?.heads ?? tips.values()) : Object.values(state.tips));
}

/** The commits that HEADs of ours were made to go to by committing or picking, since the latest fact that was worked in. */
export function readMade(world: Surroundings, state: State, tips: DueQuestion['tips']): string[] {
  const seen = seenTips(world, state, tips);
  if ([...tips.values()].every((id) => seen.has(id))) return [];
  return world.worktrees.flatMap(({ name }) =>
    readHeadLog(world, name)
      .filter((entry) => entry.time * 1000 + 999 >= state.latest && (isPlain(entry) || isPicked(entry)))
      .map((entry) => entry.new)
      .filter((id) => !seen.has(id)),
  );
}

function isPicked({ action, message }: ReflogEntry): boolean {
  return /^(cherry-pick|revert|am|rebase.*\((pick|continue|reword|edit)\))$/.test(action) && message !== 'fast-forward';
}

/** How and where a commit came to be. */
export interface Making {
  /** `commit`, `commit (amend)`, `rebase (pick)`, `cherry-pick` ... */
  readonly action: string;
  readonly worktree: string;
}

/** By the reflogs of all work trees. */
export function readMakings(world: Surroundings): Map<string, Making> {
  const makings = new Map<string, Making>();
  for (const { name } of world.worktrees) {
    for (const entry of readHeadLog(world, name)) {
      const making = { action: entry.action, worktree: name };
      // the first word counts: a later checkout or reset only goes there again. And in another work tree a merge may go where one has committed
      if (!makings.has(entry.new) || (isPlain(making) && !isPlain(makings.get(entry.new))))
        makings.set(entry.new, making);
    }
  }
  return makings;
}

/** Typed or staged here and committed: the other ways bring lines from elsewhere. */
export function isPlain(making: Pick<Making, 'action'> | undefined): boolean {
  return making !== undefined && /^commit( \((initial|amend|merge)\))?$/.test(making.action);
}
