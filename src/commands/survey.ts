import fs from 'node:fs';
import path from 'node:path';
import { type Commit, readCommits } from '../git/commits.ts';
import { type CommitDiff, readDiffs } from '../git/diff.ts';
import { isRegular } from '../git/raw.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import type { WrittenLines } from '../report/lines.ts';
import type { Excluded, ExcludedWhy, ReportedCommit, Run, Scope, Survey } from '../report/run.ts';
import type { World } from './command.ts';
import { countLines, type KnownRecords, readRecords } from './counted.ts';
import { type PendingView, pendingOnDemand } from './pending-view.ts';

/** Why a file is not counted; undefined: it is. */
export type Excluder = (path: string) => ExcludedWhy | undefined;

export interface RangeQuestion {
  /** As the person named it. */
  readonly range: string;
  readonly commits: readonly string[];
  /** Commits of notes that no ref names yet. */
  readonly notes?: readonly string[];
  /** Made once the files are known, with one look at git's attributes. */
  excluder(repository: Repository, paths: readonly string[]): Promise<Excluder>;
  onProgress?(done: number, of: number): void;
}

/** At the edge of a shallow clone a commit seems to add everything: whoever counts should know. */
export async function tellShallow(world: World, { commonDir }: Repository): Promise<void> {
  if (!fs.existsSync(path.join(commonDir, 'shallow'))) return;
  await world.err.write(
    `${world.name}: this clone is shallow, and its oldest commits seem to add all there is: git fetch --unshallow\n`,
  );
}

/** So many commits are looked at in one go: what they add is kept in memory until it is counted. */
const AT_ONCE = 2000;

/** Every line that the commits of a range add, and where it comes from. */
export async function surveyRange(world: World, question: RangeQuestion): Promise<Survey> {
  const repository = await findRepository(world.cwd);
  const pending = await pendingOnDemand(repository, world);
  const [runs, commits] = [[] as Run[], new Map<string, ReportedCommit>()];
  const excluded = new Map<string, Excluded>();
  let skipped = 0;
  for (let at = 0; at < question.commits.length; at += AT_ONCE) {
    const some = question.commits.slice(at, at + AT_ONCE);
    question.onProgress?.(at, question.commits.length);
    const part = await surveyCommits({ ...question, repository, pending, commits: some });
    for (const run of part.runs) runs.push(run);
    for (const [id, commit] of part.commits) commits.set(id, commit);
    for (const one of part.excluded) {
      const { lines = 0 } = excluded.get(one.path) ?? {};
      excluded.set(one.path, { ...one, lines: lines + one.lines });
    }
    skipped += part.skipped;
  }
  question.onProgress?.(question.commits.length, question.commits.length);
  pending.wake();
  const scope: Scope = { kind: 'added', range: question.range, commits: question.commits.length };
  return { scope, runs, commits, excluded: [...excluded.values()], skipped };
}

interface Part extends Pick<RangeQuestion, 'commits' | 'notes' | 'excluder'> {
  readonly repository: Repository;
  readonly pending: PendingView;
}

async function surveyCommits({
  repository,
  pending,
  commits: ids,
  notes,
  excluder,
}: Part): Promise<Omit<Survey, 'scope'>> {
  const wanted = { ids, ...(notes && { notes }) };
  // notes are read and understood while git works out what the commits add
  const [diffs, { commits, known }] = await Promise.all([
    readInTwo(repository, ids),
    readKnown(repository, pending, wanted),
  ]);
  const all = [...diffs.values()];
  const why = await excluder(repository, [...new Set(all.flatMap(({ files }) => files.map(({ path }) => path)))]);
  const written = all.flatMap((diff) => writtenLines(diff, why));
  const counted = await countLines(repository, { written, known, pending });
  return {
    runs: counted.runs,
    commits: new Map([...commits].map(([id, one]) => [id, reported(one, counted.recorded(id))])),
    excluded: all.flatMap((diff) => excludedFiles(diff, why)),
    // a commit whose contents are not here is one that nobody can count
    skipped: known.skipped + ids.length - diffs.size,
  };
}

async function readKnown(
  repository: Repository,
  pending: PendingView,
  { ids, notes }: { readonly ids: readonly string[]; readonly notes?: readonly string[] },
): Promise<{ readonly commits: ReadonlyMap<string, Commit>; readonly known: KnownRecords }> {
  const commits = await readCommits(repository.place, ids);
  const known = await readRecords(repository, pending, { commits, ...(notes && { notes }) });
  for (const id of ids) known.has(id);
  return { commits, known };
}

/** With two processes at once: the differences are what takes the time. */
async function readInTwo({ place }: Repository, ids: readonly string[]): Promise<Map<string, CommitDiff>> {
  const half = Math.ceil(ids.length / 2);
  const parts = ids.length < 50 ? [ids] : [ids.slice(0, half), ids.slice(half)];
  const read = await Promise.all(parts.map((some) => readDiffs(place, some)));
  return new Map(read.flatMap((one) => [...one]));
}

function writtenLines({ id, files }: CommitDiff, why: Excluder): WrittenLines[] {
  return files
    .filter(({ path, binary, newMode }) => !binary && isRegular(newMode) && why(path) === undefined)
    .flatMap(({ path, added }) =>
      added.map(({ start, lines }) => ({ commit: id, file: path, start, end: start + lines.length - 1 })),
    );
}

function excludedFiles({ files }: CommitDiff, why: Excluder): Excluded[] {
  return files.flatMap(({ path, binary, added }) => {
    const reason = binary ? 'binary' : why(path);
    const lines = added.reduce((sum, block) => sum + block.lines.length, 0);
    return reason ? [{ path, why: reason, lines }] : [];
  });
}

export function reported({ id, author, message }: Commit, recorded: boolean): ReportedCommit {
  const { name, mail, time } = author;
  return { id, author: name, mail, time, subject: message.split('\n', 1)[0] ?? '', recorded };
}
