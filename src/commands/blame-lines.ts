import { type AnnotatedLine, annotate } from '../blame/annotate.ts';
import { Fault } from '../fault.ts';
import { type BlamedLine, type PrintedBlame, readBlame } from '../git/blame.ts';
import { diskPath, lookAt } from '../git/disk-path.ts';
import { pathOf, type RepoPath } from '../git/paths.ts';
import type { GitAnswer } from '../git/run.ts';
import { saidFault } from '../git/said.ts';
import { rangesOf } from '../lines/range.ts';
import type { Missed } from '../notes/read.ts';
import { type AskedBlames, type AskedFile, askBlames, type LinesQuestion } from './blame-asked.ts';
import { type Inquiry, learn, openInquiry, type Records, readRecords } from './blame-known.ts';
import type { World } from './command.ts';

export interface FileBlame {
  /** From the top of the repository. */
  readonly file: string;
  /** The commit that was asked for; null for the work tree. */
  readonly revision: string | null;
  readonly printed: PrintedBlame;
  readonly lines: readonly AnnotatedLine[];
}

export interface Blames extends Missed {
  readonly files: readonly FileBlame[];
  /** Hex digits that tell the commits apart. */
  readonly abbrev: number;
}

/** A file of which git has said who wrote its lines; what is known of them is said in its turn. */
export interface Turn<T> {
  readonly commits: ReadonlySet<string>;
  /** Begins what takes long, while the one before is told. */
  prepare(): void;
  /** Once. */
  tell(records: Records): Promise<T>;
}

/** Who wrote each line of the files, by the notes of all commits seen; `asking`: where git was set to work already. */
export async function blameLines(
  world: World,
  question: LinesQuestion,
  asking: Promise<AskedBlames> = askBlames(world.cwd, question),
): Promise<Blames> {
  const asked = await asking;
  const inquiry = await openInquiry(world, question, asked);
  const turns: Turn<FileBlame>[] = [];
  for (const [i, file] of asked.files.entries()) turns.push(await wholeTurn(inquiry, file, inquiry.files[i] ?? ''));
  const records = await readRecords(inquiry, allCommits(turns));
  const files: FileBlame[] = [];
  for (const turn of turns) files.push(await turn.tell(records));
  records.pending.wake();
  const { abbrev, skipped, unread } = records;
  return { files, abbrev, skipped, unread };
}

/** A file whose lines are all there at once. */
export async function wholeTurn(inquiry: Inquiry, asked: AskedFile, file: RepoPath): Promise<Turn<FileBlame>> {
  const { lines, ...printed } = readBlame(readAnswer(await asked.answer(), inquiry.place.cwd, asked.name));
  const revision = await inquiry.revision();
  return {
    commits: commitsOf(lines),
    prepare: () => {},
    async tell(records) {
      const added = rangesOf(lines.filter((line) => line.uncommitted).map((line) => line.line));
      const { told } = await learn(inquiry, records, { file, added, tell: (known) => annotate(lines, known) });
      return { file, revision, printed, lines: told };
    },
  };
}

export function allCommits(turns: readonly { readonly commits: ReadonlySet<string> }[]): string[] {
  return [...new Set(turns.flatMap(({ commits }) => [...commits]))];
}

function readAnswer(answer: GitAnswer, cwd: string, file: string): Buffer {
  if (answer.code === 0) return answer.out;
  if (lookAt(diskPath(cwd, pathOf(file)))?.isDirectory() && /no such path/.test(answer.err)) {
    // what can be typed as it stands is named
    const name = /^[\w./][\w./-]*$/.test(file) ? file : '<directory>';
    const next = `name a file in it, or git agent log --stat -- ${name} for its commits`;
    throw new Fault('usage', `${file} is a directory: ${next}.`);
  }
  throw saidFault(answer, 'git blame');
}

function commitsOf(lines: readonly BlamedLine[]): Set<string> {
  const commits = new Set<string>();
  for (const line of lines) if (!line.uncommitted) commits.add(line.commit);
  return commits;
}
