import { Fault } from '../fault.ts';
import { withObjects } from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import { readSpans } from '../git/spans.ts';
import type { CountedFile } from '../kept/entry.ts';
import type { WrittenLines } from '../report/lines.ts';
import type { Survey } from '../report/run.ts';
import { countWritten, writtenIn } from './counted.ts';
import type { PendingView } from './pending-view.ts';
import type { Excluder, ToldCommit } from './survey.ts';

interface Asking {
  readonly repository: Repository;
  readonly pending: PendingView;
  readonly notes?: readonly string[];
}

interface Changed {
  readonly diffs: readonly ToldCommit['diff'][];
  readonly why: Excluder;
}

/**
 * Lines that come into a file which counts from one that does not: renamed out of `dist`, or out of a lock file. No commit adds them, and nobody
 * has counted them where they were. They are told as blame tells them, by the commit that wrote them.
 */
export async function countMovedIn(
  { repository, pending, notes }: Asking,
  { diffs, why }: Changed,
): Promise<
  Pick<Survey, 'runs' | 'commits' | 'skipped' | 'partly' | 'spoilt' | 'unread'> & {
    readonly lacking: readonly string[];
  }
> {
  const written: WrittenLines[] = [];
  const lacking = new Set<string>();
  for (const { id, files } of diffs) {
    for (const file of files) {
      if (!movesIn(file, why)) continue;
      const lines = await linesMovedIn(repository, { id, file, why });
      if (lines) written.push(...lines);
      else lacking.add(id);
    }
  }
  if (written.length === 0) return { runs: [], commits: new Map(), skipped: 0, lacking: [...lacking] };
  const counted = await withObjects(repository.place, (reader) =>
    countWritten(repository, pending, { written, reader, notes }),
  );
  return { ...counted, lacking: [...lacking] };
}

/** Where a renamed file was, in whatever parent. */
export function placesBefore({ oldPath, otherPaths = [] }: CountedFile): string[] {
  return oldPath === undefined ? [...otherPaths] : [oldPath, ...otherPaths];
}

function movesIn(file: CountedFile, why: Excluder): boolean {
  if (file.binary || why(file.path) !== undefined) return false;
  return placesBefore(file).some((place) => why(place) !== undefined);
}

interface Moved {
  readonly id: string;
  readonly file: CountedFile;
  readonly why: Excluder;
}

/** Undefined where what the file was before is not here. */
async function linesMovedIn(
  { place, worktree }: Repository,
  { id, file: { path, added }, why }: Moved,
): Promise<WrittenLines[] | undefined> {
  const isAdded = (line: number) => added.some(({ start, end }) => line >= start && line <= end);
  // git blame takes paths as they are in the folder where it runs
  const spans = await readSpans(worktree ? { ...place, cwd: worktree } : place, id, path).catch(lacksContents);
  return spans
    ?.filter(({ file, start }) => !isAdded(start) && why(file) !== undefined)
    .map((span) => writtenIn(path, span));
}

function lacksContents(error: unknown): undefined {
  if (!(error instanceof Fault) || error.data.lacking !== true) throw error;
}
