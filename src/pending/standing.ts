import fs from 'node:fs';
import { diskPath } from '../git/disk-path.ts';
import { readObjects } from '../git/objects.ts';
import type { RepoPath } from '../git/paths.ts';
import { readHeadFiles } from '../git/trees.ts';
import { type Lines, splitBytes } from '../lines/text.ts';
import { headMoves } from './head-moves.ts';
import { baseTime, type Joining, timeOf } from './joining.ts';

type Asked = Omit<Joining, 'beginning'>;

/** The lines of these files as the commit, or the work tree, has them, and the commits that HEAD left: what stands there was not moved. */
export async function readStanding(asked: Asked, paths: readonly string[]): Promise<Map<string, Set<string>>> {
  if (paths.length === 0) return new Map();
  const { place } = asked.world.repository;
  const heads = await Promise.all(commitsAround(asked).map((commit) => readHeadFiles(place, commit, paths)));
  const blobsOf = (path: string) => heads.flatMap((files) => files.get(path)?.blob ?? []);
  const objects = await readObjects(place, paths.flatMap(blobsOf), { maxBytes: MAX_BYTES });
  return new Map(
    paths.map((path) => {
      const saved = isDirty(asked) ? findSaved(asked, path)?.lines : undefined;
      const committed = blobsOf(path).map((blob) => objects.get(blob)?.bytes);
      return [path, new Set([...(saved ?? []), ...committed.flatMap((bytes) => (bytes ? splitBytes(bytes) : []))])];
    }),
  );
}

const MAX_BYTES = 4 << 20;

/** What stands in the work tree now, and when it was saved. */
export function findSaved(
  { world, one }: Pick<Asked, 'world' | 'one'>,
  path: RepoPath,
): { readonly lines: Lines; readonly at: number } | undefined {
  const top = world.worktrees.find(({ name }) => name === one.worktree)?.path;
  if (top === undefined) return undefined;
  try {
    const file = diskPath(top, path);
    const stat = fs.statSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
    return { lines: splitBytes(fs.readFileSync(file)), at: stat.mtimeMs };
  } catch {
    return undefined;
  }
}

/** Of so many commits that HEAD left, the trees are looked at. */
const MAX_LEFT = 10;

/** The commit that is joined, where it is one, and those that HEAD left since its parent was made: a reset to where it is leaves none. */
function commitsAround(asked: Asked): string[] {
  const { one, world, parent } = asked;
  const until = { from: baseTime(parent), to: timeOf(asked), commit: one.id };
  const left = headMoves(world, one.worktree, until).flatMap(({ from, to }) => (from === to ? [] : from));
  return [...new Set(left)].slice(-MAX_LEFT).concat(isDirty(asked) ? [] : [one.id]);
}

/** What is joined is what stands in the work tree. */
export function isDirty({ diff, one }: Pick<Joining, 'diff' | 'one'>): boolean {
  return diff.files.some(({ newBlob }) => newBlob === one.id);
}
