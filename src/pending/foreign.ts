import { listOutside } from '../git/history.ts';
import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import { isUnseen, unknown } from '../lines/origin.ts';
import { isBinary, splitBytes } from '../lines/text.ts';
import type { OriginFile, OriginRun } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import type { Making } from './due.ts';
import { readHeadLog } from './head-moves.ts';
import { joinOne } from './join-one.ts';
import type { Joining } from './joining.ts';
import { MAX_BYTES } from './search.ts';

/** Why a line is unknown that was not written here. */
export const FOREIGN = 'it came with a commit that was made elsewhere';

/** So much of the reflog is looked at, and so many commits that were not made here. */
const MAX_ENTRIES = 50;
const MAX_COMMITS = 10;
const MADE = /^(commit|cherry-pick|revert|am\b|.*\((pick|squash|fixup|reword|edit|continue)\))/;

export interface Stems {
  readonly makings: ReadonlyMap<string, Making>;
  /** What the commit was made of, as far as git told. */
  readonly forebears: readonly string[];
  /** Nothing is recorded of any of them: so nobody has typed them here. */
  readonly blank?: boolean;
}

/**
 * The join of a commit. A colleague's commit that is reworded, taken apart or put into another here was typed by nobody here: of what it
 * added, only its own records tell, and they may be still to come.
 */
export async function joinHere(joining: Omit<Joining, 'beginning'>, stems: Stems): Promise<OriginFile[]> {
  const joined = await joinOne(joining);
  // jj itself tells what was typed
  if (joining.one.typed !== undefined) return joined;
  const open = joined.filter(({ runs }) => runs.some(({ origin }) => isUnseen(origin)));
  if (open.length === 0) return joined;
  const commits = await foreignCommits(joining, stems);
  if (commits.length === 0) return joined;
  const added = await addedBy(joining, commits, new Set(open.map(({ path }) => path)));
  return joined.map((file) => {
    const lines = added.get(file.path);
    if (!lines) return file;
    const isForeign = (run: OriginRun, line: number) =>
      isUnseen(run.origin) && !file.told?.has(line) && lines.has(run.lines[line - run.start] ?? '');
    const answer = (run: OriginRun) => (line: number) => (isForeign(run, line) ? unknown(FOREIGN) : run.origin);
    return { ...file, runs: file.runs.flatMap((run) => cutRuns(run, answer(run))) };
  });
}

/** What nobody here can tell is left to whoever reads: the records of where it came from may be there by then. */
export function withoutForeign(files: readonly OriginFile[]): OriginFile[] {
  return files.map((file) => ({ ...file, runs: file.runs.filter(({ origin }) => origin.reason !== FOREIGN) }));
}

/** Commits that the work tree stood at, or that this one was made of, that were not made here and are not in its history. */
async function foreignCommits({ world, one, diff }: Omit<Joining, 'beginning'>, stems: Stems): Promise<string[]> {
  const { makings, forebears, blank } = stems;
  const log = readHeadLog(world, one.worktree);
  const made = log.findIndex((entry) => entry.new === one.id);
  const visited = log.slice(0, made < 0 ? log.length : made + 1).slice(-MAX_ENTRIES);
  const ids = new Set([...visited.flatMap((entry) => [entry.old, entry.new]), ...forebears]);
  const isForeign = (id: string) => (blank && forebears.includes(id)) || !MADE.test(makings.get(id)?.action ?? '');
  const foreign = [...ids].filter((id) => id !== one.id && !/^0+$/.test(id) && isForeign(id));
  if (foreign.length === 0) return [];
  const outside = await listOutside(world.repository.place, foreign, diff.parents);
  return foreign.filter((id) => outside.has(id)).slice(-MAX_COMMITS);
}

/** Lines of each path that one of the commits has, and the parent has not. */
async function addedBy(
  { world, diff }: Omit<Joining, 'beginning'>,
  commits: readonly string[],
  paths: ReadonlySet<string>,
): Promise<Map<string, ReadonlySet<string>>> {
  const { place } = world.repository;
  const files = diff.files.filter(({ path }) => paths.has(path));
  const names = files.map(({ path }) => path);
  const heads = await Promise.all(commits.map((id) => readHeadFiles(place, id, names)));
  const blobsOf = (path: string) => heads.flatMap((head) => head.get(path)?.blob ?? []);
  const all = files.flatMap(({ path, oldBlob }) => [...blobsOf(path), ...(oldBlob ? [oldBlob] : [])]);
  const objects = await readObjects(place, [...new Set(all)], { maxBytes: MAX_BYTES });
  const linesOf = (id: string | null) => {
    const bytes = id === null ? undefined : objects.get(id)?.bytes;
    return bytes && !isBinary(bytes) ? splitBytes(bytes) : [];
  };
  return new Map(
    files.map(({ path, oldBlob }) => {
      const had = new Set(linesOf(oldBlob));
      return [path, new Set(blobsOf(path).flatMap((id) => linesOf(id).filter((line) => !had.has(line))))];
    }),
  );
}
