import { parentsOfChange } from '../git/history.ts';
import { readHeadFiles } from '../git/trees.ts';
import { type Origin, unknown } from '../lines/origin.ts';
import { isDistinct } from '../lines/text.ts';
import type { OriginFile } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import type { Joining } from './joining.ts';
import { parentOrigins } from './parents.ts';

/**
 * A file that is, byte for byte, what it was in an ancestor: nobody typed it, git has brought it back (`checkout REV -- file`, `revert -n`, a
 * `reset` of a path), or somebody has undone what came since. Its lines are whose they were there, as the records tell; but for those that an
 * agent was seen to write. What many write does not prove it.
 */
export async function withRestored(
  asked: Omit<Joining, 'beginning'>,
  files: readonly OriginFile[],
  isRestored: (path: string) => boolean,
): Promise<OriginFile[]> {
  return Promise.all(files.map((file) => (isRestored(file.path) ? asBefore(asked, file) : file)));
}

async function asBefore(asked: Omit<Joining, 'beginning'>, file: OriginFile): Promise<OriginFile> {
  const open = file.runs.filter(({ origin }) => !wasSeen(origin));
  const commit = open.some(({ lines }) => lines.some(isDistinct)) ? await ancestorWith(asked, file) : undefined;
  if (!commit) return file;
  const wanted = new Set(open.flatMap(({ start, lines }) => lines.map((_, i) => start + i)));
  const before = await parentOrigins(
    { ...asked, diff: { ...asked.diff, parents: [commit] } },
    new Map([[file.path, wanted]]),
  );
  const runs = file.runs.flatMap((run) =>
    wasSeen(run.origin)
      ? [run]
      : cutRuns(run, (line) => before(file.path, line) ?? unknown('brought back from where it has no record')),
  );
  return { ...file, runs };
}

function wasSeen({ evidence }: Origin): boolean {
  return evidence === 'observed' || evidence === 'replayed';
}

async function ancestorWith(
  { world, diff }: Pick<Joining, 'world' | 'diff'>,
  { path, blob }: Pick<OriginFile, 'path' | 'blob'>,
): Promise<string | undefined> {
  const { place } = world.repository;
  const from = diff.parents[0];
  for (const commit of from ? await parentsOfChange(place, { from, path, blob }) : []) {
    if ((await readHeadFiles(place, commit, [path])).get(path)?.blob === blob) return commit;
  }
  return undefined;
}
