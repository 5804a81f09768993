import fs from 'node:fs';
import path from 'node:path';
import type { LineBook } from '../blame/annotate.ts';
import { readPlaces } from '../git/diff.ts';
import { type ObjectReader, withObjects } from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import type { GitPlace } from '../git/run.ts';
import { type CountedFile, type KeptCommit, writtenLines } from '../kept/entry.ts';
import { countLines } from '../lines/range.ts';
import { type NoteRefs, readNoteRefs } from '../notes/refs.ts';
import { runsOf, type ToldLines } from '../report/lines.ts';
import type { Excluded, ExcludedWhy, ReportedCommit, Run, Scope, Survey } from '../report/run.ts';
import type { World } from './command.ts';
import { countRuns, type KnownRecords, readRecords, reported } from './counted.ts';
import { countMovedIn, placesBefore } from './moved-in.ts';
import { type PendingView, pendingOnDemand } from './pending-view.ts';
import { quietly } from './quietly.ts';
import type { Remembered } from './remembered.ts';

/** Why a file is not counted; undefined: it is. */
export type Excluder = (path: string) => ExcludedWhy | undefined;

export interface RangeQuestion {
  /** As the person named it. */
  readonly range: string;
  readonly commits: readonly string[];
  /** Commits of notes that no ref names yet. */
  readonly notes?: readonly string[];
  /** Nothing is believed that was worked out before. */
  readonly afresh?: boolean;
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
/** From so many on it is worth looking up what was told of them before. */
export const MANY = 50;

/** Every line that the commits of a range add, and where it comes from. */
export async function surveyRange(world: World, repository: Repository, question: RangeQuestion): Promise<Survey> {
  const refs = quietly(readNoteRefs(repository.place));
  const [pending, remembered] = await Promise.all([
    pendingOnDemand(repository, world),
    remember(world, repository, { ...question, refs }),
  ]);
  const [runs, commits] = [[] as Run[], new Map<string, ReportedCommit>()];
  const excluded = new Map<string, Excluded>();
  const lacking: string[] = [];
  const unread = new Set<string>();
  const [partly, spoilt] = [[] as string[], [] as string[]];
  let skipped = 0;
  for (let at = 0; at < question.commits.length; at += AT_ONCE) {
    const some = question.commits.slice(at, at + AT_ONCE);
    question.onProgress?.(at, question.commits.length);
    const part = await surveyCommits({ ...question, repository, pending, refs, remembered, commits: some });
    for (const run of part.runs) runs.push(run);
    for (const [id, commit] of part.commits) commits.set(id, commit);
    for (const one of part.excluded) {
      const { lines = 0 } = excluded.get(one.path) ?? {};
      excluded.set(one.path, { ...one, lines: lines + one.lines });
    }
    skipped += part.skipped;
    partly.push(...(part.partly ?? []));
    spoilt.push(...(part.spoilt ?? []));
    lacking.push(...(part.lacking ?? []));
    for (const ref of part.unread ?? []) unread.add(ref);
  }
  question.onProgress?.(question.commits.length, question.commits.length);
  pending.wake();
  const scope: Scope = { kind: 'added', range: question.range, commits: question.commits.length };
  const missed = { skipped, partly, spoilt, lacking, unread: [...unread] };
  return { scope, runs, commits, excluded: [...excluded.values()], ...missed };
}

interface Asked extends Pick<RangeQuestion, 'commits' | 'notes' | 'afresh'> {
  readonly refs: Promise<NoteRefs>;
}

/** A server's gate believes nothing but what it works out, and what only a push brings is not here to stay. */
async function remember(
  world: World,
  repository: Repository,
  { commits, notes = [], afresh, refs }: Asked,
): Promise<Remembered | undefined> {
  if (afresh || notes.length > 0 || commits.length < MANY) return undefined;
  const { openRemembered } = await import('./remembered.ts');
  return openRemembered(world, repository, { commits, refs });
}

/** Only for the memory: who surveys these commits afterwards finds it there. */
export async function keepTold(world: World, repository: Repository, commits: readonly string[]): Promise<void> {
  const refs = quietly(readNoteRefs(repository.place));
  const remembered = await remember(world, repository, { commits, refs });
  if (!remembered) return;
  const pending = await pendingOnDemand(repository, world);
  const kept = remembered.find(commits);
  const excluder = async () => () => undefined;
  const { known, told } = await readPart({ repository, pending, refs, remembered, commits, excluder }, kept);
  remembered.keep({ told, known, kept });
}

interface Part extends Pick<RangeQuestion, 'commits' | 'notes' | 'excluder'> {
  readonly repository: Repository;
  readonly pending: PendingView;
  readonly refs: Promise<NoteRefs>;
  readonly remembered: Remembered | undefined;
}

async function surveyCommits(part: Part): Promise<Omit<Survey, 'scope'>> {
  const { repository, pending, commits: ids, remembered } = part;
  const kept: ReadonlyMap<string, KeptCommit> = remembered?.find(ids) ?? new Map();
  const { why, known, told } = await readPart(part, kept);
  remembered?.keep({ told, known, kept });
  const counted = await countRuns(repository, {
    told: told.flatMap(({ lines }) => lines.filter(({ lines: { file } }) => why(file) === undefined)),
    known,
    pending,
  });
  const commits = new Map<string, ReportedCommit>();
  for (const id of ids) {
    const [again, commit] = [known.recalled.get(id), known.commits.get(id)];
    if (again) commits.set(id, again.commit);
    else if (commit) commits.set(id, reported(commit, counted.recorded(id)));
  }
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
    partly: [...known.partly, ...(moved.partly ?? [])],
    spoilt: [...known.spoilt, ...(moved.spoilt ?? [])],
    lacking,
    unread: [...known.unread, ...(moved.unread ?? [])],
  };
}

/** All that git is asked for, at once: objects of whatever kind by one process. */
function readPart(
  { repository, pending, commits: ids, notes, excluder, refs }: Part,
  kept: ReadonlyMap<string, KeptCommit>,
) {
  return withObjects(repository.place, async (reader) => {
    const reading = readRecords(repository, pending, { ids, notes, reader, refs, kept });
    const telling = tellAll(repository, { ids, kept, reading });
    const parts = [excluder(repository, telling.then(pathsOf), reader), reading, telling] as const;
    // when one of them fails, the others have tidied up before that is said
    await Promise.allSettled(parts);
    const [why, known, told] = await Promise.all(parts);
    return { why, known, told };
  });
}

/** What a commit changed, and what its own records say of the lines it added. */
export interface ToldCommit {
  readonly diff: { readonly id: string; readonly files: readonly CountedFile[] };
  readonly lines: readonly ToldLines[];
}

interface Telling {
  readonly ids: readonly string[];
  readonly kept: ReadonlyMap<string, KeptCommit>;
  readonly reading: Promise<KnownRecords>;
}

/** Git is asked only for what is not kept. What a commit adds is the same whatever its notes say. */
async function tellAll({ place }: Repository, { ids, kept, reading }: Telling): Promise<ToldCommit[]> {
  const strange = kept.size > 0 ? ids.filter((id) => !kept.has(id)) : ids;
  const fresh = await tellInTwo(place, strange, reading);
  if (kept.size === 0) return fresh;
  const { recalled, book } = await reading;
  const byId = new Map(fresh.map((one) => [one.diff.id, one]));
  return ids.flatMap((id) => {
    const diff = kept.get(id);
    const lines = recalled.get(id)?.lines;
    return diff ? (lines ? { diff, lines } : tellDiff(diff, book)) : (byId.get(id) ?? []);
  });
}

/** With two processes at once: the differences are what takes the time. */
async function tellInTwo(place: GitPlace, ids: readonly string[], known: Promise<KnownRecords>): Promise<ToldCommit[]> {
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
  for await (const diffs of readPlaces(place, ids))
    telling.push(known.then(({ book }) => diffs.map((diff) => tellDiff(diff, book))));
  return (await Promise.all(telling)).flat();
}

function tellDiff(diff: ToldCommit['diff'], book: LineBook): ToldCommit {
  const known = { book };
  return { diff, lines: writtenLines(diff.id, diff.files).map((lines) => ({ lines, runs: runsOf(lines, known) })) };
}

function pathsOf(told: readonly ToldCommit[]): string[] {
  const all = told.flatMap(({ diff }) => diff.files.flatMap((file) => [file.path, ...placesBefore(file)]));
  return [...new Set(all)];
}

function excludedFiles({ files }: ToldCommit['diff'], why: Excluder): Excluded[] {
  return files.flatMap(({ path, binary, added }) => {
    const reason = binary ? 'binary' : why(path);
    return reason ? [{ path, why: reason, lines: countLines(added) }] : [];
  });
}
