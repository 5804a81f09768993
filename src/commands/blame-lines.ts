import fs from 'node:fs';
import { type AnnotatedLine, annotate } from '../blame/annotate.ts';
import { Fault } from '../fault.ts';
import { type BlamedLine, type PrintedBlame, readBlame } from '../git/blame.ts';
import { diskPath, pathOf } from '../git/paths.ts';
import type { GitAnswer } from '../git/run.ts';
import { saidFault } from '../git/said.ts';
import { rangesOf } from '../lines/range.ts';
import { type AskedBlames, askBlames, type LinesQuestion } from './blame-asked.ts';
import { learn, openInquiry, readRecords } from './blame-known.ts';
import type { World } from './command.ts';

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
  const asked = await asking;
  const inquiry = await openInquiry(world, question, asked);
  const answers = await asked.answers();
  const blamed = answers.map((answer, i): Blamed => {
    const { lines, ...printed } = readBlame(readAnswer(answer, world.cwd, question.files[i] ?? ''));
    return { file: inquiry.files[i] ?? '', printed, lines };
  });
  const revision = await inquiry.revision();
  const records = await readRecords(inquiry, commitsOf(blamed));
  const told: FileBlame[] = [];
  for (const { file, printed, lines } of blamed) {
    const added = rangesOf(lines.filter((line) => line.uncommitted).map((line) => line.line));
    const all = await learn(inquiry, records, { file, added, tell: (known) => annotate(lines, known) });
    told.push({ file, revision, printed, lines: all.told });
  }
  records.pending.wake();
  return { files: told, abbrev: records.abbrev, skipped: records.skipped };
}

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
