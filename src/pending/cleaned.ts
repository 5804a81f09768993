import { readAttribute, readStandingAttribute } from '../git/attributes.ts';
import type { RepoPath } from '../git/paths.ts';
import type { FileJoin } from '../join/file.ts';
import type { Joining } from './joining.ts';
import { isDirty } from './standing.ts';

/** The timelines, with those marked whose file a filter changes when it is staged. Without such a filter in git's configuration nothing is asked. */
export async function withCleaned(
  joining: Joining,
  timelines: ReadonlyMap<RepoPath, FileJoin>,
): Promise<ReadonlyMap<RepoPath, FileJoin>> {
  const { filters } = joining.world.settings;
  const edited = [...timelines.values()].filter(({ edits }) => edits.length > 0);
  if (filters.length === 0 || edited.length === 0) return timelines;
  const said = await readFilters(
    joining,
    edited.map(({ path }) => path),
  );
  const isCleaned = (path: RepoPath) => said.some((one) => filters.includes(one.get(path) ?? ''));
  const cleaned = isDirty(joining) ? 'snapshots' : 'text';
  return new Map([...timelines].map(([path, one]) => [path, isCleaned(path) ? { ...one, cleaned } : one]));
}

/** Git has asked the work tree, which may have changed since; the commit has not. */
async function readFilters(joining: Joining, paths: readonly RepoPath[]): Promise<ReadonlyMap<RepoPath, string>[]> {
  const { world, one } = joining;
  const { place } = world.repository;
  const tree = world.worktrees.find(({ name, bare, gone }) => name === one.worktree && !bare && !gone);
  const question = { name: 'filter', paths: Promise.resolve(paths) };
  return Promise.all([
    ...(tree ? [readStandingAttribute({ ...place, cwd: tree.path }, question)] : []),
    ...(isDirty(joining) ? [] : [readAttribute(place, { ...question, revision: one.id })]),
  ]);
}
