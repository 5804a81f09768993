import fs from 'node:fs';
import path from 'node:path';
import { type AnnotatedLine, annotate, type Found, type RecordBook } from '../blame/annotate.ts';
import { openRecords } from '../blame/records.ts';
import { Fault } from '../fault.ts';
import { type BlamedLine, type PrintedBlame, readBlame } from '../git/blame.ts';
import { diskPath, onBytes, pathOf, type RepoPath } from '../git/paths.ts';
import type { Repository } from '../git/repository.ts';
import type { GitAnswer, GitPlace } from '../git/run.ts';
import { saidFault } from '../git/said.ts';
import { type Origin, unknown } from '../lines/origin.ts';
import { rangesOf } from '../lines/range.ts';
import { type Lines, splitBytes } from '../lines/text.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { hasOwnWords } from '../trace/own.ts';
import { findAnchors } from './anchored.ts';
import { type AskedBlames, askBlames, type LinesQuestion, quietly, revisionOf } from './blame-asked.ts';
import type { World } from './command.ts';
import { completeFacts, completeNotes } from './completed.ts';
import type { CommitFacts, Foreseen } from './foresight.ts';
import { type PendingView, pendingOnDemand } from './pending-view.ts';

export interface FileBlame {
  /** From the top of the repository. */
  readonly file: string;
  /** The commit that was asked for; null for the work tree. */
  readonly revision: string | null;
  readonly printed: PrintedBlame;
  readonly lines: readonly AnnotatedLine[];
}

export interface Blames {
  readonly files: readonly FileBlame[];
  /** Hex digits that tell the commits apart. */
  readonly abbrev: number;
  /** Notes that are too large, or not here. */
  readonly skipped: number;
}

interface Blamed {
  readonly file: string;
  readonly printed: PrintedBlame;
  readonly lines: readonly BlamedLine[];
}

/** Who wrote each line of the files, by the notes of all commits seen; `asking`: where git was set to work already. */
export async function blameLines(
  world: World,
  question: LinesQuestion,
  asking: Promise<AskedBlames> = askBlames(world.cwd, question),
): Promise<Blames> {
  const { place, input, answers: asked, foreseen, repository: finding } = await asking;
  // outside a repository everything fails; what counts is why there is none
  const repository = await finding;
  const files = question.files.map((file) => rootPath(repository, file));
  const ahead = quietly(lookAhead({ repository, world, place, foreseen, files }));
  const [answers, named] = await asked;
  // without a work tree git blames HEAD
  const revision = named ?? (repository.bare ? await revisionOf(place, ['HEAD']) : null);
  const blamed = answers.map((answer, i): Blamed => {
    const { lines, ...printed } = readBlame(readAnswer(answer, world.cwd, question.files[i] ?? ''));
    return { file: files[i] ?? '', printed, lines };
  });
  const commits = commitsOf(blamed);
  const { pending, refs, early } = await ahead;
  const [{ notes, skipped }, facts] = await Promise.all([
    completeNotes(place, refs, { known: early.read, commits: commits.filter((commit) => !early.facts.has(commit)) }),
    completeFacts(place, early.facts, commits),
  ]);
  const due = await pending.records(commits.filter((commit) => !hasOwnWords(notes.get(commit) ?? [], commit)));
  const whole = openRecords({
    lines: (commit) => [...(notes.get(commit) ?? []), ...(due.get(commit) ?? [])],
    parents: (commit) => facts.get(commit)?.parents ?? [],
  });
  const bookOf = (commit: string) => (early.told.has(commit) && !due.has(commit) ? early.book : whole);
  const book: RecordBook = {
    find: (commit, file, line) => bookOf(commit).find(commit, file, line),
  };
  const told: FileBlame[] = [];
  for (const { file, printed, lines } of blamed) {
    const saved = diskPath(repository.worktree ?? '', file);
    const given = contentsOf(question, world.cwd);
    const text = () => input ?? fs.readFileSync(given ?? saved);
    const worktree = await worktreeOrigins({ file, lines, pending, text, ...(given !== undefined && { saved }) });
    const first = annotate(lines, { book, worktree });
    const bare = refs.length === 0 && due.size === 0 ? [] : withoutRecord(first);
    const anchors = await findAnchors(repository, pending, { commits: bare, due });
    const all = bare.length === 0 ? first : annotate(lines, { book, worktree, anchors });
    told.push({ file, revision, printed, lines: all });
  }
  pending.wake();
  return { files: told, abbrev: digitsFor(commits, facts), skipped };
}

interface Ahead {
  readonly repository: Repository;
  readonly world: World;
  readonly place: GitPlace;
  readonly foreseen: AsyncIterable<readonly Foreseen[]>;
  readonly files: readonly string[];
}

/** What can be read while git blame is still at work. */
async function lookAhead({ repository, world, place, foreseen, files }: Ahead) {
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
  const read = await completeNotes(place, trace, { known: { notes: told, skipped: 0 }, commits: [...facts.keys()] });
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

function readAnswer(answer: GitAnswer, cwd: string, file: string): Buffer {
  if (answer.code === 0) return answer.out;
  if (
    fs.statSync(diskPath(cwd, pathOf(file)), { throwIfNoEntry: false })?.isDirectory() &&
    /no such path/.test(answer.err)
  ) {
    // what can be typed as it stands is named
    const name = /^[\w./][\w./-]*$/.test(file) ? file : '<directory>';
    const next = `name a file in it, or git agent log --stat -- ${name} for its commits`;
    throw new Fault('usage', `${file} is a directory: ${next}.`);
  }
  throw saidFault(answer, 'git blame');
}

function commitsOf(blamed: readonly Blamed[]): string[] {
  const commits = new Set<string>();
  for (const { lines } of blamed) for (const line of lines) if (!line.uncommitted) commits.add(line.commit);
  return [...commits];
}

interface Uncommitted {
  readonly file: string;
  readonly lines: readonly BlamedLine[];
  readonly pending: PendingView;
  text(): Uint8Array;
  /** Where the file is, when the text is not the file's own but was given. */
  readonly saved?: Buffer;
}

const NOT_SAVED = unknown('only in the contents that were given');

async function worktreeOrigins({
  file,
  lines,
  pending,
  text,
  saved,
}: Uncommitted): Promise<ReadonlyMap<number, Found>> {
  const added = rangesOf(lines.filter((line) => line.uncommitted).map((line) => line.line));
  if (added.length === 0) return new Map();
  try {
    const whole = splitBytes(text());
    const origins = await pending.worktree({ path: file, text: whole, added });
    // nobody watches what is only in an editor
    const kept = saved === undefined ? undefined : await keptLines(saved, whole);
    const told = (line: number, origin: Origin) => (kept && (kept[line - 1] ?? -1) < 0 ? NOT_SAVED : origin);
    return new Map([...origins].map(([line, origin]) => [line, foundInWorktree(told(line, origin), pending)]));
  } catch (error) {
    // gone since git read it
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
    throw error;
  }
}

async function keptLines(saved: Buffer, text: Lines): Promise<readonly number[]> {
  const { diffLines } = await import('../lines/diff.ts');
  return diffLines(splitBytes(fs.readFileSync(saved)), text);
}

function foundInWorktree(origin: Origin, pending: PendingView): Found {
  const conversation = origin.agent && pending.conversation(origin.agent);
  return { origin, via: 'worktree', ...(conversation && { conversation }) };
}

function contentsOf({ contents }: LinesQuestion, cwd: string): string | undefined {
  return contents === undefined ? undefined : path.resolve(cwd, contents);
}

/** Git's name of a file that a person named from the current folder. */
export function rootPath({ prefix, worktree }: Repository, file: string): RepoPath {
  const bytes = (text: string) => Buffer.from(text).toString('latin1');
  return onBytes(pathOf(file), (name) => {
    const inside = path.isAbsolute(name) && worktree ? path.relative(bytes(worktree), name) : `${bytes(prefix)}${name}`;
    return path.posix.normalize(inside);
  });
}
