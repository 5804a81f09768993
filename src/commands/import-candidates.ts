import type { CommitFile } from '../foreign/claim.ts';
import { type Commit, readCommits } from '../git/commits.ts';
import { readDiffs } from '../git/diff.ts';
import { readObjects } from '../git/objects.ts';
import { isRegular } from '../git/raw.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import { splitBytes } from '../lines/text.ts';

/** A commit with the files that it changes. */
export interface OpenedCommit {
  readonly commit: Commit;
  findFile(path: string): CommitFile | undefined;
}

/** Larger files are not looked at: nobody counts their lines. */
const MAX_BLOB = 32 * 1024 * 1024;

/** Commits with those of their changed files that are spoken of. What is not here is not in the answer. */
export async function openCommits(
  place: GitPlace,
  ids: readonly string[],
  paths: ReadonlySet<string>,
): Promise<Map<string, OpenedCommit>> {
  const [commits, diffs] = await Promise.all([readCommits(place, ids), readDiffs(place, ids)]);
  const wanted = (id: string) =>
    (diffs.get(id)?.files ?? []).filter(
      ({ path, newMode, binary }) => paths.has(path) && isRegular(newMode) && !binary,
    );
  const blobs = [...commits.keys()].flatMap((id) => wanted(id).flatMap(({ newBlob }) => newBlob ?? []));
  const objects = await readObjects(place, blobs, { maxBytes: MAX_BLOB });
  const opened = new Map<string, OpenedCommit>();
  for (const [id, commit] of commits) {
    const files = new Map<string, CommitFile>();
    for (const { path, newBlob, added } of wanted(id)) {
      const bytes = newBlob === null ? undefined : objects.get(newBlob)?.bytes;
      if (!newBlob || !bytes) continue;
      const ranges = added.map(({ start, lines }) => ({ start, end: start + lines.length - 1 }));
      files.set(path, { blob: newBlob, lines: splitBytes(bytes), added: ranges });
    }
    opened.set(id, { commit, findFile: (path) => files.get(path) });
  }
  return opened;
}

/** A commit of more children is a place that everything branches off. */
const MAX_CHILDREN = 200;

/** The children of these commits, over all branches and tags, with one process. */
export async function readChildren(place: GitPlace, ids: ReadonlySet<string>): Promise<Map<string, string[]>> {
  const children = new Map<string, string[]>([...ids].map((id) => [id, []]));
  if (ids.size === 0) return children;
  const args = ['rev-list', '--exclude=refs/notes/*', '--exclude=refs/stash', '--all', 'HEAD', '--parents'];
  const { out } = await askGit(place, args);
  for (const line of out.toString('latin1').split('\n')) {
    const [child = '', ...parents] = line.split(' ');
    for (const parent of parents) {
      const known = children.get(parent);
      if (known && known.length < MAX_CHILDREN) known.push(child);
    }
  }
  return children;
}
