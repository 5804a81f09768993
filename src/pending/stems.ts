import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import { diffLines } from '../lines/diff.ts';
import type { Origin } from '../lines/origin.ts';
import { type Lines, splitBytes } from '../lines/text.ts';
import { anchorWorld } from './anchor-world.ts';
import { anchorCommits } from './anchors.ts';
import type { WorkingCopy } from './evolution.ts';
import type { Surroundings } from './world.ts';

/**
 * A recorded commit that became jj's `@` stands in the work tree again, uncommitted: its lines keep the origins they had. They are found
 * in `@` as last looked at, and from there in the text that stands there now.
 */
export async function stemOrigins(
  { repository }: Surroundings,
  { commit, stems }: WorkingCopy,
  { path, text }: { readonly path: string; readonly text: Lines },
): Promise<Map<number, Origin>> {
  const origins = new Map<number, Origin>();
  if (stems.length === 0) return origins;
  const rewrites = stems.map((old) => ({ old, new: commit }));
  const anchors = await anchorCommits(await anchorWorld(repository, rewrites, new Map()), [commit]);
  const known = anchors.get(commit)?.get(path);
  const blob = (await readHeadFiles(repository.place, commit, [path])).get(path)?.blob;
  const bytes = blob && (await readObjects(repository.place, [blob])).get(blob)?.bytes;
  if (!known || !bytes) return origins;
  for (const [i, old] of diffLines(splitBytes(bytes), text).entries()) {
    const anchored = old < 0 ? undefined : known.get(old + 1);
    if (anchored) origins.set(i + 1, anchored.origin);
  }
  return origins;
}
