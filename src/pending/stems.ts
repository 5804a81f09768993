import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import { diffLines } from '../lines/diff.ts';
import type { Origin } from '../lines/origin.ts';
import { type Lines, splitBytes } from '../lines/text.ts';
import { originsOf } from '../trace/covers.ts';
import { anchorWorld } from './anchor-world.ts';
import { anchorCommits } from './anchors.ts';
import type { WorkingCopy } from './evolution.ts';
import type { AnchorWorld } from './search.ts';
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
  const world = await anchorWorld(
    repository,
    stems.map((old) => ({ old, new: commit })),
    new Map(),
  );
  const originAt = await (stems.includes(commit) ? recordedIn : anchoredIn)(world, commit, path);
  const blob = (await readHeadFiles(repository.place, commit, [path])).get(path)?.blob;
  const bytes = blob && (await readObjects(repository.place, [blob])).get(blob)?.bytes;
  if (!bytes) return origins;
  for (const [i, old] of diffLines(splitBytes(bytes), text).entries()) {
    const origin = old < 0 ? undefined : originAt(old + 1);
    if (origin) origins.set(i + 1, origin);
  }
  return origins;
}

type OriginAt = (line: number) => Origin | undefined;

/** `@` is the recorded commit itself: somebody went back to it, and nothing was changed since. */
async function recordedIn(world: AnchorWorld, commit: string, path: string): Promise<OriginAt> {
  const cover = originsOf((await world.records([commit])).get(commit) ?? [], path);
  return (line) => cover.at(line)?.origin;
}

async function anchoredIn(world: AnchorWorld, commit: string, path: string): Promise<OriginAt> {
  const known = (await anchorCommits(world, [commit])).get(commit)?.get(path);
  return (line) => known?.get(line)?.origin;
}
