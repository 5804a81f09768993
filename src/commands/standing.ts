import os from 'node:os';
import { Fault } from '../fault.ts';
import { type ObjectReader, withObjects } from '../git/objects.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import { advised } from '../git/said.ts';
import { listTextFiles, readSpans, type Span } from '../git/spans.ts';
import { listTree } from '../git/trees.ts';
import type { WrittenLines } from '../report/lines.ts';
import type { Excluded, ReportedCommit, Run, Survey } from '../report/run.ts';
import type { World } from './command.ts';
import { countRuns, readRecords, tellLines } from './counted.ts';
import { type PendingView, pendingOnDemand } from './pending-view.ts';
import { type Excluder, type RangeQuestion, reported } from './survey.ts';

export interface StandingQuestion extends Pick<RangeQuestion, 'excluder' | 'onProgress'> {
  /** As the person named it. */
  readonly revision: string;
}

/** Every line that stands at a revision, and where it comes from: git blame of each file, as many at once as there are cores. */
export async function surveyStanding(world: World, question: StandingQuestion): Promise<Survey> {
  const found = await findRepository(world.cwd);
  const repository = found.worktree ? { ...found, place: { ...found.place, cwd: found.worktree } } : found;
  const { place } = repository;
  const revision = await commitOf(place, question.revision);
  const { files, excluded } = await divideFiles(repository, revision, question.excluder);
  const written = await readWritten(place, { revision, files, onProgress: question.onProgress });
  const pending = await pendingOnDemand(repository, world);
  const counted = await withObjects(place, (reader) => countWritten(repository, pending, { written, reader }));
  pending.wake();
  return { scope: { kind: 'standing', revision, files: files.length }, excluded, ...counted };
}

/** So many commits are looked at in one go: what notes say of them is kept in memory until their lines are counted. */
const AT_ONCE = 250;

async function countWritten(
  repository: Repository,
  pending: PendingView,
  { written, reader }: { readonly written: readonly WrittenLines[]; readonly reader: ObjectReader },
): Promise<Pick<Survey, 'runs' | 'commits' | 'skipped'>> {
  const [runs, commits] = [[] as Run[], new Map<string, ReportedCommit>()];
  let skipped = 0;
  const byCommit = [...groupByCommit(written)];
  for (let at = 0; at < byCommit.length; at += AT_ONCE) {
    const some = byCommit.slice(at, at + AT_ONCE);
    const known = await readRecords(repository, pending, { ids: some.map(([id]) => id), reader });
    const told = some.flatMap(([, lines]) => tellLines(lines, known));
    const counted = await countRuns(repository, { told, known, pending });
    for (const run of counted.runs) runs.push(run);
    for (const [id, one] of known.commits) commits.set(id, reported(one, counted.recorded(id)));
    skipped += known.skipped;
  }
  return { runs: runs.sort(byPlace), commits, skipped };
}

function groupByCommit(written: readonly WrittenLines[]): Map<string, WrittenLines[]> {
  const groups = new Map<string, WrittenLines[]>();
  for (const lines of written) {
    const known = groups.get(lines.commit);
    if (known) known.push(lines);
    else groups.set(lines.commit, [lines]);
  }
  return groups;
}

function byPlace(a: Pick<Run, 'path' | 'start'>, b: Pick<Run, 'path' | 'start'>): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.start - b.start;
}

export async function commitOf(place: GitPlace, name: string): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const id = (await askGit(place, args)).out.toString('latin1').trim();
  if (id === '') throw new Fault('usage', advised(`${name} names no commit`));
  return id;
}

interface Divided {
  readonly files: readonly string[];
  readonly excluded: readonly Excluded[];
}

/** Text files that count, and files that do not. */
async function divideFiles(
  repository: Repository,
  revision: string,
  excluder: RangeQuestion['excluder'],
): Promise<Divided> {
  const { place } = repository;
  const [all, text] = await Promise.all([listTree(place, revision), listTextFiles(place, revision)]);
  const paths = all.filter(({ blob }) => !isEmpty(blob)).map(({ path }) => path);
  const why: Excluder = await excluder(repository, Promise.resolve(paths));
  const excluded: Excluded[] = [];
  const files = paths.filter((path) => {
    const reason = text.has(path) ? why(path) : 'binary';
    if (reason) excluded.push({ path, why: reason, lines: 0 });
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
}

/** Which commits wrote the lines of the files. */
async function readWritten(place: GitPlace, { revision, files, onProgress }: Work): Promise<WrittenLines[]> {
  const written: WrittenLines[][] = files.map(() => []);
  let [next, done] = [0, 0];
  const worker = async () => {
    for (let at = next++; at < files.length; at = next++) {
      const path = files[at] ?? '';
      written[at] = (await readSpans(place, revision, path)).map((span) => writtenIn(path, span));
      onProgress?.(++done, files.length);
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  return written.flat();
}

export function writtenIn(path: string, { commit, file, originalStart, start, count }: Span): WrittenLines {
  return { commit, file, start: originalStart, end: originalStart + count - 1, at: { path, start } };
}
