import { reverts } from '../anchor/lineage.ts';
import type { Anchored, Anchors } from '../anchor/target.ts';
import { type Commit, readWithParents } from '../git/commits.ts';
import { readDiffs } from '../git/diff.ts';
import { withObjects } from '../git/objects.ts';
import type { GitPlace } from '../git/run.ts';
import { BY_GIT } from '../join/state.ts';
import { isUnseen } from '../lines/origin.ts';
import type { OriginFile, OriginRun } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import { hashAhead } from './ahead.ts';
import type { KnownCommits } from './anchors.ts';
import { type ByHand, handOf, pickedLines, readFixups, readSquashed } from './by-hand.ts';
import { type DueCommit, isPlain, type Making, readMakings } from './due.ts';
import { FOREIGN, joinHere, withoutForeign } from './foreign.ts';
import type { Joining } from './joining.ts';
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

/** Joins commits: first those that are new, then those that were made of others (amend, rebase, cherry-pick ...), which may stem from the first. */
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
  for (const joining of joinings.filter(isNew)) await joinNew(joining, known, options);
  await joinOld(
    joinings.filter((joining) => !isNew(joining)),
    known,
    options,
  );
}

type OpenJoining = Omit<Joining, 'beginning'>;

interface Known extends KnownCommits {
  readonly makings: ReadonlyMap<string, Making>;
}

async function joinNew(joining: OpenJoining, known: Known, options: JoinOptions): Promise<void> {
  const { one, plain } = joining;
  const commit = known.commits.get(one.id);
  try {
    const joined = await joinHere(joining, { makings: known.makings, forebears: [] });
    // of what git itself brought in before, the records of other commits may tell
    const anchors = joined.some(hasBrought) ? (await options.anchor([one.id], known)).get(one.id) : undefined;
    const told = anchors ? joined.map((file) => withAnchors(file, anchors, isBrought)) : joined;
    // what nobody was seen to write may stand in a commit of another branch just so
    const same = plain && told.some(hasUnseen) ? await options.same(one.id, known) : undefined;
    const files = same
      ? told.map((file) => withAnchors(file, recognised(same), ({ origin }) => isUnseen(origin)))
      : told;
    // not made here, as far as anything tells: perhaps somebody else's, pulled from a folder
    if (commit && (plain || one.at !== undefined || files.some(hasAgent)))
      options.onJoined({ commit, files: withoutForeign(files) });
  } catch (cause) {
    options.onFailure?.(one.id, cause);
  }
}

async function joinOld(joinings: readonly OpenJoining[], known: Known, options: JoinOptions): Promise<void> {
  const byId = new Map(joinings.map((joining) => [joining.one.id, joining]));
  const world = joinings[0]?.world;
  const stemsFrom = (id: string) => [...options.forebears(id), ...reverts(known.commits.get(id)?.message ?? '')];
  for (const wave of wavesOf([...byId.keys()], stemsFrom)) {
    const brought = wave.flatMap((id) => (byId.get(id)?.one.brought ? (known.commits.get(id) ?? []) : []));
    const squashed = world ? await readSquashed(world, brought) : new Map<string, readonly string[]>();
    const anchors = await options.anchor(wave, { ...known, squashed });
    for (const id of wave) {
      const [joining, commit] = [byId.get(id), known.commits.get(id)];
      if (!joining || !commit) continue;
      try {
        const picked = joining.byHand && (await pickedLines(joining, commit, options.forebears(id)));
        const stems = { makings: known.makings, forebears: options.forebears(id), reverted: reverts(commit.message) };
        const files = await joinRewritten(joining, anchors.get(id) ?? new Map(), {
          ...stems,
          ...(picked && { picked }),
        });
        if (files) options.onJoined({ commit, files: withoutForeign(files) });
      } catch (cause) {
        options.onFailure?.(id, cause);
      }
    }
  }
}

function isBrought({ origin }: OriginRun): boolean {
  return origin.type === 'unknown' && (origin.reason === BY_GIT || origin.reason === FOREIGN);
}

function hasBrought({ runs }: OriginFile): boolean {
  return runs.some(isBrought);
}

function hasUnseen({ runs }: OriginFile): boolean {
  return runs.some(({ origin }) => isUnseen(origin));
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
