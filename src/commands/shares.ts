import { setTimeout as pause } from 'node:timers/promises';
import { withObjects } from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import { listTree } from '../git/trees.ts';
import type { WrittenLines } from '../report/lines.ts';
import type { Run } from '../report/run.ts';
import { tally } from '../report/tally.ts';
import type { FileShare, SharesHearer } from '../tui/source.ts';
import type { World } from './command.ts';
import { countWritten } from './counted.ts';
import { type PendingView, pendingOnDemand } from './pending-view.ts';
import { atTop, commitOf, divideFiles, readWritten } from './standing.ts';
import { excluderOf, readPolicy } from './team-policy.ts';

export interface SharesQuestion {
  readonly world: World;
  readonly repository: Repository;
  readonly revision: string | null;
}

/** All files by name at once; whose their lines are, as it is counted. */
export async function readShares(question: SharesQuestion, hearer: SharesHearer): Promise<void> {
  const { world, revision } = question;
  const repository = atTop(question.repository);
  const commit = await commitOf(repository.place, revision ?? 'HEAD');
  const all = (await listTree(repository.place, commit)).map(({ path }) => path).sort();
  hearer.listed(all.map((path) => ({ path, counts: undefined, why: undefined })));
  const { policy } = await readPolicy(repository);
  const { files, excluded } = await divideFiles(repository, commit, excluderOf(policy, commit));
  const why = new Map(excluded.map((one) => [one.path, one.why]));
  const wanted = new Set(files);
  hearer.counted(all.filter((path) => !wanted.has(path)).map((path) => shareOf(path, [], why.get(path))));
  const pending = await pendingOnDemand(repository, world);
  await countInParts({ repository, pending, commit, files }, hearer);
  pending.wake();
}

function shareOf(path: string, runs: readonly Run[], why?: FileShare['why']): FileShare {
  return { path, counts: tally(runs), why };
}

interface Work {
  readonly repository: Repository;
  readonly pending: PendingView;
  readonly commit: string;
  readonly files: readonly string[];
}

/** Between two parts, in milliseconds. */
const REST = 1000;
/** Each part reads records anew: that takes a quarter of the time at most. */
const SHARE = 3;

/** While git blames one file after the other, those that it is done with are counted. */
async function countInParts({ repository, pending, commit, files }: Work, hearer: SharesHearer): Promise<void> {
  const ready = new Map<string, readonly WrittenLines[]>();
  let going = true;
  const reading = readWritten(() => repository.place, {
    revision: commit,
    files,
    signal: hearer.signal,
    onProgress: hearer.progress,
    onFile: (path, lines) => ready.set(path, lines),
  }).finally(() => {
    going = false;
  });
  // told where it is waited for
  reading.catch(() => {});
  for (let rest = REST; going && !hearer.signal.aborted; ) {
    await Promise.race([reading, pause(rest, undefined, { ref: false })]);
    const begun = performance.now();
    hearer.counted(await countPart(repository, pending, ready));
    rest = Math.max(REST, SHARE * (performance.now() - begun));
  }
  await reading;
  if (hearer.signal.aborted) return;
  hearer.counted(await countPart(repository, pending, ready));
}

/** What is ready, and then no longer waits. */
async function countPart(
  repository: Repository,
  pending: PendingView,
  ready: Map<string, readonly WrittenLines[]>,
): Promise<FileShare[]> {
  const runs = new Map([...ready.keys()].map((path) => [path, [] as Run[]]));
  const written = [...ready.values()].flat();
  ready.clear();
  if (runs.size === 0) return [];
  const counted = await withObjects(repository.place, (reader) =>
    countWritten(repository, pending, { written, reader }),
  );
  for (const run of counted.runs) runs.get(run.path)?.push(run);
  return [...runs].map(([path, own]) => shareOf(path, own));
}
