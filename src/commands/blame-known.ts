import fs from 'node:fs';
import path from 'node:path';
import type { Anchors } from '../anchor/target.ts';
import type { AnnotatedLine, Knowledge, LineBook } from '../blame/annotate.ts';
import { openRecords } from '../blame/records.ts';
import { diskPath } from '../git/disk-path.ts';
import { onBytes, pathOf, type RepoPath } from '../git/paths.ts';
import type { Repository } from '../git/repository.ts';
import type { GitPlace } from '../git/run.ts';
import type { LineRange } from '../lines/range.ts';
import type { Missed } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { hasOwnWords } from '../trace/own.ts';
import { soundnessOf } from '../trace/parse.ts';
import { findAnchors } from './anchored.ts';
import { type AskedBlames, type LinesQuestion, revisionOf } from './blame-asked.ts';
import { type Contents, readStanding, worktreeOrigins } from './blame-worktree.ts';
import type { World } from './command.ts';
import { completeFacts, completeNotes } from './completed.ts';
import type { CommitFacts, Foreseen } from './foresight.ts';
import { type PendingView, pendingOnDemand } from './pending-view.ts';
import { quietly } from './quietly.ts';

/** What is asked, where, and what can be read while git blame is still at work. */
export interface Inquiry {
  readonly repository: Repository;
  readonly place: GitPlace;
  /** From the top of the repository. */
  readonly files: readonly RepoPath[];
  readonly ahead: ReturnType<typeof lookAhead>;
  /** The commit that was asked for; null for the work tree. */
  revision(): Promise<string | null>;
  readonly contents: Contents;
}

export async function openInquiry(
  world: World,
  question: LinesQuestion,
  { place, input, foreseen, repository: finding, revision }: AskedBlames,
): Promise<Inquiry> {
  // outside a repository everything fails; what counts is why there is none
  const repository = await finding;
  const files = question.files.map((file) => rootPath(repository, file));
  const given = question.contents === undefined ? undefined : path.resolve(world.cwd, question.contents);
  const onDisk = (file: RepoPath) => diskPath(repository.worktree ?? '', file);
  return {
    repository,
    place,
    files,
    ahead: quietly(lookAhead({ repository, world, place, foreseen, files })),
    // without a work tree git blames HEAD
    revision: async () => (await revision) ?? (repository.bare ? await revisionOf(place, ['HEAD']) : null),
    contents: {
      text: (file) => input ?? (given === undefined ? readStanding(onDisk(file)) : fs.readFileSync(given)),
      saved: (file) => (given === undefined ? undefined : onDisk(file)),
    },
  };
}

/** What notes say of the commits that lines are blamed on, and what no note says yet. */
export interface Records extends Missed {
  readonly book: LineBook;
  readonly pending: PendingView;
  /** Of lines of which no note speaks: what others tell of their commits. */
  anchors(lines: readonly AnnotatedLine[]): Promise<ReadonlyMap<string, Anchors>>;
  /** Hex digits that tell the commits apart. */
  readonly abbrev: number;
}

export async function readRecords({ repository, place, ahead }: Inquiry, commits: readonly string[]): Promise<Records> {
  const { pending, refs, early } = await ahead;
  const [{ notes, skipped, unread }, facts] = await Promise.all([
    completeNotes(place, refs, { known: early.read, commits: commits.filter((commit) => !early.facts.has(commit)) }),
    completeFacts(place, early.facts, commits),
  ]);
  const own = new Set(commits.filter((commit) => hasOwnWords(notes.get(commit) ?? [], commit)));
  const unsound = commits.filter((commit) => soundnessOf(notes.get(commit) ?? [], own.has(commit)) !== 'whole');
  const due = await pending.records(commits.filter((commit) => !own.has(commit)));
  const whole = openRecords({
    lines: (commit) => [...(notes.get(commit) ?? []), ...(due.get(commit) ?? [])],
    parents: (commit) => facts.get(commit)?.parents ?? [],
  });
  const bookOf = (commit: string) => (early.told.has(commit) && !due.has(commit) ? early.book : whole);
  const book: LineBook = {
    find: (commit, file, line) => bookOf(commit).find(commit, file, line),
    findRow: (commit, file, line) => bookOf(commit).findRow(commit, file, line),
  };
  const find = lastOf((bare) => findAnchors(repository, pending, { commits: bare, due }));
  const nothing = refs.length === 0 && due.size === 0;
  const anchors: Records['anchors'] = async (lines) => (nothing ? new Map() : find(withoutRecord(lines)));
  return { book, pending, anchors, skipped: skipped + unsound.length, unread, abbrev: digitsFor(commits, facts) };
}

/** Files that came together often have the same commits: what was found of them last is kept. */
function lastOf<T>(find: (commits: readonly string[]) => Promise<T>): (commits: readonly string[]) => Promise<T> {
  let last: { readonly key: string; readonly found: Promise<T> } | undefined;
  return (commits) => {
    const key = commits.join(' ');
    if (last?.key !== key) last = { key, found: find(commits) };
    return last.found;
  };
}

export type Learned = Knowledge & { readonly book: LineBook };

/** A file of which git has said who wrote its lines. */
export interface Subject {
  readonly file: RepoPath;
  /** The lines that are not committed. */
  readonly added: readonly LineRange[];
  /** Its lines, or of like ones in a row the last, and where they come from. */
  tell(learned: Learned): readonly AnnotatedLine[];
}

/** All that is known of the file's lines, and what that says of them. */
export async function learn(
  inquiry: Inquiry,
  { book, pending, ...records }: Records,
  { file, added, tell }: Subject,
): Promise<{ readonly learned: Learned; readonly told: readonly AnnotatedLine[] }> {
  const worktree = await worktreeOrigins({ file, added, pending, contents: inquiry.contents });
  const first = tell({ book, worktree });
  const anchors = await records.anchors(first);
  const learned = { book, worktree, anchors };
  return { learned, told: anchors.size === 0 ? first : tell(learned) };
}

interface AheadQuestion {
  readonly repository: Repository;
  readonly world: World;
  readonly place: GitPlace;
  readonly foreseen: AsyncIterable<readonly Foreseen[]>;
  readonly files: readonly string[];
}

/** What can be read while git blame is still at work. */
async function lookAhead({ repository, world, place, foreseen, files }: AheadQuestion) {
  // in this order: what a writer finishes in between is then seen twice, not missed, even the first note of all
  const others = quietly(
    pendingOnDemand(repository, world).then(async (one) => [one, await readNoteRefs(place)] as const),
  );
  const facts = new Map<string, Foreseen>();
  const told = new Map<string, readonly string[]>();
  const book = openRecords({
    lines: (commit) => told.get(commit) ?? [],
    parents: (commit) => facts.get(commit)?.parents ?? [],
  });
  for await (const some of foreseen) {
    for (const one of some) {
      facts.set(one.commit, one);
      if (one.notes.length === 0) continue;
      told.set(one.commit, one.notes);
      for (const file of files) book.find(one.commit, file, 1);
    }
  }
  const [pending, { trace }] = await others;
  // once more, after what is pending was looked at
  const known = { notes: told, skipped: 0, unread: [] };
  const read = await completeNotes(place, trace, { known, commits: [...facts.keys()] });
  return { pending, refs: trace, early: { facts, told, book, read } };
}

/** Commits that lines are blamed on of which their notes do not speak. */
function withoutRecord(lines: readonly AnnotatedLine[]): string[] {
  const bare = lines.filter(({ blamed, via }) => via === undefined && !blamed.uncommitted);
  return [...new Set(bare.map(({ blamed }) => blamed.commit))];
}

/** As many as git itself would show: enough for every commit that is named. */
function digitsFor(commits: readonly string[], facts: CommitFacts): number {
  return commits.reduce((most, commit) => Math.max(most, facts.get(commit)?.digits ?? 0), LEAST_DIGITS);
}

const LEAST_DIGITS = 7;

/** Git's name of a file that a person named from the current folder. */
export function rootPath({ prefix, worktree }: Repository, file: string): RepoPath {
  const bytes = (text: string) => Buffer.from(text).toString('latin1');
  return onBytes(pathOf(file), (name) => {
    const inside = path.isAbsolute(name) && worktree ? path.relative(bytes(worktree), name) : `${bytes(prefix)}${name}`;
    return path.posix.normalize(inside);
  });
}
