import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import { BY_GIT } from '../join/state.ts';
import { diffLines } from '../lines/diff.ts';
import { type Origin, unknown } from '../lines/origin.ts';
import { type Lines, splitBytes } from '../lines/text.ts';
import type { OriginFile } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import type { Joining } from './joining.ts';
import { MAX_BYTES } from './search.ts';

/** So many versions of a commit are looked at, the oldest. */
const MAX_VERSIONS = 20;

/**
 * What a version of the commit had that jj made before an agent's call began, that call has not written: it has brought it back, by a `jj edit`
 * that its own text does not tell of.
 */
export async function withoutBroughtBack<T extends OriginFile>(
  asked: Omit<Joining, 'beginning'>,
  files: readonly T[],
): Promise<T[]> {
  const { one, view } = asked;
  const open = files.filter(({ runs }) => runs.some(({ origin }) => origin.agent));
  if (!one.versions || open.length === 0) return [...files];
  const stood = await firstStood(asked, open);
  return files.map((file) => {
    const since = stood.get(file.path);
    if (!since) return file;
    const { edits } = view.history(file.path, one.worktree);
    const begun = new Map(edits.map(({ agent, at, shell }) => [agent.event, shell?.from ?? at]));
    const answer = (line: number, origin: Origin) =>
      (since.get(line) ?? Infinity) < (begun.get(origin.agent?.event ?? '') ?? 0) ? unknown(BY_GIT) : origin;
    return { ...file, runs: file.runs.flatMap((run) => cutRuns(run, (line) => answer(line, run.origin))) };
  });
}

/** By path and line: when a version of the commit had it first. */
async function firstStood(
  { world, one, texts }: Omit<Joining, 'beginning'>,
  files: readonly OriginFile[],
): Promise<Map<string, Map<number, number>>> {
  const { place } = world.repository;
  const paths = files.map(({ path }) => path);
  const stood = new Map(paths.map((path) => [path, new Map<number, number>()]));
  const early = [...(one.versions ?? [])].sort((a, b) => a.at - b.at).slice(0, MAX_VERSIONS);
  const heads = await Promise.all(early.map(({ commit }) => readHeadFiles(place, commit, paths)));
  const blobs = [
    ...heads.flatMap((head) => [...head.values()].flatMap((file) => file?.blob ?? [])),
    ...files.map(({ blob }) => blob),
  ];
  const objects = await readObjects(place, [...new Set(blobs.filter((id) => !texts?.has(id)))], {
    maxBytes: MAX_BYTES,
  });
  const linesOf = (id: string): Lines => texts?.get(id) ?? splitBytes(objects.get(id)?.bytes ?? Buffer.alloc(0));
  for (const [i, { at }] of early.entries()) {
    for (const { path, blob } of files) {
      const had = heads[i]?.get(path)?.blob;
      const [map, known] = [had ? diffLines(linesOf(had), linesOf(blob)) : [], stood.get(path)];
      for (const [k, old] of map.entries()) if (old >= 0 && !known?.has(k + 1)) known?.set(k + 1, at);
    }
  }
  return stood;
}
