import { reverts } from '../anchor/lineage.ts';
import type { Anchored, Anchors } from '../anchor/target.ts';
import { type Commit, readWithParents } from '../git/commits.ts';
import { readDiffs } from '../git/diff.ts';
import { withObjects } from '../git/objects.ts';
import type { GitPlace } from '../git/run.ts';
import { BY_GIT } from '../join/state.ts';
import { MOVED } from '../join/timeline.ts';
import { isUnseen } from '../lines/origin.ts';
import type { OriginFile, OriginRun } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import { hashAhead } from './ahead.ts';
import type { KnownCommits } from './anchors.ts';
import { type ByHand, handOf, pickedLines, readFixups, readSquashed, stoppedPick } from './by-hand.ts';
import { type DueCommit, isPlain, type Making, readMakings } from './due.ts';
import { FOREIGN, joinHere, withoutForeign } from './foreign.ts';
import { readHeadLog } from './head-moves.ts';
import { type Joining, timeOf } from './joining.ts';
import { leftBefore } from './left-behind.ts';
import { joinRewritten, wavesOf } from './rewritten.ts';
import type { View } from './view.ts';
import type { Surroundings } from './world.ts';

/** A commit with an origin for every line it adds. */
export interface JoinedCommit {
  readonly commit: Commit;
  readonly files: readonly OriginFile[];
}

/** Commits, the first parents that are none of them, and what they change. */
export interface ReadCommits extends KnownCommits {
  readonly parents: ReadonlyMap<string, Commit>;
}

export async function readForJoin(place: GitPlace, ids: readonly string[]): Promise<ReadCommits> {
  const [{ commits, parents }, diffs] = await Promise.all([
    withObjects(place, (reader) => readWithParents(reader, ids)),
    readDiffs(place, ids, hashAhead),
  ]);
  return { commits, parents, diffs };
}

export interface JoinOptions {
  /** The commits, where they are being read already. */
  readonly read?: Promise<ReadCommits> | undefined;
  onJoined(joined: JoinedCommit): void;
  /** Note lines that are due for these commits: lines that moved may come from there. */
  unwritten(commits: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** What a commit was made of, as far as git told: the furthest back first. */
  forebears(commit: string): readonly string[];
  /** Looks for the lines of commits that were made of others. */
  anchor(commits: readonly string[], known: KnownCommits): Promise<ReadonlyMap<string, Anchors>>;
  /** Looks for commits of other branches that have the very same. */
  same(commit: string, known: KnownCommits): Promise<Anchors | undefined>;
  /** Told of a commit that could not be joined; the others go on. */
  onFailure?(commit: string, cause: unknown): void;
}

/**
 * Joins commits: those that are new, and those that were made of others (amend, rebase, cherry-pick ...), each after what it stems from or, where
 * lines may have moved, stands upon.
 */
export async function joinCommits(
  world: Surroundings,
  view: View,
  due: readonly DueCommit[],
  options: JoinOptions,
): Promise<void> {
  if (due.length === 0) return;
  const ids = due.map(({ id }) => id);
  const { commits, parents, diffs } = await (options.read ?? readForJoin(world.repository.place, ids));
  const makings = readMakings(world);
  const fixups = due.every(({ id }) => makings.has(id)) ? new Map<string, ByHand>() : await readFixups(world);
  const joinings = due.flatMap((one): OpenJoining[] => {
    const [commit, diff, making] = [commits.get(one.id), diffs.get(one.id), makings.get(one.id)];
    // with a conflict in it, what git sees is one side
    if (!commit || !diff || commit.headers.some(([name]) => name === 'jj:trees')) return [];
    const byHand = making ? handOf(one, making) : fixups.get(one.id);
    const [worktree, first] = [one.worktree ?? making?.worktree ?? byHand?.worktree ?? '', diff.parents[0] ?? ''];
    const parent = commits.get(first) ?? parents.get(first);
    const plain = (one.typed ?? isPlain(making)) && !one.brought;
    const known = { commit, diff, parent, plain, byHand };
    return [{ world, view, one: { ...one, worktree }, ...known, unwritten: options.unwritten }];
  });
  const isNew = ({ one }: OpenJoining) => {
    const making = makings.get(one.id);
    const made = one.typed || making === undefined || isPlain(making);
    const brings = one.brought || reverts(commits.get(one.id)?.message ?? '').length > 0;
    return made && !brings && options.forebears(one.id).length === 0;
  };
  const known = { commits, diffs, makings };
  const byId = new Map(joinings.map((joining) => [joining.one.id, joining]));
  const fresh = new Set(joinings.filter(isNew).map(({ one }) => one.id));
  const stems = (id: string) => [...options.forebears(id), ...reverts(commits.get(id)?.message ?? '')];
  const under = rewrittenUnder(joinings, (id) => fresh.has(id));
  const left = leftBehind(world, joinings);
  const after = (id: string) => {
    const known = under.get(id) ?? stems(id);
    // of what nothing is told waits for all others anyway
    return fresh.has(id) || known.length > 0 ? [...known, ...(left.get(id) ?? [])] : known;
  };
  for (const wave of wavesOf([...byId.keys()], { after, isNew: (id) => fresh.has(id) })) {
    const some = wave.flatMap((id) => byId.get(id) ?? []);
    for (const joining of some.filter(({ one }) => fresh.has(one.id))) await joinNew(joining, known, options);
    await joinOld(
      some.filter(({ one }) => !fresh.has(one.id)),
      known,
      options,
    );
  }
}

/** Of the commits that are joined, those that HEAD had left when one was made: what it has from there, their records tell. */
function leftBehind(world: Surroundings, joinings: readonly OpenJoining[]): Map<string, string[]> {
  const due = new Set(joinings.map(({ one }) => one.id));
  const logs = new Map(due.size > 1 ? world.worktrees.map(({ name }) => [name, readHeadLog(world, name)]) : []);
  return new Map(
    joinings.map((joining) => {
      const { one } = joining;
      const left = leftBefore(logs.get(one.worktree) ?? [], { commit: one.id, at: timeOf(joining) });
      return [one.id, left.map(({ commit }) => commit).filter((id) => id !== one.id && due.has(id))];
    }),
  );
}

type OpenJoining = Omit<Joining, 'beginning'>;

interface Known extends KnownCommits {
  readonly makings: ReadonlyMap<string, Making>;
}

/** For new commits, which come after their parents: the nearest below them that were made of others. */
function rewrittenUnder(joinings: readonly OpenJoining[], isNew: (id: string) => boolean): Map<string, string[]> {
  const old = new Set(joinings.flatMap(({ one }) => (isNew(one.id) ? [] : one.id)));
  const under = new Map<string, string[]>();
  for (const { one, diff } of joinings) {
    if (!isNew(one.id)) continue;
    const below = diff.parents.flatMap((parent) => (old.has(parent) ? parent : (under.get(parent) ?? [])));
    under.set(one.id, [...new Set(below)]);
  }
  return under;
}

async function joinNew(joining: OpenJoining, known: Known, options: JoinOptions): Promise<void> {
  const { one, plain } = joining;
  const commit = known.commits.get(one.id);
  try {
    const joined = await joinHere(joining, { makings: known.makings, forebears: [] });
    // of what git itself brought in before, the records of other commits may tell
    const anchors = joined.some(hasBrought) ? (await options.anchor([one.id], known)).get(one.id) : undefined;
    const told = anchors ? joined.map((file) => withAnchors(file, anchors, isBrought)) : joined;
    // what nobody was seen to write, or a command brought, may stand in a commit of another branch just so
    const same = plain && told.some(hasUntold) ? await options.same(one.id, known) : undefined;
    const files = same ? told.map((file) => withAnchors(file, recognised(same), isUntold)) : told;
    // not made here, as far as anything tells: perhaps somebody else's, pulled from a folder
    if (commit && (plain || one.at !== undefined || files.some(hasAgent)))
      options.onJoined({ commit, files: withoutForeign(files) });
  } catch (cause) {
    options.onFailure?.(one.id, cause);
  }
}

async function joinOld(joinings: readonly OpenJoining[], known: Known, options: JoinOptions): Promise<void> {
  const [first] = joinings;
  if (!first) return;
  const brought = joinings.flatMap(({ one }) => (one.brought ? (known.commits.get(one.id) ?? []) : []));
  const squashed = await readSquashed(first.world, brought);
  const ids = joinings.map(({ one }) => one.id);
  const anchors = await options.anchor(ids, { ...known, squashed });
  for (const joining of joinings) {
    const { id } = joining.one;
    const commit = known.commits.get(id);
    if (!commit) continue;
    try {
      const picked = joining.byHand && (await pickedLines(joining, commit, options.forebears(id)));
      const stems = { makings: known.makings, forebears: options.forebears(id), reverted: reverts(commit.message) };
      const sources = await stoppedPick(joining.world, { commit, making: known.makings.get(id), ...stems });
      const alone = ALONE.test(known.makings.get(id)?.action ?? '');
      const files = await joinRewritten(joining, anchors.get(id) ?? new Map(), {
        ...{ ...stems, sources, alone, last: (squashed.get(id) ?? stems.forebears).at(-1) },
        ...(picked && { picked }),
      });
      if (files) options.onJoined({ commit, files: withoutForeign(files) });
    } catch (cause) {
      options.onFailure?.(id, cause);
    }
  }
}

/** Where it stopped, its reflog says that somebody went on. */
const ALONE = /^rebase\b.*\((pick|squash|fixup)\)$/;

function isBrought({ origin }: OriginRun): boolean {
  return origin.type === 'unknown' && (origin.reason === BY_GIT || origin.reason === FOREIGN);
}

function hasBrought({ runs }: OriginFile): boolean {
  return runs.some(isBrought);
}

function isUntold({ origin }: OriginRun): boolean {
  return isUnseen(origin) || (origin.type === 'unknown' && origin.reason === MOVED);
}

function hasUntold({ runs }: OriginFile): boolean {
  return runs.some(isUntold);
}

/** Nobody saw it brought: that it is the same is all that speaks for it. */
function recognised(anchors: Anchors): Anchors {
  const weaker = (one: Anchored): Anchored => {
    const { origin } = one;
    return origin.agent ? { ...one, origin: { ...origin, evidence: 'matched' } } : one;
  };
  return new Map([...anchors].map(([path, lines]) => [path, new Map([...lines].map(([n, one]) => [n, weaker(one)]))]));
}

function withAnchors(file: OriginFile, anchors: Anchors, isOpen: (run: OriginRun) => boolean): OriginFile {
  const found = anchors.get(file.path);
  const told = (run: OriginRun) => cutRuns(run, (line) => found?.get(line)?.origin ?? run.origin);
  return { ...file, runs: file.runs.flatMap((run) => (isOpen(run) ? told(run) : [run])) };
}

function hasAgent({ runs }: OriginFile): boolean {
  return runs.some(({ origin }) => origin.agent !== undefined);
}
