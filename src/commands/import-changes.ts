import { readCommits } from '../git/commits.ts';
import { askGit, type GitPlace } from '../git/run.ts';

/** Read in one go; the newest come first. */
const AT_ONCE = 2000;
const MAX_COMMITS = 200_000;

/** The commits of these changes of jj, by what a record calls them: the id, or its beginning. All commits are looked at. */
export async function readChanges(place: GitPlace, names: ReadonlySet<string>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>([...names].map((name) => [name, []]));
  if (names.size === 0) return found;
  const args = ['rev-list', '--exclude=refs/notes/*', '--exclude=refs/stash', '--all', `--max-count=${MAX_COMMITS}`];
  const ids = (await askGit(place, args)).out.toString('latin1').split('\n').filter(Boolean);
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    for (const { id, changeId } of (await readCommits(place, ids.slice(at, at + AT_ONCE))).values()) {
      if (changeId === undefined) continue;
      for (const [name, commits] of found) if (changeId.startsWith(name)) commits.push(id);
    }
  }
  return found;
}
