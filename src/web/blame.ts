import { type AnnotatedLine, annotate, type RecordBook, type Summary, summarise } from '../blame/annotate.ts';
import { jsonLine, SCHEMA } from '../blame/json.ts';
import { openRecords } from '../blame/records.ts';
import { splitBytes } from '../lines/text.ts';
import { findAnchors } from './anchors.ts';
import type { HistoryCommit } from './commit.ts';
import { findFile } from './files.ts';
import { readNotes, traceRefs } from './notes.ts';
import { openRepository, type Place, type Repository } from './repository.ts';
import { decodePath, encodeName } from './tree.ts';
import { type Birth, walkLines } from './walk.ts';

export interface BlameQuestion extends Place {
  /** From the top of the repository. */
  readonly file: string;
  /** A branch, a tag or a commit; `HEAD` without. */
  readonly ref?: string;
  /** Notes refs in full. Without: `refs/notes/agent/trace` and what was fetched as `refs/notes/REMOTE/agent/trace`. */
  readonly refs?: readonly string[];
  /** Look for lines of commits without a record in the records of others. All notes are read for it. */
  readonly anchor?: boolean;
}

type BlamedLine = AnnotatedLine['blamed'];

/** A line as `git agent-blame --json` tells it. */
export type BlameLine = ReturnType<typeof jsonLine>;

export interface Blame {
  readonly schema: typeof SCHEMA;
  readonly file: string;
  /** The commit that was asked for. */
  readonly revision: string;
  readonly lines: readonly BlameLine[];
  readonly summary: Summary;
  /** Notes that are too large, damaged, wholly or in part, or not in this clone. */
  readonly skipped: number;
  /** Notes refs that cannot be read, or not all of them. */
  readonly unread: readonly string[];
}

/** Who wrote each line of a file, as it stands in a commit. */
export async function blame(question: BlameQuestion): Promise<Blame> {
  const repository = openRepository(question);
  await repository.ready();
  const from = await repository.resolve(question.ref ?? 'HEAD');
  const path = encodeName(question.file);
  const births = await walkLines(repository, from, path);
  const blamed = await blamedLines(repository, births, { from, path });
  const refs = question.refs ?? (await traceRefs(repository));
  const commits = new Map(births.map(({ commit }) => [commit.id, commit]));
  const { notes, skipped, unread } = await readNotes(repository, refs, commits.keys());
  const book = openRecords({
    lines: (commit) => notes.get(commit) ?? [],
    parents: (commit) => commits.get(commit)?.parents ?? [],
  });
  const first = annotate(blamed, { book, worktree: new Map() });
  const bare = question.anchor && refs.length > 0 ? withoutRecord(first, commits) : [];
  const lines = bare.length === 0 ? first : await anchored(repository, { blamed, book, bare, refs });
  return {
    schema: SCHEMA,
    file: decodePath(path),
    revision: from.id,
    lines: lines.map(jsonLine),
    summary: summarise(lines),
    skipped,
    unread,
  };
}

async function blamedLines(
  repository: Repository,
  births: readonly Birth[],
  { from, path }: { readonly from: HistoryCommit; readonly path: string },
): Promise<BlamedLine[]> {
  const file = await findFile(repository, from.tree, path);
  const texts = splitBytes((file && (await repository.blob(file.id))) ?? new Uint8Array());
  return births.map(({ commit, path: name, line, boundary }, i) => ({
    line: i + 1,
    originalLine: line,
    text: texts[i] ?? '',
    commit: commit.id,
    originalFile: decodePath(name),
    author: commit.author.name,
    authorMail: commit.author.mail,
    authorTime: commit.author.seconds,
    authorZone: commit.author.zone,
    summary: commit.message.split('\n', 1)[0] ?? '',
    boundary,
    uncommitted: false,
  }));
}

/** Commits that lines are blamed on of which their notes do not speak. */
function withoutRecord(lines: readonly AnnotatedLine[], commits: ReadonlyMap<string, HistoryCommit>): HistoryCommit[] {
  const bare = new Set(lines.filter(({ via }) => via === undefined).map(({ blamed }) => blamed.commit));
  return [...bare].flatMap((id) => commits.get(id) ?? []);
}

interface Bare {
  readonly blamed: readonly BlamedLine[];
  readonly book: RecordBook;
  readonly bare: readonly HistoryCommit[];
  readonly refs: readonly string[];
}

async function anchored(repository: Repository, { blamed, book, bare, refs }: Bare): Promise<AnnotatedLine[]> {
  const anchors = await findAnchors(repository, bare, refs);
  return annotate(blamed, { book, worktree: new Map(), anchors });
}
