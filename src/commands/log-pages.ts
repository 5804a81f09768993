import { readPatches } from '../git/diff.ts';
import { type LoggedCommit, type LogQuestion, readLog, readTouched } from '../git/log.ts';
import type { Repository } from '../git/repository.ts';
import type { CommitPatch, DiffLine } from '../git/unified.ts';
import { entriesOf, type LogEntry } from '../log/entry.ts';
import type { Run } from '../report/run.ts';
import { type Destination, writeAll } from '../terminal/output.ts';
import type { World } from './command.ts';
import { areMany, tellUnread } from './skipped-notes.ts';
import { type Excluder, type RangeQuestion, surveyRange } from './survey.ts';

/** An entry with what its commit changes; nothing where that was not asked for. */
export interface PatchedEntry {
  readonly entry: LogEntry;
  readonly patch: readonly DiffLine[];
  /** All lines that the commit adds, also those that do not count. */
  readonly runs: readonly Run[];
}

export type Printer = (entries: readonly PatchedEntry[], first: boolean) => Iterable<string>;

export interface Printing {
  readonly world: World;
  readonly repository: Repository;
  readonly question: LogQuestion;
  readonly patches: boolean;
  readonly excluder: (revision: string) => RangeQuestion['excluder'];
  readonly print: Printer;
  readonly to: Destination;
}

/** A screen at once, then more and more: the first commits are there while the last ones are still looked for. */
const PAGES = { first: 16, most: 1024 } as const;
/** Patches are kept in memory until they are printed. */
const MOST_PATCHES = 64;

export async function printPages(printing: Printing): Promise<void> {
  const { world, repository, question, patches, print, to } = printing;
  const unread = new Set<string>();
  let [skipped, first] = [0, true];
  const most = patches ? MOST_PATCHES : PAGES.most;
  for await (const page of pagesOf(readLog(repository.place, question), most)) {
    const read = await readPage(printing, page);
    skipped += read.skipped;
    for (const ref of read.unread) unread.add(ref);
    if (!(await writeAll(print(read.entries, first), to))) return;
    first = false;
  }
  await tellUnread(world, [...unread]);
  if (skipped > 0)
    await world.err.write(
      `${world.name}: ${areMany(skipped, 'note or commit', 'notes or commits')} too large, damaged or not in this clone.\n`,
    );
}

async function readPage({ world, repository, question, patches, excluder }: Printing, page: readonly LoggedCommit[]) {
  const { place } = repository;
  const commits = page.map(({ id }) => id);
  let why: Excluder = () => undefined;
  const learn: RangeQuestion['excluder'] = async (...args) => {
    why = await excluder(commits[0] ?? 'HEAD')(...args);
    // a patch is painted whether or not its lines count
    return patches ? () => undefined : why;
  };
  const [survey, touched, shown] = await Promise.all([
    surveyRange(world, repository, { range: '', commits, excluder: learn }),
    question.paths.length === 0 ? undefined : readTouched(place, commits, question.paths),
    patches ? readPatches(place, commits) : new Map<string, CommitPatch>(),
  ]);
  const asked = (commit: string, path: string) => touched?.get(commit)?.has(path) ?? touched === undefined;
  const runs = new Map<string, Run[]>(commits.map((id) => [id, []]));
  for (const run of patches ? survey.runs : []) runs.get(run.commit)?.push(run);
  const entries = entriesOf(page, survey, (commit, path) => why(path) === undefined && asked(commit, path));
  return {
    skipped: survey.skipped,
    unread: survey.unread ?? [],
    entries: entries.map((entry): PatchedEntry => {
      const { id } = entry.commit;
      const files = shown.get(id)?.files.filter(({ file }) => asked(id, file)) ?? [];
      return { entry, patch: files.flatMap(({ lines }) => lines), runs: runs.get(id) ?? [] };
    }),
  };
}

async function* pagesOf(commits: AsyncIterable<LoggedCommit>, most: number): AsyncGenerator<LoggedCommit[]> {
  let page: LoggedCommit[] = [];
  let size: number = PAGES.first;
  for await (const commit of commits) {
    page.push(commit);
    if (page.length < size) continue;
    yield page;
    page = [];
    size = Math.min(size * 4, most);
  }
  if (page.length > 0) yield page;
}
