import fs from 'node:fs';
import path from 'node:path';
import type { LineBook } from '../blame/annotate.ts';
import { type CommitPlaces, readPlaces } from '../git/diff.ts';
import { type ObjectReader, withObjects } from '../git/objects.ts';
import { isRegular } from '../git/raw.ts';
import type { Repository } from '../git/repository.ts';
import type { GitPlace } from '../git/run.ts';
import { countLines } from '../lines/range.ts';
import { runsOf, type WrittenLines } from '../report/lines.ts';
import type { Excluded, ExcludedWhy, ReportedCommit, Run, Scope, Survey } from '../report/run.ts';
import type { World } from './command.ts';
import { countRuns, type KnownRecords, readRecords, reported, type ToldLines } from './counted.ts';
import { countMovedIn, placesBefore } from './moved-in.ts';
import { type PendingView, pendingOnDemand } from './pending-view.ts';

/** Why a file is not counted; undefined: it is. */
export type Excluder = (path: string) => ExcludedWhy | undefined;

export interface RangeQuestion {
  /** As the person named it. */
  readonly range: string;
  readonly commits: readonly string[];
  /** Commits of notes that no ref names yet. */
  readonly notes?: readonly string[];
  /** Made once the files are known, with one look at git's attributes, which is prepared before that. */
  excluder(repository: Repository, paths: Promise<readonly string[]>, reader?: ObjectReader): Promise<Excluder>;
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
export async function surveyRange(world: World, repository: Repository, question: RangeQuestion): Promise<Survey> {
  const pending = await pendingOnDemand(repository, world);
  const [runs, commits] = [[] as Run[], new Map<string, ReportedCommit>()];
  const excluded = new Map<string, Excluded>();
  const lacking: string[] = [];
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
    lacking.push(...(part.lacking ?? []));
  }
  question.onProgress?.(question.commits.length, question.commits.length);
  pending.wake();
  const scope: Scope = { kind: 'added', range: question.range, commits: question.commits.length };
  return { scope, runs, commits, excluded: [...excluded.values()], skipped, lacking };
}

interface Part extends Pick<RangeQuestion, 'commits' | 'notes' | 'excluder'> {
  readonly repository: Repository;
  readonly pending: PendingView;
}

async function surveyCommits(part: Part): Promise<Omit<Survey, 'scope'>> {
  const { repository, pending, commits: ids } = part;
  const { why, known, told } = await readPart(part);
  const counted = await countRuns(repository, {
    told: told.flatMap(({ lines }) => lines.filter(({ lines: { file } }) => why(file) === undefined)),
    known,
    pending,
  });
  const commits = new Map([...known.commits].map(([id, one]) => [id, reported(one, counted.recorded(id))]));
  const moved = await countMovedIn(part, { diffs: told.map(({ diff }) => diff), why });
  for (const [id, one] of moved.commits) if (!commits.get(id)?.recorded) commits.set(id, one);
  // a commit whose contents are not here is one that nobody can count
  const here = new Set(told.map(({ diff }) => diff.id));
  const lacking = [...ids.filter((id) => !here.has(id)), ...moved.lacking];
  return {
    runs: [...counted.runs, ...moved.runs],
    commits,
    excluded: told.flatMap(({ diff }) => excludedFiles(diff, why)),
    skipped: known.skipped + moved.skipped + lacking.length,
    lacking,
  };
}

/** All that git is asked for, at once: objects of whatever kind by one process. */
function readPart({ repository, pending, commits: ids, notes, excluder }: Part) {
  return withObjects(repository.place, async (reader) => {
    const reading = readRecords(repository, pending, { ids, notes, reader });
    const telling = tellInTwo(repository, ids, reading);
    const parts = [excluder(repository, telling.then(pathsOf), reader), reading, telling] as const;
    // when one of them fails, the others have tidied up before that is said
    await Promise.allSettled(parts);
    const [why, known, told] = await Promise.all(parts);
    return { why, known, told };
  });
}

/** What a commit changed, and what its own records say of the lines it added. */
interface ToldCommit {
  readonly diff: CommitPlaces;
  readonly lines: readonly ToldLines[];
}

/** With two processes at once: the differences are what takes the time. */
async function tellInTwo(
  { place }: Repository,
  ids: readonly string[],
  known: Promise<KnownRecords>,
): Promise<ToldCommit[]> {
  const half = Math.ceil(ids.length / 2);
  const parts = ids.length < 50 ? [ids] : [ids.slice(0, half), ids.slice(half)];
  return (await Promise.all(parts.map((some) => tellCommits(place, some, known)))).flat();
}

/** Commits are looked into while git works out what the next ones add. */
async function tellCommits(
  place: GitPlace,
  ids: readonly string[],
  known: Promise<KnownRecords>,
): Promise<ToldCommit[]> {
  const telling: Promise<ToldCommit[]>[] = [];
  for await (const diffs of readPlaces(place, ids)) telling.push(known.then(({ book }) => tellDiffs(diffs, book)));
  return (await Promise.all(telling)).flat();
}

function tellDiffs(diffs: readonly CommitPlaces[], book: LineBook): ToldCommit[] {
  const known = { book };
  return diffs.map((diff) => ({
    diff,
    lines: writtenLines(diff).map((lines) => ({ lines, runs: runsOf(lines, known) })),
  }));
}

function pathsOf(told: readonly ToldCommit[]): string[] {
  const all = told.flatMap(({ diff }) => diff.files.flatMap((file) => [file.path, ...placesBefore(file)]));
  return [...new Set(all)];
}

function writtenLines({ id, files }: CommitPlaces): WrittenLines[] {
  const written: WrittenLines[] = [];
  for (const { path, binary, newMode, added } of files) {
    if (binary || !isRegular(newMode)) continue;
    for (const { start, end } of added) written.push({ commit: id, file: path, start, end });
  }
  return written;
}

function excludedFiles({ files }: CommitPlaces, why: Excluder): Excluded[] {
  return files.flatMap(({ path, binary, added }) => {
    const reason = binary ? 'binary' : why(path);
    return reason ? [{ path, why: reason, lines: countLines(added) }] : [];
  });
}
