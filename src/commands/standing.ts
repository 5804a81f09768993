import os from 'node:os';
import { Fault } from '../fault.ts';
import { withGraph } from '../git/graph.ts';
import { withObjects } from '../git/objects.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import { advised } from '../git/said.ts';
import { countTextLines, readSpans } from '../git/spans.ts';
import { listTree } from '../git/trees.ts';
import type { WrittenLines } from '../report/lines.ts';
import type { Excluded, Survey } from '../report/run.ts';
import type { World } from './command.ts';
import { countWritten, writtenIn } from './counted.ts';
import { pendingOnDemand } from './pending-view.ts';
import type { Excluder, RangeQuestion } from './survey.ts';

export interface StandingQuestion extends Pick<RangeQuestion, 'excluder' | 'onProgress'> {
  /** As the person named it. */
  readonly revision: string;
}

/** Every line that stands at a revision, and where it comes from: git blame of each file, as many at once as there are cores. */
export async function surveyStanding(world: World, question: StandingQuestion): Promise<Survey> {
  const repository = atTop(await findRepository(world.cwd));
  const { place } = repository;
  const revision = await commitOf(place, question.revision);
  const { files, excluded } = await divideFiles(repository, revision, question.excluder);
  const work = { revision, files, onProgress: question.onProgress };
  const written =
    files.length < MANY
      ? await readWritten(() => place, work)
      : await withGraph(place, revision, (at) => readWritten(at, work));
  const pending = await pendingOnDemand(repository, world);
  const counted = await withObjects(place, (reader) => countWritten(repository, pending, { written, reader }));
  pending.wake();
  return { scope: { kind: 'standing', revision, files: files.length }, excluded, ...counted };
}

/** From so many files on it is worth telling git beforehand what each commit changed. */
const MANY = 100;

/** Names of files count from there. */
export function atTop(found: Repository): Repository {
  return found.worktree ? { ...found, place: { ...found.place, cwd: found.worktree } } : found;
}

export async function commitOf(place: GitPlace, name: string): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const id = (await askGit(place, args)).out.toString('latin1').trim();
  // mostly nobody named HEAD, and who did was not wrong
  if (id === '') throw new Fault(name === 'HEAD' ? 'surroundings' : 'usage', advised(`${name} names no commit`));
  return id;
}

interface Divided {
  readonly files: readonly string[];
  readonly excluded: readonly Excluded[];
}

/** Text files that count, and files that do not. */
export async function divideFiles(
  repository: Repository,
  revision: string,
  excluder: RangeQuestion['excluder'],
): Promise<Divided> {
  const { place } = repository;
  const [all, text] = await Promise.all([listTree(place, revision), countTextLines(place, revision)]);
  const paths = all.filter(({ blob }) => !isEmpty(blob)).map(({ path }) => path);
  const why: Excluder = await excluder(repository, Promise.resolve(paths));
  const excluded: Excluded[] = [];
  const files = paths.filter((path) => {
    const lines = text.get(path);
    const reason = lines === undefined ? 'binary' : why(path);
    if (reason) excluded.push({ path, why: reason, lines: lines ?? 0 });
    return reason === undefined;
  });
  return { files, excluded };
}

/** Git's names for the empty blob. */
const EMPTY = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]);

function isEmpty(blob: string): boolean {
  return EMPTY.has(blob);
}

interface Work {
  readonly revision: string;
  readonly files: readonly string[];
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
  /** Told of each file as soon as its lines are known. */
  readonly onFile?: (path: string, written: readonly WrittenLines[]) => void;
  /** No further file is begun. */
  readonly signal?: AbortSignal;
}

/** Which commits wrote the lines of the files; `at`: where to ask of the next one. */
export async function readWritten(at: () => GitPlace, work: Work): Promise<WrittenLines[]> {
  const { revision, files, onProgress, onFile, signal } = work;
  const written: WrittenLines[][] = files.map(() => []);
  let [next, done] = [0, 0];
  const worker = async () => {
    for (let nth = next++; nth < files.length && !signal?.aborted; nth = next++) {
      const path = files[nth] ?? '';
      const own = (await readSpans(at(), revision, path)).map((span) => writtenIn(path, span));
      written[nth] = own;
      onFile?.(path, own);
      onProgress?.(++done, files.length);
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  return written.flat();
}
