import { decodePath, encodePath, type RepoPath } from './paths.ts';
import { askGit, type GitPlace } from './run.ts';

/** Those of the paths that git ignores in the work tree, tracked or not. */
export async function ignoredPaths(place: GitPlace, paths: readonly RepoPath[]): Promise<Set<RepoPath>> {
  if (paths.length === 0) return new Set();
  const input = Buffer.concat(paths.flatMap((one) => [encodePath(one), Buffer.of(0)]));
  // 1: none of them; above: no work tree to ask
  const { out } = await askGit(place, ['check-ignore', '--no-index', '-z', '--stdin'], input);
  const found = new Set<RepoPath>();
  for (let at = 0, end = out.indexOf(0); end >= 0; at = end + 1, end = out.indexOf(0, at)) {
    found.add(decodePath(out.subarray(at, end)));
  }
  return found;
}
