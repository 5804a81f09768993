import type { Repository } from '../git/repository.ts';
import { newRevisions, readEvolog, type Version } from '../jj/evolog.ts';
import { findJj, type JjRepository, operationHeads } from '../jj/find.ts';
import type { JjPlace } from '../jj/run.ts';
import { readWorkspaces } from '../jj/workspaces.ts';
import { readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import type { Rewrite } from '../sessions/rewrites.ts';
import type { State } from '../sessions/state.ts';
import { findSince } from '../sessions/store.ts';
import type { DueCommit } from './due.ts';
import type { Surroundings } from './world.ts';

/** What jj, which runs no hooks, has done since it was last looked at. */
export interface Evolution {
  readonly operation?: string;
  readonly due: readonly DueCommit[];
  /** From commits to the nearest versions that some record may speak of. */
  readonly rewrites: readonly Rewrite[];
  /** Commits that are about to change their ids. */
  readonly workingCopies: ReadonlySet<string>;
}

/** The jj repository that keeps its commits here: not one that lies around this one. The background work stands in the git dir. */
export function findJjOf({ worktree, commonDir }: Repository): JjRepository | undefined {
  const found = [worktree, commonDir].flatMap((at) => (at === null ? [] : (findJj(at) ?? [])));
  return found.find(({ gitDir }) => gitDir === commonDir);
}

/** Nothing is started where there is no jj repository, or where nothing happened in it. */
export async function readEvolution(world: Surroundings, state: State): Promise<Evolution> {
  const nothing = { ...(state.operation && { operation: state.operation }), ...NOTHING };
  const jj = findJjOf(world.repository);
  const [operation, ...others] = jj ? operationHeads(jj) : [];
  // several: jj itself settles them when it is called next
  if (!jj || !operation || others.length > 0 || operation === state.operation) return nothing;
  const place = { root: jj.root, operation };
  const versions =
    (await readEvolog(place, newRevisions(state.operation))) ??
    // that operation may have been abandoned
    (state.operation ? await readEvolog(place, newRevisions(undefined)) : undefined);
  if (!versions) return nothing;
  const since = findSince(world.store)?.at ?? 0;
  const [recorded, trees] = await Promise.all([findRecorded(world, versions), nameTrees(world, place)]);
  return { operation, ...evolve(versions, { since, isRecorded: (id) => recorded.has(id), worktreeOf: trees }) };
}

/** Our names of the work trees by jj's names of its workspaces. */
async function nameTrees(world: Surroundings, place: JjPlace): Promise<Known['worktreeOf']> {
  if (world.worktrees.length === 1) return () => '';
  const byRoot = new Map(world.worktrees.map(({ path, name }) => [path, name]));
  const workspaces = (await readWorkspaces(place)) ?? [];
  const names = new Map(workspaces.map(({ name, root }) => [name, byRoot.get(root)]));
  return (workspace) => names.get(workspace);
}

const NOTHING: Omit<Evolution, 'operation'> = { due: [], rewrites: [], workingCopies: new Set() };

/** What this work tree's `@` was made of, as last looked at; undefined outside jj. */
export async function readWorkingCopy(world: Surroundings): Promise<WorkingCopy | undefined> {
  const jj = findJjOf(world.repository);
  const [operation] = jj ? operationHeads(jj) : [];
  const versions = jj && operation ? await readEvolog({ root: jj.root, operation }, '@') : undefined;
  const here = versions?.find(({ workingCopy }) => workingCopy);
  if (!versions || !here) return undefined;
  const since = findSince(world.store)?.at ?? 0;
  const recorded = await findRecorded(world, versions);
  const byId = new Map(versions.map((version) => [version.commit, version]));
  const trail = follow(here, byId, (id) => recorded.has(id));
  // all of it stands in this work tree now, wherever it was typed
  const {
    typed,
    stood = [],
    versions: passed = [],
  } = dueCommit(here.commit, trail, {
    since,
    isRecorded: () => false,
    worktreeOf: () => '',
    byId,
  });
  const stems = recorded.has(here.commit) ? [here.commit] : trail.ends;
  return { commit: here.commit, stems, versions: passed, typed: typed === true || here.empty, stood };
}

export interface WorkingCopy {
  readonly commit: string;
  /** The nearest versions that have a record: it may be one itself. */
  readonly stems: readonly string[];
  readonly typed: boolean;
  readonly stood: NonNullable<DueCommit['stood']>;
  readonly versions: NonNullable<DueCommit['versions']>;
}

async function findRecorded(world: Surroundings, versions: readonly Version[]): Promise<Set<string>> {
  const { place } = world.repository;
  const { trace } = await readNoteRefs(place);
  const { notes } = await readNotes(
    place,
    trace,
    versions.map(({ commit }) => commit),
  );
  return new Set([...notes].filter(([, lines]) => lines.length > 0).map(([id]) => id));
}

export interface Known {
  /** When capture began. */
  readonly since: number;
  isRecorded(commit: string): boolean;
  /** The work tree that a workspace is; undefined: none that we know. */
  worktreeOf(workspace: string): string | undefined;
}

/** Which commits are due, and what they were made of. */
export function evolve(versions: readonly Version[], known: Known): Omit<Evolution, 'operation'> {
  const { since, isRecorded } = known;
  const byId = new Map(versions.map((version) => [version.commit, version]));
  const isWhole = ({ conflicted, empty, predecessors, made }: Version) =>
    !conflicted && !empty && made !== undefined && made.at >= since && predecessors.length > 0;
  const isDue = (version: Version) => !version.hidden && !version.workingCopy && isWhole(version);
  const conflicts = conflictsOf(versions, { byId, isRecorded }).filter(({ before }) => isWhole(before));
  const found = new Set([...versions.filter(isDue), ...conflicts.map(({ before }) => before)]);
  const open = [...found].filter(({ commit }) => !isRecorded(commit));
  const ends = new Set(open.map(({ commit }) => commit));
  const isEnd = (id: string) => ends.has(id) || isRecorded(id);
  const trails = open.map((version) => ({ version, trail: follow(version, byId, isEnd) }));
  return {
    due: trails.map(({ version, trail }) => dueCommit(version.commit, trail, { ...known, byId })),
    rewrites: [
      ...trails.flatMap(({ version, trail }) => trail.ends.map((old) => rewriteOf(old, version))),
      ...conflicts
        .filter(({ before }) => ends.has(before.commit))
        .map(({ before, now }) => rewriteOf(before.commit, now)),
    ],
    workingCopies: new Set(versions.filter(({ workingCopy }) => workingCopy).map(({ commit }) => commit)),
  };
}

function rewriteOf(old: string, version: Version): Rewrite {
  return { old, new: version.commit, at: version.made?.at ?? 0 };
}

interface Conflict {
  readonly now: Version;
  /** The nearest version without one. */
  readonly before: Version;
}

/**
 * Of a commit in conflict git sees one side, and nobody can tell of its lines but from what it was before. So what is made of it later
 * stems from that.
 */
function conflictsOf(versions: readonly Version[], { byId, isRecorded }: Past): Conflict[] {
  const visible = versions.filter(({ hidden, workingCopy }) => !hidden && !workingCopy);
  const passed = new Set(visible.flatMap((version) => follow(version, byId, isRecorded).passed));
  const isClear = (id: string) => byId.get(id)?.conflicted === false;
  return [...passed].flatMap((now) => {
    const ends = now.conflicted ? follow(now, byId, isClear).ends : [];
    return ends.flatMap((id) => byId.get(id) ?? []).map((before) => ({ now, before }));
  });
}

interface Past {
  readonly byId: ReadonlyMap<string, Version>;
  isRecorded(commit: string): boolean;
}

interface Trail {
  /** The version itself, and those before it that nothing speaks of. */
  readonly passed: readonly Version[];
  /** Where the way back ends: with versions that have a record, or will have one. */
  readonly ends: readonly string[];
  /** Some version is not known any more. */
  readonly torn: boolean;
}

/** Depth first and in jj's order: what was put into a commit comes after the commit it was put into. */
function follow(version: Version, byId: ReadonlyMap<string, Version>, isEnd: (id: string) => boolean): Trail {
  const passed = new Set([version]);
  const ends = new Set<string>();
  let torn = false;
  const waiting = [...version.predecessors].reverse();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const before = byId.get(id);
    if (id === version.commit || (before && passed.has(before))) continue;
    if (isEnd(id)) ends.add(id);
    else if (before) {
      passed.add(before);
      waiting.push(...[...before.predecessors].reverse());
    } else torn = true;
  }
  return { passed: [...passed], ends: [...ends], torn };
}

const SNAPSHOT = 'snapshot working copy';
/** Operations after which every line is one that some version had: they put together, take apart and move, and bring nothing in. */
const BRINGS_NOTHING =
  /^(snapshot working copy|describe |commit |new empty commit|rebase |squash |split |absorb |duplicate |edit |abandon |add workspace|create initial|parallelize|simplify)/;

function dueCommit(
  id: string,
  { passed, ends, torn }: Trail,
  { since, worktreeOf, byId }: Known & Pick<Past, 'byId'>,
): DueCommit {
  const parents = String(passed[0]?.parents);
  const isTyped = ({ made, predecessors, empty, ...version }: Version) =>
    made !== undefined &&
    BRINGS_NOTHING.test(made.description) &&
    (predecessors.length > 0 || empty) &&
    // what stood there when capture began is known as long as it stands on the same commit
    (empty || made.at >= since || String(version.parents) === parents);
  const looks = passed.flatMap((version) => (version.made && isLook(version, byId) ? [version.made] : []));
  const places = new Set(looks.map(({ workspace }) => worktreeOf(workspace)));
  const [worktree] = places;
  const typed = !torn && passed.every(isTyped) && (looks.length > 0 ? isOne(places) : ends.length > 0);
  const at = Math.max(...looks.map((look) => look.at));
  return {
    id,
    typed,
    stood: stoodAt(passed),
    versions: passed.flatMap(({ commit, made }) => (made ? [{ commit, at: made.at }] : [])),
    ...(looks.length > 0 && { at }),
    ...(worktree !== undefined && { worktree }),
  };
}

/**
 * Of what a look at the work tree makes, only `@` is what stands there, upon what it stood upon before. What stands upon other commits than its
 * predecessor did, jj has rebased because `@` is under it, and nobody has typed it just then.
 */
function isLook({ made, parents, predecessors }: Version, byId: Past['byId']): boolean {
  const stood = predecessors.flatMap((id) => byId.get(id) ?? []);
  return made?.description === SNAPSHOT && stood.every((before) => String(before.parents) === String(parents));
}

/** A change begins empty: jj has just put into the work tree what it stands on. Of several, later ones may stand on what is in it now. */
function stoodAt(passed: readonly Version[]): { at: number; commit: string }[] {
  const first = passed.filter(({ empty, predecessors }) => empty && predecessors.length === 0);
  const all = first.flatMap(({ commit, made }) => (made ? [{ at: made.at, commit }] : []));
  return all.sort((a, b) => a.at - b.at).slice(0, 1);
}

/** Typed in several work trees at once, it is not to be told from the timeline of one. */
function isOne(places: ReadonlySet<string | undefined>): boolean {
  return places.size === 1 && !places.has(undefined);
}
